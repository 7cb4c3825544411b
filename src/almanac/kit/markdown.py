"""Markdown that others wrote, as safe HTML and as plain text.

Raw HTML stays text, links lead to http, https and mailto alone, and pictures become their description, since loading
one would tell its host who reads.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from typing import TYPE_CHECKING

from almanac.kit.lazy import lazy_module

if TYPE_CHECKING:
    import markdown_it
    from markdown_it import MarkdownIt
    from markdown_it.token import Token
else:
    markdown_it = lazy_module("markdown_it")

_SAFE_LINK = re.compile(r"(?:https?://|mailto:)\S+", re.IGNORECASE)
_SIGNS = re.compile(r"[*_`#>\[\]|~<\\]|^\s*(?:[-+]|\d+[.)])\s|\n", re.MULTILINE)
_BLANK = re.compile(r"\s+")
_MAX_NESTING = 20
_BLOCKS = frozenset(
    ("p", "ul", "ol", "li", "blockquote", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td")
)
_LINE_ENDS = frozenset(("softbreak", "hardbreak"))
# The parser's rules for emphasis know no Japanese: next to brackets, asterisks would stay. So bold is marked by two
# characters for private use before the parser reads the text.
_BOLD = re.compile(r"\*\*([^*\n]+)\*\*")
_BEGIN, _END = "\ue000", "\ue001"
_HTML = str.maketrans({_BEGIN: "<strong>", _END: "</strong>"})
_NOTHING = str.maketrans({_BEGIN: None, _END: None})


def render_markdown(text: str) -> str:
    """The text as HTML that is safe to show; headings start at the third level."""
    return "".join(_render(_parse(text))).translate(_HTML)


def markdown_text(text: str) -> str:
    """The words of a text on one line, without its marks."""
    if not _SIGNS.search(text):
        return text
    return _BLANK.sub(" ", "".join(_words(_parse(text)))).translate(_NOTHING).strip()


def _parse(text: str) -> list["Token"]:
    """The tokens of a text; one that is nested so deep that the parser would drop words is a single paragraph."""
    marked = _BOLD.sub(rf"{_BEGIN}\1{_END}", text.translate(_NOTHING))
    tokens = _parser().parse(marked)
    return tokens if all(token.level < _MAX_NESTING - 1 for token in tokens) else _parser().parseInline(marked)


@cache
def _parser() -> "MarkdownIt":
    parser = markdown_it.MarkdownIt("commonmark", {"html": False, "maxNesting": _MAX_NESTING})
    return parser.enable(["table", "strikethrough"]).disable(["code", "reference"])


def _render(tokens: Sequence["Token"]) -> Iterator[str]:
    links: list[bool] = []
    for token in tokens:
        if token.type == "inline":
            yield from _render(token.children or ())
        elif token.type == "link_open":
            links.append(_is_safe(address := str(token.attrs.get("href", ""))))
            yield f'<a href="{escape(address)}" rel="noreferrer nofollow">' if links[-1] else ""
        elif token.type == "link_close":
            yield "</a>" if links.pop() else ""
        else:
            yield _render_token(token)


def _is_safe(address: str) -> bool:
    return _SAFE_LINK.fullmatch(address) is not None


def _render_token(token: "Token") -> str:
    if token.hidden:
        return ""
    if token.type in _LINE_ENDS:
        return "<br>"
    if token.type == "hr":
        return "<hr>"
    if token.type in ("code_inline", "fence"):
        return f"<code>{escape(token.content)}</code>"
    if not token.tag or token.type == "image":
        return escape(token.content)
    tag = _tag(token)
    return f"</{tag}>" if token.nesting < 0 else f"<{tag}>"


def _tag(token: "Token") -> str:
    """Headings move down below those of the page."""
    return f"h{min(int(token.tag[1]) + 2, 6)}" if token.type.startswith("heading") else token.tag


def _words(tokens: Sequence["Token"]) -> Iterator[str]:
    for token in tokens:
        if token.type == "inline":
            yield from _words(token.children or ())
        elif token.type in _LINE_ENDS or (token.nesting < 0 and _tag(token) in _BLOCKS):
            yield " "
        else:
            yield token.content
