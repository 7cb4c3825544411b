"""Feeds: RSS, Atom and JSON Feed parsed in any charset, their entries as documents, and OPML lists of feeds."""

import hashlib
import io
import re
from collections.abc import Iterator, Sequence
from datetime import date
from time import struct_time
from typing import Any, NamedTuple
from xml.parsers import expat

import msgspec

from almanac.documents.charset import decode_text
from almanac.documents.dates import find_ymd_date, plausible_date
from almanac.documents.html import html_blocks
from almanac.documents.model import ListedFeed, ParsedDocument, TextBlock, Unreadable
from almanac.documents.plain_text import join_lines, read_plain_text
from almanac.kit.lazy import lazy_module
from almanac.kit.messages import gettext

feedparser = lazy_module("feedparser")

MOST_ENTRIES = 1000
_NO_FEED = gettext("This isn't an RSS, Atom or JSON feed; look for the feed's own address on the site.")
MOST_FEEDS = 2000
_MARK_AND_SPACE = "\ufeff \t\r\n"
_DECLARATION = re.compile(r"\s*<\?xml[^>]*\?>")
_ELEMENT = re.compile(r"</?[a-z][a-z0-9]*(?:\s[^<>]*)?/?>", re.IGNORECASE)


class JsonFeedItem(msgspec.Struct):
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

    def entries(self, most: int) -> Iterator[JsonFeedItem]:
        """The first entries; of each that can be read, all that it says."""
        for item in self.items[:most]:
            try:
                yield msgspec.json.decode(item, type=JsonFeedItem)
            except msgspec.MsgspecError:
                continue


def parse_json_feed(content: bytes, charset: str | None = None) -> JsonFeed | None:
    """The JSON Feed that a file is; None for another file."""
    try:
        return msgspec.json.decode(decode_text(content, charset).strip(_MARK_AND_SPACE), type=JsonFeed)
    except (msgspec.MsgspecError, UnicodeError, Unreadable):
        return None


def parse_xml_feed(content: bytes, url: str | None, charset: str | None = None) -> Any | None:
    """The RSS or Atom feed that a file is, as feedparser gives it; None for another file.

    The file's own word on its charset is left out, because it is wrong more often than a look at the bytes.
    """
    try:
        text = _DECLARATION.sub("", decode_text(content, charset).lstrip(_MARK_AND_SPACE), count=1)
        content = text.encode("utf-8", "replace")
    except Unreadable:
        return None
    parsed = feedparser.parse(io.BytesIO(content), response_headers={"content-location": url} if url else {})
    return parsed if parsed.get("version") else None


def feed_title(entry: Any, version: str = "") -> str:
    """The title of a feed or of an entry as words. Titles of RSS don't say whether they are HTML, so elements tell."""
    title = str(entry.get("title") or "")
    is_html = entry.get("title_detail", {}).get("type", "text/plain") != "text/plain"
    if is_html or (version.startswith("rss") and _ELEMENT.search(title)):
        title = " ".join(block.text for block in html_blocks(title))
    return join_lines(title)


class _Found(NamedTuple):
    """A feed: its title, the first of its entries that can be read, and how many it lists."""

    title: str
    entries: Sequence[ParsedDocument]
    listed: int


def read_feed(content: bytes, url: str | None = None) -> tuple[str, list[ParsedDocument], list[str]]:
    """The title of a feed, its entries that hold words, and a sentence about each sort of those that are left out."""
    feed = _json_feed(content) or _xml_feed(content, url)
    kept = [entry for entry in feed.entries if entry.blocks]
    by_key = {entry.key: entry for entry in reversed(kept)}
    others = sum(entry.blocks != by_key[entry.key].blocks for entry in kept)
    problems = _left_out(
        feed.listed, len(feed.entries) - len(kept), min(feed.listed, MOST_ENTRIES) - len(feed.entries), others
    )
    return feed.title, list(by_key.values())[::-1], problems


def _left_out(listed: int, empty: int, unreadable: int, repeated: int) -> list[str]:
    """A sentence about each reason for which entries were skipped."""
    total, after = f"{listed:,}", max(0, listed - MOST_ENTRIES)
    sentences = (
        (
            empty,
            gettext("%(part)s of %(total)s entries have no text and were skipped.", part=f"{empty:,}", total=total),
        ),
        (
            unreadable,
            gettext(
                "%(part)s of %(total)s entries can't be read and were skipped.", part=f"{unreadable:,}", total=total
            ),
        ),
        (
            repeated,
            gettext(
                "%(part)s of %(total)s entries have the id of another entry and were skipped.",
                part=f"{repeated:,}",
                total=total,
            ),
        ),
        (
            after,
            gettext(
                "%(part)s of %(total)s entries come after the first %(limit)s and were skipped.",
                part=f"{after:,}",
                total=total,
                limit=f"{MOST_ENTRIES:,}",
            ),
        ),
    )
    return [str(sentence) for count, sentence in sentences if count]


def _xml_feed(content: bytes, url: str | None) -> _Found:
    parsed = parse_xml_feed(content, url)
    if parsed is None:
        raise Unreadable(_NO_FEED)
    entries = [_entry(entry, parsed.version) for entry in parsed.entries[:MOST_ENTRIES]]
    return _Found(feed_title(parsed.feed, parsed.version), entries, len(parsed.entries))


def _entry(entry: Any, version: str) -> ParsedDocument:
    title = feed_title(entry, version)
    contents = [part.get("value", "") for part in entry.get("content", ())] + [entry.get("summary", "")]
    blocks = html_blocks(max(contents, key=len))
    link = entry.get("link") or None
    return ParsedDocument(
        blocks=blocks or _title_alone(title),
        title=title,
        url=link,
        key=entry.get("id") or link or _digest(title, blocks),
        published=_entry_date(entry),
    )


def _entry_date(entry: Any) -> date | None:
    """The first of its dates that can be true; programs that know none write a day of the year nought."""
    days = (_day(entry.get(name)) for name in ("published_parsed", "updated_parsed", "created_parsed"))
    return next((day for day in days if day), None)


def _day(moment: struct_time | None) -> date | None:
    try:
        return plausible_date(date(moment.tm_year, moment.tm_mon, moment.tm_mday)) if moment else None
    except ValueError:
        return None


def _json_feed(content: bytes) -> _Found | None:
    parsed = parse_json_feed(content)
    if parsed is None:
        return None
    entries = list(_json_entries(parsed.entries(MOST_ENTRIES)))
    return _Found(join_lines(parsed.title or ""), entries, len(parsed.items))


def _json_entries(items: Iterator[JsonFeedItem]) -> Iterator[ParsedDocument]:
    for item in items:
        title = join_lines(item.title or "")
        marked, plain = item.content_html or "", item.content_text or item.summary or ""
        blocks = html_blocks(marked) if marked else list(read_plain_text(plain).blocks)
        yield ParsedDocument(
            blocks=blocks or _title_alone(title),
            title=title,
            url=item.url,
            key=str(item.id or item.url or _digest(title, blocks)),
            published=find_ymd_date(item.date_published or item.date_modified or ""),
        )


def _title_alone(title: str) -> list[TextBlock]:
    """Many feeds carry nothing but headlines, and a headline is a sentence too."""
    return [TextBlock(title)] if title else []


def _digest(title: str, blocks: list[TextBlock]) -> str:
    return hashlib.sha256("\n".join([title, *(block.text for block in blocks)]).encode()).hexdigest()


def read_opml(content: bytes) -> list[ListedFeed]:
    """Every feed of the list once, in its order. Entities of its own making are refused: they serve only attacks."""
    feeds: dict[str, ListedFeed] = {}
    names: list[str] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        names.append(name.lower())
        values = {key.lower(): value.strip() for key, value in attributes.items()}
        if name.lower() == "outline" and (url := values.get("xmlurl")):
            feeds.setdefault(url, ListedFeed(url, values.get("title") or values.get("text") or ""))

    def refuse(*_: object) -> None:
        raise Unreadable(gettext("This OPML file defines its own entities, so it is not read; export the list again."))

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(content.lstrip(b" \t\r\n"), True)
    except (expat.ExpatError, ValueError, LookupError) as error:
        raise Unreadable(gettext("This isn't OPML; export the list of feeds from your reader again.")) from error
    if names[:1] != ["opml"]:
        raise Unreadable(gettext("This isn't OPML; export the list of feeds from your reader again."))
    if not feeds:
        raise Unreadable(gettext("This OPML file has no feeds."))
    if len(feeds) > MOST_FEEDS:
        raise Unreadable(
            gettext(
                "This OPML names %(count)s feeds; at most %(limit)s are added at once. Split it.",
                count=f"{len(feeds):,}",
                limit=f"{MOST_FEEDS:,}",
            )
        )
    return list(feeds.values())
