"""HTML read as it stands: every block with words in it, apart from scripts, menus and forms."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from almanac.documents.model import TextBlock, Unreadable
from almanac.documents.plain_text import join_lines
from almanac.kit.lazy import lazy_module
from almanac.kit.messages import gettext

if TYPE_CHECKING:
    import lxml.html as lxml_html
    from lxml import etree
    from lxml.html import HtmlElement
else:
    etree, lxml_html = lazy_module("lxml.etree"), lazy_module("lxml.html")
    HtmlElement = Any

HtmlTree: TypeAlias = HtmlElement

_SKIPPED = frozenset(
    "script style noscript template svg math nav footer aside form button select iframe object head".split()
)
_BLOCKS = frozenset(
    "address article blockquote body dd div dl dt fieldset figcaption figure h1 h2 h3 h4 h5 h6 header hr li main ol p "
    "pre section table tbody td tfoot th thead tr ul".split()
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}


def parse_html(text: str) -> HtmlElement | None:
    """The tree of an HTML text, or None where it is empty. Entities are plain, nothing is loaded."""
    try:
        parser = lxml_html.HTMLParser(no_network=True, remove_comments=True, remove_pis=True, encoding="utf-8")
        return lxml_html.document_fromstring(text.encode("utf-8", "replace"), parser=parser)
    except etree.XMLSyntaxError as error:
        if error.code == etree.ErrorTypes.ERR_DOCUMENT_EMPTY:
            return None
        raise Unreadable(
            gettext("This page is too large or too deeply nested to be read; save its text and add that.")
        ) from error
    except etree.ParserError:
        return None


def serialize_html(tree: HtmlElement) -> str:
    """A tree as text again."""
    return str(lxml_html.tostring(tree, encoding="unicode"))


def html_blocks(text: str) -> list[TextBlock]:
    """The blocks of an HTML text or a fragment of one."""
    tree = parse_html(text)
    return [] if tree is None else tree_blocks(tree)


def tree_blocks(tree: HtmlElement) -> list[TextBlock]:
    """The blocks below an element, in reading order."""
    collector = _Collector()
    collector.walk(tree)
    return collector.found


class _Collector:
    """Gathers the words between the edges of blocks."""

    def __init__(self) -> None:
        self.found: list[TextBlock] = []
        self._words: list[str] = []

    def walk(self, tree: HtmlElement) -> None:
        """Without calling itself, as pages may be nested more deeply than calls may."""
        opened = [_Opened(_children(tree), 0, is_block=True)]
        while opened:
            children, level, is_block = opened[-1]
            child = next(children, None)
            if child is None:
                opened.pop()
                if is_block:
                    self._close(level)
            elif isinstance(child, str):
                self._words.append(child)
            elif child.tag == "tr":
                self._close(level)
                self._row(child)
            elif child.tag == "br":
                self._words.append("\n")
            elif child.tag not in _SKIPPED:
                opened.append(self._open(child, level))

    def _open(self, element: HtmlElement, level: int) -> "_Opened":
        is_block = element.tag in _BLOCKS
        if is_block:
            self._close(level)
        return _Opened(_children(element), _HEADINGS.get(element.tag, level), is_block=is_block)

    def _close(self, level: int) -> None:
        """End the block that is being gathered, if it has words."""
        if text := join_lines("".join(self._words)):
            self.found.append(TextBlock(text, level))
        self._words.clear()

    def _row(self, row: HtmlElement) -> None:
        """A row as one line; the words of a cell by the same rules as those of a page."""
        cells = (" ".join(block.text for block in tree_blocks(cell)) for cell in row.iterchildren("td", "th"))
        if text := " | ".join(cell for cell in cells if cell):
            self.found.append(TextBlock(text))


class _Opened(NamedTuple):
    """An element that is being read: what is left of it, the level of its heading, whether its edges end a block."""

    children: Iterator["HtmlElement | str"]
    level: int
    is_block: bool


def _children(element: HtmlElement) -> Iterator["HtmlElement | str"]:
    """Text and elements in the order in which a reader meets them."""
    if element.text:
        yield element.text
    for child in element.iterchildren():
        if isinstance(child.tag, str):
            yield child
        if child.tail:
            yield child.tail
