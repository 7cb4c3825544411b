"""From bytes to a reading: finds out what the file is, lets the module for its form read it, and cuts the result."""

from collections.abc import Callable
from urllib.parse import urljoin

from almanac.documents.charset import decode_text
from almanac.documents.chunker import chunk_blocks
from almanac.documents.feed import read_feed, read_opml
from almanac.documents.file_type import FileType, detect_file_type
from almanac.documents.markdown import read_markdown
from almanac.documents.model import ChunkedDocument, ParsedDocument, ReadRequest, ReadResult, TextBlock, Unreadable
from almanac.documents.pdf import read_pdf
from almanac.documents.plain_text import read_plain_text
from almanac.documents.web_page import find_feed_links, read_web_page
from almanac.documents.word import read_word
from almanac.kit.messages import gettext
from almanac.kit.text import shorten, storable
from almanac.language.detection import detect_language

_SAMPLE_BLOCKS = 40
_TITLE_LIMIT, _URL_LIMIT = 300, 2000


def read_document(content: bytes, request: ReadRequest) -> ReadResult:
    """Everything that the request asks for; Unreadable where there is nothing to be had."""
    form = detect_file_type(content, name=request.name, content_type=request.content_type)
    if request.wanted == "opml":
        return ReadResult(feeds=read_opml(content))
    if form is FileType.OPML:
        raise Unreadable(gettext("This is a list of feeds; import it as OPML instead."))
    if request.wanted == "feed" and form is not FileType.FEED:
        raise Unreadable(_no_feed(content, form, request))
    return _READERS[form](content, request)


def _read_feed(content: bytes, request: ReadRequest) -> ReadResult:
    title, drafts, problems = read_feed(content, request.url)
    documents = [_cut(draft) for draft in drafts]
    return ReadResult(documents=documents, title=shorten(storable(title), _TITLE_LIMIT), problems=problems)


def _read_pdf(content: bytes, request: ReadRequest) -> ReadResult:
    draft, problems = read_pdf(content, max_pages=request.max_pages)
    return _single(draft, problems)


def _read_word(content: bytes, _request: ReadRequest) -> ReadResult:
    return _single(read_word(content))


def _read_page(content: bytes, request: ReadRequest) -> ReadResult:
    return _single(read_web_page(decode_text(content, request.charset), request.url))


def _read_markdown(content: bytes, request: ReadRequest) -> ReadResult:
    return _single(read_markdown(decode_text(content, request.charset)))


def _read_plain(content: bytes, request: ReadRequest) -> ReadResult:
    return _single(read_plain_text(decode_text(content, request.charset)))


_READERS: dict[FileType, Callable[[bytes, ReadRequest], ReadResult]] = {
    FileType.PDF: _read_pdf,
    FileType.DOCX: _read_word,
    FileType.HTML: _read_page,
    FileType.MARKDOWN: _read_markdown,
    FileType.TEXT: _read_plain,
    FileType.FEED: _read_feed,
}


def _single(draft: ParsedDocument, problems: list[str] | None = None) -> ReadResult:
    document = _cut(draft)
    if not document.pieces:
        raise Unreadable(gettext("This has no text; add something that has."))
    return ReadResult(documents=[document], title=document.title, problems=problems or [])


def _cut(draft: ParsedDocument) -> ChunkedDocument:
    blocks = [
        TextBlock(text, block.level, block.page) for block in draft.blocks if (text := storable(block.text).strip())
    ]
    language = detect_language("\n\n".join(block.text for block in blocks[:_SAMPLE_BLOCKS]))
    return ChunkedDocument(
        pieces=chunk_blocks(blocks, language),
        title=shorten(storable(draft.title), _TITLE_LIMIT),
        url=_web_address(draft.url),
        key=storable(draft.key).strip(),
        published=draft.published,
        language=language,
    )


def _web_address(url: str | None) -> str | None:
    """An address that a reader can safely follow, or none: feeds may name anything, scripts too."""
    plain = storable(url or "").strip()
    return plain if plain.lower().startswith(("http://", "https://")) and len(plain) <= _URL_LIMIT else None


def _no_feed(content: bytes, form: FileType, request: ReadRequest) -> str:
    named = find_feed_links(decode_text(content, request.charset)) if form is FileType.HTML else []
    if named and (address := _web_address(_from_page(request.url, named[0]))):
        return gettext("This address is a page, not a feed; its feed is at %(address)s, add that.", address=address)
    return gettext("There is no RSS, Atom or JSON feed at this address; look for the feed's own address on the site.")


def _from_page(page: str | None, link: str) -> str | None:
    """The whole address of a link on a page; None where it makes no sense."""
    try:
        return urljoin(page or "", link)
    except ValueError:
        return None
