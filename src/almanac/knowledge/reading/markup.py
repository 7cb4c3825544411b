"""HTML read as it stands: every block with words in it, apart from scripts, menus and forms."""

from collections.abc import Iterator
from typing import TypeAlias

from lxml import etree
from lxml.html import HtmlElement, HTMLParser, document_fromstring, tostring

from almanac.knowledge.reading.plain import joined_lines
from almanac.knowledge.reading.result import Block, Unreadable

Tree: TypeAlias = HtmlElement

_SKIPPED = frozenset(
    "script style noscript template svg math nav footer aside form button select iframe object head".split()
)
_BLOCKS = frozenset(
    "address article blockquote body dd div dl dt fieldset figcaption figure h1 h2 h3 h4 h5 h6 header hr li main ol p "
    "pre section table tbody td tfoot th thead tr ul".split()
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_DEEPEST = 200


def parse_markup(text: str) -> HtmlElement | None:
    """The tree of an HTML text, or None where it is empty. Entities are plain, nothing is loaded."""
    try:
        parser = HTMLParser(no_network=True, remove_comments=True, remove_pis=True, encoding="utf-8")
        return document_fromstring(text.encode("utf-8", "replace"), parser=parser)
    except etree.XMLSyntaxError as error:
        if error.code == etree.ErrorTypes.ERR_DOCUMENT_EMPTY:
            return None
        raise Unreadable(
            "This page is too large or too deeply nested to be read; save its text and add that."
        ) from error
    except etree.ParserError:
        return None


def markup_of(tree: HtmlElement) -> str:
    """A tree as text again."""
    return str(tostring(tree, encoding="unicode"))


def blocks_of_markup(text: str) -> list[Block]:
    """The blocks of an HTML text or a fragment of one."""
    tree = parse_markup(text)
    return [] if tree is None else blocks_of_tree(tree)


def blocks_of_tree(tree: HtmlElement) -> list[Block]:
    """The blocks below an element, in reading order."""
    collector = _Collector()
    collector.walk(tree, 0, 0)
    collector.close(0)
    return collector.found


class _Collector:
    """Gathers the words between the edges of blocks."""

    def __init__(self) -> None:
        self.found: list[Block] = []
        self._words: list[str] = []

    def walk(self, element: HtmlElement, level: int, depth: int) -> None:
        for child in _children(element):
            if isinstance(child, str):
                self._words.append(child)
            elif child.tag == "br":
                self._words.append("\n")
            elif child.tag == "tr":
                self.close(level)
                self._row(child)
            elif child.tag not in _SKIPPED and depth < _DEEPEST:
                self._element(child, level, depth)

    def close(self, level: int) -> None:
        """End the block that is being gathered, if it has words."""
        if text := joined_lines("".join(self._words)):
            self.found.append(Block(text, level))
        self._words.clear()

    def _element(self, element: HtmlElement, level: int, depth: int) -> None:
        edge = element.tag in _BLOCKS
        inner = _HEADINGS.get(element.tag, level)
        if edge:
            self.close(level)
        self.walk(element, inner, depth + 1)
        if edge:
            self.close(inner)

    def _row(self, row: HtmlElement) -> None:
        cells = (joined_lines(" ".join(cell.itertext())) for cell in row.iterchildren("td", "th"))
        if text := " | ".join(cell for cell in cells if cell):
            self.found.append(Block(text))


def _children(element: HtmlElement) -> Iterator["HtmlElement | str"]:
    """Text and elements in the order in which a reader meets them."""
    if element.text:
        yield element.text
    for child in element.iterchildren():
        if isinstance(child.tag, str):
            yield child
        if child.tail:
            yield child.tail
