"""The shipped documentation as pages: titles, safe HTML with working links, tables of contents, and sections to search.

A wheel carries the `docs` folder as package data; in a checkout it is read from its place.
"""

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import nh3

from almanac.errors import NotFound
from almanac.kit.lazy import lazy_module
from almanac.kit.messages import gettext

if TYPE_CHECKING:
    import markdown_it
    from markdown_it.token import Token
else:
    markdown_it = lazy_module("markdown_it")

PREFIX = "/help"
START = "README"
_COMMENT = re.compile(r"<!--.*?-->\s*", re.DOTALL)
_NOT_IN_SLUG = re.compile(r"[^\w\- ]")
_OUTSIDE = re.compile(r"^[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_IMAGES = frozenset({".png", ".svg", ".jpg", ".webp"})
_TAGS = frozenset(
    "a blockquote br code dd dl dt em h1 h2 h3 h4 hr img li ol p pre strong table tbody td th thead tr ul".split()
)
_ATTRIBUTES = {"a": {"href"}, "img": {"src", "alt", "loading"}, "ol": {"start"}}
# What may be wider than the page is scrolled, also by keyboard.
_SCROLLED = {"pre": {"tabindex": "0"}, "table": {"tabindex": "0"}}


@dataclass(frozen=True, slots=True)
class HelpHeading:
    """A heading of a page: its level, its anchor and its words."""

    level: int
    anchor: str
    text: str


@dataclass(frozen=True, slots=True)
class HelpSection:
    """A heading and the text below it, which search looks through."""

    heading: HelpHeading
    text: str


@dataclass(frozen=True, slots=True)
class HelpPage:
    """A rendered page; `links` are the pages of the documentation that it links to."""

    name: str
    title: str
    html: str
    sections: Sequence[HelpSection]
    links: frozenset[str]

    @property
    def href(self) -> str:
        return page_url(self.name)

    @property
    def contents(self) -> list[HelpHeading]:
        """The headings of the second level, worth a table of contents where there are several."""
        headings = [section.heading for section in self.sections if section.heading.level == 2]
        return headings if len(headings) > 1 else []


def page_url(name: str) -> str:
    """Where a page of the documentation opens."""
    return PREFIX if name == START else f"{PREFIX}/{name}"


def find_docs_folder() -> Path:
    """The folder of the documentation: package data, or that of the checkout."""
    shipped = Path(str(files("almanac.help"))) / "pages"
    return shipped if shipped.is_dir() else Path(__file__).parents[3] / "docs"


class HelpLibrary:
    """The pages of a folder, each rendered when it is first asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._rendered: dict[str, HelpPage] = {}

    @cached_property
    def names(self) -> frozenset[str]:
        """Every page by its path without the ending."""
        return frozenset(
            path.relative_to(self._folder).with_suffix("").as_posix() for path in self._folder.rglob("*.md")
        )

    def page(self, name: str) -> HelpPage:
        """A page by its name. NotFound if there is none."""
        if name not in self.names:
            raise NotFound(gettext("There is no help page with this name; look at the list of all pages."))
        if name not in self._rendered:
            self._rendered[name] = self._render(name, (self._folder / f"{name}.md").read_text("utf-8"))
        return self._rendered[name]

    def image(self, name: str) -> Path:
        """The file of an image. NotFound if there is none."""
        path = (self._folder / name).resolve()
        if path.suffix not in _IMAGES or self._folder.resolve() not in path.parents or not path.is_file():
            raise NotFound(gettext("This image doesn't exist."))
        return path

    def _render(self, name: str, text: str) -> HelpPage:
        parser = markdown_it.MarkdownIt("commonmark", {"html": False}).enable("table")
        tokens = parser.parse(_COMMENT.sub("", text))
        links = frozenset(self._rewrite_links(name, tokens))
        sections = list(_sections(tokens))
        html = nh3.clean(
            parser.renderer.render(tokens, parser.options, {}),
            tags=set(_TAGS),
            attributes={tag: set(names) for tag, names in _ATTRIBUTES.items()},
            generic_attribute_prefixes={"id"},
            set_tag_attribute_values=_SCROLLED,
        )
        title = sections[0].heading.text if sections else name
        return HelpPage(name, title, html, sections, links)

    def _rewrite_links(self, name: str, tokens: "Sequence[Token]") -> Iterator[str]:
        """Make links lead to pages here; what is outside of the documentation becomes plain text."""
        for token in tokens:
            for child in token.children or ():
                if child.type == "link_open":
                    href = self._resolve(name, str(child.attrGet("href") or ""))
                    child.attrs = {"href": href} if href else {}
                    if href.startswith(PREFIX):
                        yield href
                elif child.type == "image":
                    child.attrSet("src", f"{PREFIX}/{_join(name, str(child.attrGet('src') or ''))}")
                    child.attrSet("loading", "lazy")

    def _resolve(self, name: str, href: str) -> str:
        if _OUTSIDE.match(href) or href.startswith("#"):
            return href
        path, _, anchor = href.partition("#")
        target = _join(name, path).removesuffix(".md")
        if target not in self.names:
            return ""
        return page_url(target) + (f"#{anchor}" if anchor else "")


def _join(name: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


def _sections(tokens: "Sequence[Token]") -> Iterator[HelpSection]:
    """The page by its headings, which get their anchors."""
    heading: HelpHeading | None = None
    words: list[str] = []
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            if heading is not None:
                yield HelpSection(heading, " ".join(words))
            text = _plain(tokens[place + 1])
            heading, words = HelpHeading(int(token.tag[1:]), _slug(text), text), []
            token.attrSet("id", heading.anchor)
        elif token.type in ("inline", "fence", "code_block"):
            words.append(_plain(token))
    if heading is not None:
        yield HelpSection(heading, " ".join(words))


def _plain(token: "Token") -> str:
    if not token.children:
        return token.content
    return "".join(" " if child.type == "softbreak" else child.content for child in token.children)


def _slug(text: str) -> str:
    return _NOT_IN_SLUG.sub("", text.casefold()).strip().replace(" ", "-")
