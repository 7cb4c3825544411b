"""Web pages: the article without its surroundings, by trafilatura; where that finds nothing, the page as it stands."""

from collections.abc import Iterator
from datetime import date
from typing import Any

from almanac.documents.dates import find_ymd_date
from almanac.documents.html import parse_html, tree_blocks
from almanac.documents.model import ParsedDocument, TextBlock
from almanac.documents.plain_text import join_lines
from almanac.kit.lazy import lazy_module

trafilatura = lazy_module("trafilatura")

_FEWEST_CHARACTERS = 200
_FEED_TYPES = ("application/rss+xml", "application/atom+xml", "application/feed+json")


def read_web_page(text: str, url: str | None = None) -> ParsedDocument:
    """The article of a page with its title and date."""
    tree = parse_html(text)
    if tree is None:
        return ParsedDocument(blocks=[])
    everything = tree_blocks(tree)
    extracted = trafilatura.bare_extraction(
        text,
        url=url,
        with_metadata=True,
        include_comments=False,
        include_tables=True,
        date_extraction_params={"extensive_search": False, "original_date": True},
    )
    if extracted is None or extracted.body is None:
        return ParsedDocument(blocks=everything, title=_title(tree), published=_stated_date(tree), url=url)
    article = list(_blocks(extracted.body))
    short = sum(len(block.text) for block in article) < _FEWEST_CHARACTERS
    # A short page is better read whole than by half: with few words to go by, the choice is often wrong.
    blocks = everything if short and len(everything) > len(article) else article
    return ParsedDocument(
        blocks=blocks,
        title=join_lines(extracted.title or _title(tree)),
        published=find_ymd_date(extracted.date or ""),
        url=url,
    )


def find_feed_links(text: str) -> list[str]:
    """The feeds that a page names in its head."""
    tree = parse_html(text)
    if tree is None:
        return []
    return [str(link.get("href")) for link in tree.iter("link") if link.get("type") in _FEED_TYPES and link.get("href")]


def _blocks(body: Any) -> Iterator[TextBlock]:
    """trafilatura's own elements as blocks, and the words that stand between them."""
    yield from _loose(body.text)
    for element in body:
        if element.tag == "head":
            level = str(element.get("rend", "h2"))[-1]
            yield from _block(element, int(level) if level in "123456" else 2)
        elif element.tag == "list":
            for item in element.iter("item"):
                yield from _loose("".join(_words(item, apart="list")))
        elif element.tag == "table":
            for row in element.iter("row"):
                cells = (join_lines(" ".join(cell.itertext())) for cell in row.iter("cell"))
                if text := " | ".join(cell for cell in cells if cell):
                    yield TextBlock(text)
        elif element.tag in ("div", "quote") and any(child.tag in ("p", "list", "head") for child in element):
            yield from _blocks(element)
        else:
            yield from _block(element)
        yield from _loose(element.tail)


def _block(element: Any, level: int = 0) -> Iterator[TextBlock]:
    if text := join_lines("".join(_words(element))):
        yield TextBlock(text, level)


def _loose(text: str | None) -> Iterator[TextBlock]:
    if text and (words := join_lines(text)):
        yield TextBlock(words)


def _words(element: Any, apart: str = "") -> Iterator[str]:
    """The words of an element without those of the elements inside it that are read apart."""
    yield element.text or ""
    for child in element:
        if child.tag in ("lb", apart):
            yield "\n"
        else:
            yield from _words(child, apart)
        yield child.tail or ""


def _title(tree: Any) -> str:
    title = tree.find(".//title")
    return join_lines(title.text_content()) if title is not None else ""


def _stated_date(tree: Any) -> date | None:
    """A date that the page states in so many words: in its metadata or in the first marked time."""
    for meta in tree.iter("meta"):
        if str(meta.get("property") or meta.get("name") or "").lower() in ("article:published_time", "date", "dc.date"):
            return find_ymd_date(meta.get("content") or "")
    marked = tree.find(".//time[@datetime]")
    return find_ymd_date(marked.get("datetime")) if marked is not None else None
