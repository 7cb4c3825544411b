"""What passes between the reader's process and ours: blocks of a document, the pieces cut from them, and refusals."""

from collections.abc import Sequence
from datetime import date

import msgspec

from almanac.errors import InputError


class Unreadable(InputError, code="unreadable"):
    """Nothing can be read from this; the sentence says why and what to do."""


class TextBlock(msgspec.Struct, frozen=True):
    """A paragraph, a row or an item; a heading where `level` is 1 to 6. Pages count from 1."""

    text: str
    level: int = 0
    page: int | None = None


class TextChunk(msgspec.Struct, frozen=True):
    """A passage of whole sentences under its headings."""

    text: str
    heading: Sequence[str] = ()
    page: int | None = None
    language: str = ""


class ParsedDocument(msgspec.Struct, frozen=True, kw_only=True):
    """One document as it was found: its blocks and what it says about itself. `key` tells entries of a feed apart."""

    blocks: Sequence[TextBlock]
    title: str = ""
    url: str | None = None
    key: str = ""
    published: date | None = None


class ChunkedDocument(msgspec.Struct, frozen=True, kw_only=True):
    """One document, cut into pieces."""

    pieces: Sequence[TextChunk]
    title: str = ""
    url: str | None = None
    key: str = ""
    published: date | None = None
    language: str = ""


class ReadResult(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that was read. `title` is the feed's or the document's; `problems` say what could not be read."""

    documents: Sequence[ChunkedDocument] = ()
    title: str = ""
    problems: Sequence[str] = ()
    feeds: Sequence["ListedFeed"] = ()


class ListedFeed(msgspec.Struct, frozen=True):
    """A feed that an OPML list names."""

    url: str
    title: str = ""


class ReadRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What the reader is asked to do with the bytes that follow."""

    name: str = ""
    content_type: str = ""
    charset: str | None = None
    url: str | None = None
    wanted: str = "any"
    max_pages: int = 2000
    max_memory_mb: int = 2000
    max_seconds: int = 60


class ReadResponse(msgspec.Struct, frozen=True, kw_only=True):
    """How it went: a reading, or the sentence of a refusal."""

    reading: ReadResult | None = None
    refused: str | None = None
