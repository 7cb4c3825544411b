"""Reference markers in Markdown: `[@a]`, `[@a][@b]` and `[@a; @b]`, as a rule of the Markdown parser."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline

CITATION = "citation"

_ID = r"[^\s\[\]@;,]+"
_MARKER = re.compile(rf"\[\s*@({_ID}(?:\s*[;,]\s*@{_ID})*)\s*\]")
_BETWEEN = re.compile(r"\s*[;,]\s*@")


def with_markers(parser: "MarkdownIt") -> "MarkdownIt":
    """The parser, made to read markers before links: the two begin alike."""
    parser.inline.ruler.before("link", CITATION, _marker)
    return parser


def _marker(state: "StateInline", silent: bool) -> bool:
    found = _MARKER.match(state.src, state.pos, state.posMax)
    if not found:
        return False
    if not silent:
        state.push(CITATION, "", 0).meta = {"ids": _BETWEEN.split(found[1])}
    state.pos = found.end()
    return True
