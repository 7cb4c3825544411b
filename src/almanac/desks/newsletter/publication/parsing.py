"""The Markdown parser as the desk sets it up, and its flat tokens as a tree of nodes.

Raw HTML is text, and a link that is not http, https or mailto is text too.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from almanac.desks.newsletter.publication.markers import with_markers
from almanac.kit.lazy import lazy_module

if TYPE_CHECKING:
    import markdown_it
    from markdown_it import MarkdownIt
    from markdown_it.token import Token
else:
    markdown_it = lazy_module("markdown_it")

_SAFE_LINK = re.compile(r"(?:https?://|mailto:)\S+", re.IGNORECASE)
# Beyond this the parser drops text, so that such a text is read as plain paragraphs instead.
_DEEPEST = 60


@dataclass(slots=True)
class Node:
    """A piece of Markdown and the pieces inside it."""

    type: str
    token: "Token"
    children: list["Node"] = field(default_factory=list)

    @property
    def content(self) -> str:
        """The text of a leaf."""
        return self.token.content

    @property
    def heading_level(self) -> int:
        """1 to 6, of a heading."""
        return int(self.token.tag[1])

    @property
    def address(self) -> str:
        """Where a link or an image points to."""
        return str(self.token.attrs.get("href") or self.token.attrs.get("src", ""))

    @property
    def start(self) -> int:
        """The first number of a numbered list."""
        return int(self.token.attrs.get("start", 1))

    @property
    def ids(self) -> list[str]:
        """What a reference marker names."""
        return list(self.token.meta.get("ids", []))


def safe_link(address: str) -> bool:
    """Whether an address may become a link in something that is sent to people."""
    return _SAFE_LINK.fullmatch(address) is not None


def parse(text: str) -> list[Node]:
    """The text as nodes, blocks outermost."""
    parser = _parser()
    tokens = parser.parse(text)
    if any(token.level >= _DEEPEST - 1 for token in tokens):
        return [Node("paragraph", *_inline(parser, piece)) for piece in re.split(r"\n\s*\n", text)]
    return list(_nested(iter(tokens)))


@cache
def _parser() -> "MarkdownIt":
    parser = markdown_it.MarkdownIt("commonmark", {"html": False, "maxNesting": _DEEPEST})
    parser.validateLink = safe_link  # type: ignore[method-assign,assignment] # the documented way to set it
    return with_markers(parser.enable("table").disable(["code", "fence", "reference"]))


def _inline(parser: "MarkdownIt", text: str) -> tuple["Token", list[Node]]:
    (token,) = parser.parseInline(text)
    return token, [Node("inline", token, list(_nested(iter(token.children or ()))))]


def _nested(tokens: Iterator["Token"]) -> Iterator[Node]:
    """The nodes up to the end, or up to the token that closes the one they are in."""
    for token in tokens:
        if token.nesting < 0:
            return
        if token.nesting > 0:
            yield Node(token.type.removesuffix("_open"), token, list(_nested(tokens)))
        else:
            # An image keeps its description as children, which its content holds as text anyway.
            inner = token.children if token.type == "inline" and token.children else ()
            yield Node(token.type, token, list(_nested(iter(inner))))
