"""From the bytes of a feed to its entries: the address, the title and the day of each.

Pure, and slow for a hostile file; so feeds are read where pages are.
"""

import calendar
from collections.abc import Sequence
from datetime import UTC, date, datetime
from html import unescape
from time import struct_time
from typing import Any
from urllib.parse import urljoin

import msgspec

from almanac.articles.page import PageRequest
from almanac.documents.dates import find_date, publication_date
from almanac.documents.feed import JsonFeedItem, feed_title, parse_json_feed, parse_xml_feed
from almanac.kit.text import one_line, storable

MOST_ENTRIES = 2000
TITLE_LIMIT = 500


class FeedEntry(msgspec.Struct, frozen=True, kw_only=True):
    """What a feed says of one page; `published` is the day as the feed writes it."""

    url: str
    title: str = ""
    published: date | None = None


class ParsedFeed(msgspec.Struct, frozen=True, kw_only=True):
    """A feed as it was read."""

    title: str
    entries: Sequence[FeedEntry]


def parse_feed(request: PageRequest) -> ParsedFeed | None:
    """The feed that a file is; None for what is no feed."""
    url, content, charset = request.url, request.content, request.charset
    if (feed := parse_json_feed(content, charset)) is not None:
        return _feed(feed.title or "", [_json_entry(item, url) for item in feed.entries(MOST_ENTRIES)])
    parsed = parse_xml_feed(content, url, charset)
    if parsed is None:
        return None
    entries = [_entry(entry, url, parsed.version) for entry in parsed.entries[:MOST_ENTRIES]]
    return _feed(feed_title(parsed.feed, parsed.version), entries)


def _feed(title: str, entries: Sequence[FeedEntry | None]) -> ParsedFeed:
    return ParsedFeed(title=one_line(storable(title)), entries=[entry for entry in entries if entry is not None])


def _entry(entry: Any, base: str, version: str) -> FeedEntry | None:
    link = entry.get("feedburner_origlink") or entry.get("link") or _address_as_id(entry.get("id"), version)
    return _found(link, base, feed_title(entry, version), _entry_date(entry))


def _address_as_id(given: object, version: str) -> str:
    """An entry without a link may be known by its address. An id of RSS that is one is a link already, unless the
    feed says that it leads nowhere."""
    return str(given) if given and not version.startswith("rss") else ""


def _entry_date(entry: Any) -> date | None:
    """The day as the feed writes it: that of the place where the story was told, not of Greenwich."""
    for name in ("published", "updated", "created"):
        if name in entry and (day := find_date(str(entry[name])) or _parsed_day(entry.get(f"{name}_parsed"))):
            return day
    return None


def _parsed_day(moment: struct_time | None) -> date | None:
    try:
        return publication_date(datetime.fromtimestamp(calendar.timegm(moment), UTC).date()) if moment else None
    except (ValueError, OverflowError):
        return None


def _json_entry(item: JsonFeedItem, base: str) -> FeedEntry | None:
    link = item.url or item.external_url or str(item.id or "")
    if not item.url and not item.external_url and not _is_web(link):
        return None
    return _found(link, base, unescape(item.title or ""), find_date(item.date_published or item.date_modified or ""))


def _is_web(address: str) -> bool:
    return address.lower().startswith(("http://", "https://"))


def _found(link: str, base: str, title: str, published: date | None) -> FeedEntry | None:
    try:
        address = urljoin(base, link.strip()) if link.strip() else ""
    except ValueError:
        return None
    if not _is_web(address):
        return None
    return FeedEntry(url=storable(address), title=one_line(storable(title))[:TITLE_LIMIT], published=published)
