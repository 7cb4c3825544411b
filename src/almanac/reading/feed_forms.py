"""A feed as its file holds it: XML or JSON in whatever charset, and the words of titles. What entries mean is for
callers."""

import io
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from almanac.kit.lazy import lazy_module
from almanac.reading.charset import decode_text
from almanac.reading.markup import blocks_of_markup
from almanac.reading.plain import joined_lines
from almanac.reading.result import Unreadable

feedparser = lazy_module("feedparser")

_MARK_AND_SPACE = "\ufeff \t\r\n"
_DECLARATION = re.compile(r"\s*<\?xml[^>]*\?>")
_ELEMENT = re.compile(r"</?[a-z][a-z0-9]*(?:\s[^<>]*)?/?>", re.IGNORECASE)


class JsonItem(msgspec.Struct):
    """An entry of a JSON Feed. The standard wants an id that is text; many programs write a number."""

    id: str | int | float | None = None
    url: str | None = None
    external_url: str | None = None
    title: str | None = None
    content_html: str | None = None
    content_text: str | None = None
    summary: str | None = None
    date_published: str | None = None
    date_modified: str | None = None


class JsonFeed(msgspec.Struct):
    """A JSON Feed; entries are read one by one, so that one that is wrong costs only itself."""

    version: str
    title: str | None = None
    items: list[msgspec.Raw] = msgspec.field(default_factory=list)

    def entries(self, most: int) -> Iterator[JsonItem]:
        """The first entries; of each that can be read, all that it says."""
        for item in self.items[:most]:
            try:
                yield msgspec.json.decode(item, type=JsonItem)
            except msgspec.MsgspecError:
                continue


def json_feed_in(content: bytes, charset: str | None = None) -> JsonFeed | None:
    """The JSON Feed that a file is; None for another file."""
    try:
        return msgspec.json.decode(decode_text(content, charset).strip(_MARK_AND_SPACE), type=JsonFeed)
    except (msgspec.MsgspecError, UnicodeError, Unreadable):
        return None


def xml_feed_in(content: bytes, url: str | None, charset: str | None = None) -> Any | None:
    """The RSS or Atom feed that a file is, as feedparser gives it; None for another file.

    The file's own word on its charset is left out, because it is wrong more often than a look at the bytes.
    """
    try:
        text = _DECLARATION.sub("", decode_text(content, charset).lstrip(_MARK_AND_SPACE), count=1)
        content = text.encode("utf-8", "replace")
    except Unreadable:
        return None
    found = feedparser.parse(io.BytesIO(content), response_headers={"content-location": url} if url else {})
    return found if found.get("version") else None


def title_words(entry: Any, version: str = "") -> str:
    """The title of a feed or of an entry as words. Titles of RSS don't say whether they are HTML, so elements tell."""
    title = str(entry.get("title") or "")
    is_html = entry.get("title_detail", {}).get("type", "text/plain") != "text/plain"
    if is_html or (version.startswith("rss") and _ELEMENT.search(title)):
        title = " ".join(block.text for block in blocks_of_markup(title))
    return joined_lines(title)
