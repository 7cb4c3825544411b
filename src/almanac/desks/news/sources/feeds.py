"""Links from RSS, Atom and JSON feeds, asked only for what changed; a page that names its feed leads to it."""

import asyncio
from dataclasses import dataclass
from urllib.parse import urljoin

from almanac.articles import PageReader, PageRequest, ParsedFeed
from almanac.desks.news.fetching.turns import Turns
from almanac.desks.news.model.links import FoundLink
from almanac.desks.news.model.tasks import Source
from almanac.desks.news.sources.port import Findings
from almanac.documents.charset import decode_text
from almanac.documents.model import Unreadable
from almanac.documents.web_page import find_feed_links
from almanac.errors import InputError
from almanac.fetch import Conditions, Fetched, Fetcher

ACCEPT = "application/atom+xml,application/rss+xml,application/feed+json,application/xml;q=0.8,*/*;q=0.5"
_NO_FEED = "There is no RSS, Atom or JSON feed at this address; look for the feed's own address on the site."


@dataclass(frozen=True, slots=True)
class FeedFinder:
    """Asks feeds, each in its site's turn. They are read where pages are, since a hostile one may take minutes."""

    fetcher: Fetcher
    turns: Turns
    reader: PageReader

    async def find(self, source: Source, words: str) -> Findings:  # noqa: ARG002 - a feed is not searched
        known = Conditions(etag=source.etag, last_modified=source.last_modified)
        fetched = await self._get(source.address, known)
        if fetched.not_modified:
            return Findings(unchanged=True, conditions=fetched.conditions)
        conditions, feed = fetched.conditions, await self._read(fetched)
        if feed is None:
            fetched = await self._get(await asyncio.to_thread(_feed_named_by, fetched), None)
            # What a feed says about its changes is no question for the page that names it: the page could answer for
            # ever that nothing changed.
            conditions, feed = Conditions(), await self._read(fetched)
        if feed is None:
            raise InputError(_NO_FEED)
        links = [FoundLink(url=one.url, title=one.title, published=one.published) for one in feed.entries]
        return Findings(links=links, title=feed.title, conditions=conditions)

    async def _get(self, url: str, known: Conditions | None) -> Fetched:
        async with self.turns.turn_at(url):
            return await self.fetcher.get(url, accept=ACCEPT, conditions=known)

    async def _read(self, fetched: Fetched) -> ParsedFeed | None:
        return await self.reader.read_feed(PageRequest(url=fetched.url, content=fetched.body, charset=fetched.charset))


def _feed_named_by(fetched: Fetched) -> str:
    try:
        named = find_feed_links(decode_text(fetched.body, fetched.charset))
    except Unreadable as error:
        raise InputError(_NO_FEED) from error
    if not named:
        raise InputError(_NO_FEED)
    return urljoin(fetched.url, named[0])
