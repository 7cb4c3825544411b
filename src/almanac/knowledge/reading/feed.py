"""RSS, Atom and JSON feeds: each entry a document, with the words that the feed itself carries."""

import calendar
import hashlib
import io
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any

import msgspec

from almanac.kit.lazy import lazy_module
from almanac.knowledge.reading.dates import date_in, plausible
from almanac.knowledge.reading.markup import blocks_of_markup
from almanac.knowledge.reading.plain import joined_lines, read_plain
from almanac.knowledge.reading.result import Block, Draft, Unreadable

feedparser = lazy_module("feedparser")

MOST_ENTRIES = 1000
_NO_FEED = "This is no RSS, Atom or JSON feed; look for the feed's own address on the site."


class _JsonItem(msgspec.Struct):
    id: str | int | float | None = None
    url: str | None = None
    title: str | None = None
    content_html: str | None = None
    content_text: str | None = None
    summary: str | None = None
    date_published: str | None = None
    date_modified: str | None = None


class _JsonFeed(msgspec.Struct):
    version: str
    title: str = ""
    items: list[_JsonItem] = msgspec.field(default_factory=list)


def read_feed(content: bytes, url: str | None = None) -> tuple[str, list[Draft], list[str]]:
    """The title of a feed, its entries that hold words, and a sentence about those that don't."""
    if content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        title, entries = _json_feed(content)
    else:
        title, entries = _xml_feed(content, url)
    kept = [entry for entry in entries if entry.blocks]
    silent = len(entries) - len(kept)
    problems = [f"{silent} of {len(entries)} entries hold no words and were passed over."] if silent else []
    return title, list({entry.key: entry for entry in reversed(kept)}.values())[::-1], problems


def _xml_feed(content: bytes, url: str | None) -> tuple[str, list[Draft]]:
    found = feedparser.parse(io.BytesIO(content), response_headers={"content-location": url} if url else {})
    if not found.get("version"):
        raise Unreadable(_NO_FEED)
    return joined_lines(found.feed.get("title", "")), [_entry(entry) for entry in found.entries[:MOST_ENTRIES]]


def _entry(entry: Any) -> Draft:
    title = " ".join(block.text for block in blocks_of_markup(entry.get("title", "")))
    contents = [part.get("value", "") for part in entry.get("content", ())] + [entry.get("summary", "")]
    blocks = blocks_of_markup(max(contents, key=len))
    link = entry.get("link") or None
    return Draft(
        blocks=blocks or _title_alone(title),
        title=title,
        url=link,
        key=entry.get("id") or link or _digest(title, blocks),
        published=_entry_date(entry),
    )


def _entry_date(entry: Any) -> date | None:
    for name in ("published_parsed", "updated_parsed", "created_parsed"):
        if moment := entry.get(name):
            return plausible(datetime.fromtimestamp(calendar.timegm(moment), UTC).date())
    return None


def _json_feed(content: bytes) -> tuple[str, list[Draft]]:
    try:
        found = msgspec.json.decode(content.lstrip(b"\xef\xbb\xbf"), type=_JsonFeed)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise Unreadable(_NO_FEED) from error
    return joined_lines(found.title), list(_json_entries(found.items[:MOST_ENTRIES]))


def _json_entries(items: list[_JsonItem]) -> Iterator[Draft]:
    for item in items:
        title = joined_lines(item.title or "")
        marked, plain = item.content_html or "", item.content_text or item.summary or ""
        blocks = blocks_of_markup(marked) if marked else list(read_plain(plain).blocks)
        yield Draft(
            blocks=blocks or _title_alone(title),
            title=title,
            url=item.url,
            key=str(item.id or item.url or _digest(title, blocks)),
            published=date_in(item.date_published or item.date_modified or ""),
        )


def _title_alone(title: str) -> list[Block]:
    """Many feeds carry nothing but headlines, and a headline is a sentence too."""
    return [Block(title)] if title else []


def _digest(title: str, blocks: list[Block]) -> str:
    return hashlib.sha256("\n".join([title, *(block.text for block in blocks)]).encode()).hexdigest()
