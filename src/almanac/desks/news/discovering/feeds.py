"""Links from RSS, Atom and JSON feeds, asked only for what changed; a page that names its feed leads to it."""

import asyncio
import calendar
from dataclasses import dataclass
from datetime import UTC, date, datetime
from html import unescape
from threading import Lock
from time import struct_time
from typing import Any
from urllib.parse import urljoin

from almanac.articles.dates import day_in_text, known_day
from almanac.desks.news.discovering.port import Findings
from almanac.desks.news.fetching.turns import Turns
from almanac.desks.news.model.links import FoundLink
from almanac.desks.news.model.tasks import Source
from almanac.errors import InputError
from almanac.fetch import Conditions, Fetched, Fetcher
from almanac.kit.text import one_line
from almanac.knowledge.reading.charset import decode_text
from almanac.knowledge.reading.feed_forms import JsonItem, json_feed_in, title_words, xml_feed_in
from almanac.knowledge.reading.result import Unreadable
from almanac.knowledge.reading.web_page import feeds_named_by

# feedparser loads at its first use, which only one thread may begin.
_PARSING = Lock()
ACCEPT = "application/atom+xml,application/rss+xml,application/feed+json,application/xml;q=0.8,*/*;q=0.5"
MOST_ENTRIES = 2000
TITLE_LIMIT = 500
_NO_FEED = "There is no RSS, Atom or JSON feed at this address; look for the feed's own address on the site."


@dataclass(frozen=True, slots=True)
class FeedFinder:
    """Asks feeds, each in its site's turn."""

    fetcher: Fetcher
    turns: Turns

    async def find(self, source: Source, words: str) -> Findings:  # noqa: ARG002 - a feed is not searched
        known = Conditions(etag=source.etag, last_modified=source.last_modified)
        fetched = await self._get(source.address, known)
        if fetched.not_modified:
            return Findings(unchanged=True, conditions=fetched.conditions)
        title, found = await asyncio.to_thread(self._read, fetched)
        if found is None:
            fetched = await self._get(await asyncio.to_thread(_feed_named_by, fetched), None)
            title, found = await asyncio.to_thread(self._read, fetched)
        if found is None:
            raise InputError(_NO_FEED)
        return Findings(links=found, title=title, conditions=fetched.conditions)

    async def _get(self, url: str, known: Conditions | None) -> Fetched:
        await self.turns.wait_for(url)
        return await self.fetcher.get(url, accept=ACCEPT, conditions=known)

    def _read(self, fetched: Fetched) -> tuple[str, list[FoundLink] | None]:
        return read_feed(fetched.body, fetched.url, fetched.charset)


def read_feed(content: bytes, url: str, charset: str | None = None) -> tuple[str, list[FoundLink] | None]:
    """The title of a feed and the links of its entries; None for what is no feed."""
    if (feed := json_feed_in(content, charset)) is not None:
        found = [_json_entry(item, url) for item in feed.entries(MOST_ENTRIES)]
        return one_line(feed.title or ""), [entry for entry in found if entry is not None]
    with _PARSING:
        parsed = xml_feed_in(content, url, charset)
    if parsed is None:
        return "", None
    found = [_entry(entry, url, parsed.version) for entry in parsed.entries[:MOST_ENTRIES]]
    return one_line(title_words(parsed.feed, parsed.version)), [entry for entry in found if entry is not None]


def _entry(entry: Any, base: str, version: str) -> FoundLink | None:
    link = entry.get("feedburner_origlink") or entry.get("link") or _address_as_id(entry.get("id"), version)
    return _found(link, base, title_words(entry, version), _entry_date(entry))


def _address_as_id(given: object, version: str) -> str:
    """An entry without a link may be known by its address. An id of RSS that is one is a link already, unless the
    feed says that it leads nowhere."""
    return str(given) if given and not version.startswith("rss") else ""


def _entry_date(entry: Any) -> date | None:
    """The day as the feed writes it: that of the place where the story was told, not of Greenwich."""
    for name in ("published", "updated", "created"):
        if name in entry and (day := day_in_text(str(entry[name])) or _parsed_day(entry.get(f"{name}_parsed"))):
            return day
    return None


def _parsed_day(moment: struct_time | None) -> date | None:
    try:
        return known_day(datetime.fromtimestamp(calendar.timegm(moment), UTC).date()) if moment else None
    except (ValueError, OverflowError):
        return None


def _json_entry(item: JsonItem, base: str) -> FoundLink | None:
    link = item.url or item.external_url or str(item.id or "")
    if not item.url and not item.external_url and not _is_web(link):
        return None
    return _found(link, base, unescape(item.title or ""), day_in_text(item.date_published or item.date_modified or ""))


def _is_web(address: str) -> bool:
    return address.lower().startswith(("http://", "https://"))


def _found(link: str, base: str, title: str, published: date | None) -> FoundLink | None:
    try:
        address = urljoin(base, link.strip()) if link.strip() else ""
    except ValueError:
        return None
    if not _is_web(address):
        return None
    return FoundLink(url=address, title=one_line(title)[:TITLE_LIMIT], published=published)


def _feed_named_by(fetched: Fetched) -> str:
    try:
        named = feeds_named_by(decode_text(fetched.body, fetched.charset))
    except Unreadable as error:
        raise InputError(_NO_FEED) from error
    if not named:
        raise InputError(_NO_FEED)
    return urljoin(fetched.url, named[0])
