"""From bytes to a reading: finds out what the file is, lets the module for its form read it, and cuts the result."""

from collections.abc import Callable
from urllib.parse import urljoin

from almanac.kit.text import shorten
from almanac.language import detect
from almanac.reading.charset import decode_text
from almanac.reading.cutting import cut
from almanac.reading.feed import read_feed
from almanac.reading.markdown import read_markdown
from almanac.reading.opml import read_opml
from almanac.reading.pdf import read_pdf
from almanac.reading.plain import read_plain
from almanac.reading.result import Block, Draft, Errand, ReadDocument, Reading, Unreadable
from almanac.reading.sniffing import Form, form_of
from almanac.reading.web_page import feeds_named_by, read_web_page
from almanac.reading.word import read_word

_SAMPLE_BLOCKS = 40
_TITLE_LIMIT, _URL_LIMIT = 300, 2000


def read(content: bytes, errand: Errand) -> Reading:
    """Everything that the errand asks for; Unreadable where there is nothing to be had."""
    form = form_of(content, name=errand.name, content_type=errand.content_type)
    if errand.wanted == "opml":
        return Reading(feeds=read_opml(content))
    if form is Form.OPML:
        raise Unreadable("This is a list of feeds; import it as OPML instead.")
    if errand.wanted == "feed" and form is not Form.FEED:
        raise Unreadable(_no_feed(content, form, errand))
    return _READERS[form](content, errand)


def _read_feed(content: bytes, errand: Errand) -> Reading:
    title, drafts, problems = read_feed(content, errand.url)
    documents = [_cut(draft) for draft in drafts]
    return Reading(documents=documents, title=shorten(_storable(title), _TITLE_LIMIT), problems=problems)


def _read_pdf(content: bytes, errand: Errand) -> Reading:
    draft, problems = read_pdf(content, max_pages=errand.max_pages)
    return _single(draft, problems)


def _read_word(content: bytes, _errand: Errand) -> Reading:
    return _single(read_word(content))


def _read_page(content: bytes, errand: Errand) -> Reading:
    return _single(read_web_page(decode_text(content, errand.charset), errand.url))


def _read_markdown(content: bytes, errand: Errand) -> Reading:
    return _single(read_markdown(decode_text(content, errand.charset)))


def _read_plain(content: bytes, errand: Errand) -> Reading:
    return _single(read_plain(decode_text(content, errand.charset)))


_READERS: dict[Form, Callable[[bytes, Errand], Reading]] = {
    Form.PDF: _read_pdf,
    Form.DOCX: _read_word,
    Form.HTML: _read_page,
    Form.MARKDOWN: _read_markdown,
    Form.TEXT: _read_plain,
    Form.FEED: _read_feed,
}


def _single(draft: Draft, problems: list[str] | None = None) -> Reading:
    document = _cut(draft)
    if not document.pieces:
        raise Unreadable("There are no words in this; add something that holds text.")
    return Reading(documents=[document], title=document.title, problems=problems or [])


def _cut(draft: Draft) -> ReadDocument:
    blocks = [Block(text, block.level, block.page) for block in draft.blocks if (text := _storable(block.text))]
    language = detect("\n\n".join(block.text for block in blocks[:_SAMPLE_BLOCKS]))
    return ReadDocument(
        pieces=cut(blocks, language),
        title=shorten(_storable(draft.title), _TITLE_LIMIT),
        url=_web_address(draft.url),
        key=_storable(draft.key),
        published=draft.published,
        language=language,
    )


def _storable(text: str) -> str:
    """Without what no database keeps: halves of characters and the character of code zero."""
    return text.encode("utf-8", "ignore").decode("utf-8").replace("\x00", "").strip()


def _web_address(url: str | None) -> str | None:
    """An address that a reader can safely follow, or none: feeds may name anything, scripts too."""
    plain = _storable(url or "")
    return plain if plain.lower().startswith(("http://", "https://")) and len(plain) <= _URL_LIMIT else None


def _no_feed(content: bytes, form: Form, errand: Errand) -> str:
    named = feeds_named_by(decode_text(content, errand.charset)) if form is Form.HTML else []
    if named and (address := _web_address(_from_page(errand.url, named[0]))):
        return f"This address is a page and no feed; its feed is at {address}, add that."
    return "There is no RSS, Atom or JSON feed at this address; look for the feed's own address on the site."


def _from_page(page: str | None, link: str) -> str | None:
    """The whole address of a link on a page; None where it makes no sense."""
    try:
        return urljoin(page or "", link)
    except ValueError:
        return None
