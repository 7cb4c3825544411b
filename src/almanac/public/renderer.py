"""Renders the pages of the public side in its own layout, and its error pages, in the language of the address."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import urlencode, urlsplit

from almanac import __version__
from almanac.kit.catalogs import INTERFACE_LANGUAGES, LANGUAGE_NAMES
from almanac.public.links import PublicLinks
from almanac.public.model import PublicPage, PublicPart, PublicRequest

_CSP = "default-src 'none'; style-src {own}; img-src {own}; form-action {own}; base-uri 'none'; frame-ancestors {frame}"


class TemplateRenderer(Protocol):
    """Renders templates by name."""

    def render(self, name: str, /, **values: object) -> str: ...


@dataclass(frozen=True, slots=True)
class PublicFrame:
    """What is around every page: the organisation, what there is to read, the style sheet and the icon."""

    organisation: str
    parts: Sequence[PublicPart]
    style: str
    icon: str


class PublicRenderer:
    """Renders pages; `version` changes with everything around them."""

    def __init__(self, templates: TemplateRenderer, links: PublicLinks, frame: PublicFrame) -> None:
        self._templates = templates
        self._links = links
        self._frame = frame
        self.languages = INTERFACE_LANGUAGES
        self.organisation = frame.organisation
        self.version = (__version__, links, frame.organisation, frame.style, [part.name for part in frame.parts])
        split = urlsplit(links.root)
        own = f"'self' {split.scheme}://{split.netloc}" if split.netloc else "'self'"
        self.policy = _CSP.format(own=own, frame="'none'")
        self.frame_policy = _CSP.format(own=own, frame="*")

    def language_of(self, path: str) -> str:
        """The language that a path begins with, or the first one."""
        first = path.split("/")[1] if path.startswith("/") else ""
        return first if first in self.languages else self.languages[0]

    def render(self, asked: PublicRequest, page: PublicPage, values: Mapping[str, object]) -> bytes:
        """The page in its layout."""
        path, query = asked.path, urlencode(asked.query.multi_items())
        canonical = self._links.whole(asked.language, page.canonical or path)
        around = {
            **self._around(asked.language, path, query, canonical=page.canonical),
            "page": page,
            "form": asked.form,
            "canonical": canonical,
            "image_url": self._links.whole(asked.language, page.image.path) if page.image else "",
            "oembed_url": f"{self._links.base}/oembed?{urlencode({'url': canonical})}" if page.is_embeddable else "",
            "feed_url": self._links.page(asked.language, page.feed) if page.feed else "",
        }
        return self._templates.render(page.template, **{**around, **values}).encode()

    def render_error(self, language: str, status: int) -> bytes:
        """A page that says what happened and where to go on; it needs nothing that may be what failed."""
        around = {**self._around(language, None), "page": None, "canonical": "", "feed_url": ""}
        return self._templates.render("public/error.html", status=status, **around).encode()

    def _around(self, language: str, path: str | None, query: str = "", *, canonical: str = "") -> dict[str, object]:
        frame = self._frame
        query = f"?{query}" if query else ""
        return {
            "language": language,
            "organisation": frame.organisation,
            "home_url": self._links.page(language),
            "style_url": self._links.file(frame.style),
            "icon_url": self._links.file(frame.icon),
            "site_links": [(part.title, self._links.page(language, part.home)) for part in frame.parts],
            "site_feeds": [(part.title, self._links.page(language, part.feed)) for part in frame.parts if part.feed],
            "site_notes": [
                (title, self._links.page(language, path)) for part in frame.parts for title, path in part.notes
            ],
            "site_search": next((self._links.page(language, part.search) for part in frame.parts if part.search), ""),
            "language_links": [
                (
                    code,
                    name,
                    self._links.page(code, path or "") + query,
                    self._links.whole(code, canonical or path or ""),
                    code == language,
                )
                for code, name in LANGUAGE_NAMES.items()
            ],
            "is_error": path is None,
        }
