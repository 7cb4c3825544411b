"""What a file is: by its first bytes before its name, because names lie more often."""

import io
import re
import zipfile
from enum import StrEnum

from almanac.documents.model import Unreadable
from almanac.kit.messages import gettext

MOST_UNPACKED = 300_000_000
MOST_PARTS = 10_000
_TOO_MUCH = gettext("This file is far too large when unpacked, so it is not opened.")
_IMAGE = gettext("This is an image without text; add a PDF, DOCX, HTML, Markdown or text file instead.")
_PACKED = gettext("This is a packed archive; unpack it and add a PDF, DOCX, HTML, Markdown or text file instead.")
_PROGRAM = gettext("This is a program; add a PDF, DOCX, HTML, Markdown or text file instead.")


class FileType(StrEnum):
    """The forms that can be read."""

    PDF = "pdf"
    DOCX = "docx"
    HTML = "html"
    MARKDOWN = "markdown"
    TEXT = "text"
    FEED = "feed"
    OPML = "opml"


_REFUSED_MAGIC = (
    (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        gettext("This is an old or locked Office file; save it as DOCX without a password."),
    ),
    (b"{\\rtf", gettext("This is an RTF file; save it as DOCX or PDF and add that.")),
    (b"\x89PNG", _IMAGE),
    (b"\xff\xd8\xff", _IMAGE),
    (b"GIF8", _IMAGE),
    (b"\x1f\x8b", _PACKED),
    (b"7z\xbc\xaf", _PACKED),
    (b"\x7fELF", _PROGRAM),
    (b"MZ\x90\x00", _PROGRAM),
)
_REFUSED_PARTS = (
    ("xl/", gettext("This is a spreadsheet; save it as PDF and add that.")),
    ("ppt/", gettext("This is a presentation; save it as PDF and add that.")),
    ("META-INF/container.xml", gettext("This is an e-book; save it as PDF and add that.")),
    ("content.xml", gettext("This is an OpenDocument file; save it as PDF and add that.")),
)
_BY_TYPE = {
    "text/html": FileType.HTML,
    "application/xhtml+xml": FileType.HTML,
    "text/markdown": FileType.MARKDOWN,
    "text/x-markdown": FileType.MARKDOWN,
    "application/rss+xml": FileType.FEED,
    "application/atom+xml": FileType.FEED,
    "application/feed+json": FileType.FEED,
    "text/x-opml": FileType.OPML,
    "application/pdf": FileType.PDF,
}
_BY_ENDING = {
    "html": FileType.HTML,
    "htm": FileType.HTML,
    "xhtml": FileType.HTML,
    "md": FileType.MARKDOWN,
    "markdown": FileType.MARKDOWN,
    "mdown": FileType.MARKDOWN,
    "txt": FileType.TEXT,
    "text": FileType.TEXT,
    "rss": FileType.FEED,
    "atom": FileType.FEED,
    "opml": FileType.OPML,
}
# Two letters alone are also how a text about the party PKR begins.
_ZIP = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_ENTRY_OF_ZIP = b"PK\x01\x02"
_HTML = re.compile(rb"<(?:!doctype\s+html|html|head|body)[\s>]", re.IGNORECASE)
_FEED = re.compile(rb"<(?:\w+:)?(?:rss|feed|RDF)[\s>]")
_JSON_FEED = re.compile(rb'^\s*\{.{0,2000}"version"\s*:\s*"https?:\\?/\\?/jsonfeed\.org', re.DOTALL)
_OPML = re.compile(rb"<opml[\s>]", re.IGNORECASE)
_PDF = re.compile(rb"%PDF-\d")


def detect_file_type(content: bytes, *, name: str = "", content_type: str = "") -> FileType:
    """The form of a file, or Unreadable with what to do about it."""
    if not content.strip(b"\x00 \t\r\n\xef\xbb\xbf\xff\xfe"):
        raise Unreadable(gettext("This file is empty; add one with text."))
    head = content[:4096]
    if _PDF.search(head[:1024]):
        return FileType.PDF
    for magic, sentence in _REFUSED_MAGIC:
        if content.startswith(magic):
            raise Unreadable(sentence)
    if content.startswith(_ZIP):
        return _zipped(content)
    return _marked_up(head) or _told(name, content_type) or FileType.TEXT


def _marked_up(head: bytes) -> FileType | None:
    """By the first elements of a marked-up file, whatever it is called; in UTF-16 each letter has a zero beside it."""
    start = head.replace(b"\x00", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
    if _JSON_FEED.match(start):
        return FileType.FEED
    if not start.startswith(b"<"):
        return None
    for pattern, form in ((_OPML, FileType.OPML), (_FEED, FileType.FEED), (_HTML, FileType.HTML)):
        if pattern.search(start):
            return form
    return None


def _told(name: str, content_type: str) -> FileType | None:
    ending = name.rpartition(".")[2].lower() if "." in name else ""
    form = _BY_TYPE.get(content_type) or _BY_ENDING.get(ending)
    if form is FileType.PDF or ending == "pdf":
        raise Unreadable(gettext("This file is named PDF but isn't one; check the file."))
    if ending in {"docx", "docm"}:
        raise Unreadable(
            gettext("This file is named DOCX but isn't one; open it in a word processor and save it again.")
        )
    return form


def _zipped(content: bytes) -> FileType:
    # Listing a million parts takes seconds and a gigabyte, so they are counted before they are listed.
    if content.count(_ENTRY_OF_ZIP) > MOST_PARTS:
        raise Unreadable(_TOO_MUCH)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, RuntimeError) as error:
        raise Unreadable(gettext("This file is damaged; save or download it again.")) from error
    if sum(part.file_size for part in parts) > MOST_UNPACKED:
        raise Unreadable(_TOO_MUCH)
    names = {part.filename for part in parts}
    if "word/document.xml" in names or any(re.fullmatch(r"word/document\d*\.xml", name) for name in names):
        return FileType.DOCX
    for inside, sentence in _REFUSED_PARTS:
        if any(name.startswith(inside) for name in names):
            raise Unreadable(sentence)
    raise Unreadable(_PACKED)
