"""Links from RSS, Atom and JSON feeds, asked only for what changed; a page that names its feed leads to it."""

import asyncio
import calendar
import io
from dataclasses import dataclass
from datetime import UTC, date, datetime
from threading import Lock
from typing import Any
from urllib.parse import urljoin

import msgspec

from almanac.desks.news.discovering.port import Findings
from almanac.desks.news.fetching.turns import Turns
from almanac.desks.news.model.links import FoundLink
from almanac.desks.news.model.tasks import Source
from almanac.errors import InputError
from almanac.fetch import Conditions, Fetched, Fetcher
from almanac.kit.lazy import lazy_module
from almanac.kit.text import one_line
from almanac.knowledge.reading.charset import decode_text
from almanac.knowledge.reading.dates import date_in, plausible
from almanac.knowledge.reading.result import Unreadable
from almanac.knowledge.reading.web_page import feeds_named_by

feedparser = lazy_module("feedparser")

# feedparser loads at its first use, which only one thread may begin.
_PARSING = Lock()
ACCEPT = "application/atom+xml,application/rss+xml,application/feed+json,application/xml;q=0.8,*/*;q=0.5"
MOST_ENTRIES = 2000
TITLE_LIMIT = 500
_NO_FEED = "There is no RSS, Atom or JSON feed at this address; look for the feed's own address on the site."


class _JsonItem(msgspec.Struct):
    url: str | None = None
    external_url: str | None = None
    title: str | None = None
    date_published: str | None = None


class _JsonFeed(msgspec.Struct):
    version: str
    title: str = ""
    items: list[_JsonItem] = msgspec.field(default_factory=list)


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
        return read_feed(fetched.body, fetched.url)


def read_feed(content: bytes, url: str) -> tuple[str, list[FoundLink] | None]:
    """The title of a feed and the links of its entries; None for what is no feed."""
    if content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return _json_feed(content, url)
    with _PARSING:
        found = feedparser.parse(io.BytesIO(content), response_headers={"content-location": url})
    if not found.get("version"):
        return "", None
    entries = [_entry(entry, url) for entry in found.entries[:MOST_ENTRIES]]
    return one_line(str(found.feed.get("title", ""))), [entry for entry in entries if entry is not None]


def _entry(entry: Any, base: str) -> FoundLink | None:
    link = entry.get("feedburner_origlink") or entry.get("link") or ""
    return _found(link, base, entry.get("title", ""), _entry_date(entry))


def _entry_date(entry: Any) -> date | None:
    for name in ("published_parsed", "updated_parsed", "created_parsed"):
        if moment := entry.get(name):
            try:
                return plausible(datetime.fromtimestamp(calendar.timegm(moment), UTC).date())
            except (ValueError, OverflowError):
                return None
    return None


def _json_feed(content: bytes, url: str) -> tuple[str, list[FoundLink] | None]:
    try:
        feed = msgspec.json.decode(content.lstrip(b"\xef\xbb\xbf"), type=_JsonFeed)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return "", None
    found = (
        _found(item.url or item.external_url or "", url, item.title or "", date_in(item.date_published or ""))
        for item in feed.items[:MOST_ENTRIES]
    )
    return one_line(feed.title), [entry for entry in found if entry is not None]


def _found(link: str, base: str, title: str, published: date | None) -> FoundLink | None:
    try:
        address = urljoin(base, link.strip()) if link.strip() else ""
    except ValueError:
        return None
    if not address.lower().startswith(("http://", "https://")):
        return None
    return FoundLink(url=address, title=one_line(str(title))[:TITLE_LIMIT], published=published)


def _feed_named_by(fetched: Fetched) -> str:
    try:
        named = feeds_named_by(decode_text(fetched.body, fetched.charset))
    except Unreadable as error:
        raise InputError(_NO_FEED) from error
    if not named:
        raise InputError(_NO_FEED)
    return urljoin(fetched.url, named[0])
