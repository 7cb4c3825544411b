"""Links from RSS, Atom and JSON feeds, with conditional requests. The address may be a page that names its feed."""

import asyncio
from dataclasses import dataclass
from urllib.parse import urljoin

from almanac.articles import PageReader, PageRequest, ParsedFeed
from almanac.desks.news.model.links import FoundLink
from almanac.desks.news.model.tasks import LinkSource
from almanac.desks.news.sources.base import DomainRateLimiter, SourceResult
from almanac.documents.charset import decode_text
from almanac.documents.model import Unreadable
from almanac.documents.web_page import find_feed_links
from almanac.errors import InputError
from almanac.fetch import Conditions, Fetched, Fetcher
from almanac.kit.messages import gettext

ACCEPT = "application/atom+xml,application/rss+xml,application/feed+json,application/xml;q=0.8,*/*;q=0.5"
_NO_FEED = gettext("There is no RSS, Atom or JSON feed at this address; look for the feed's own address on the site.")


@dataclass(frozen=True, slots=True)
class FeedFinder:
    """Fetches feeds within the rate limit. They are parsed in a reader process, as a hostile one may take minutes."""

    fetcher: Fetcher
    limiter: DomainRateLimiter
    reader: PageReader

    async def find(self, source: LinkSource, words: str) -> SourceResult:  # noqa: ARG002 - a feed is not searched
        conditions = Conditions(etag=source.etag, last_modified=source.last_modified)
        fetched = await self._get(source.address, conditions)
        if fetched.not_modified:
            return SourceResult(unchanged=True, conditions=fetched.conditions)
        conditions, feed = fetched.conditions, await self._parse(fetched)
        if feed is None:
            fetched = await self._get(await asyncio.to_thread(_find_feed_url, fetched), None)
            # The validators of the feed must not be sent to the page that names it: that page might answer "not
            # modified" for ever.
            conditions, feed = Conditions(), await self._parse(fetched)
        if feed is None:
            raise InputError(_NO_FEED)
        links = [FoundLink(url=entry.url, title=entry.title, published=entry.published) for entry in feed.entries]
        return SourceResult(links=links, title=feed.title, conditions=conditions)

    async def _get(self, url: str, conditions: Conditions | None) -> Fetched:
        async with self.limiter.slot(url):
            return await self.fetcher.get(url, accept=ACCEPT, conditions=conditions)

    async def _parse(self, fetched: Fetched) -> ParsedFeed | None:
        return await self.reader.read_feed(PageRequest(url=fetched.url, content=fetched.body, charset=fetched.charset))


def _find_feed_url(fetched: Fetched) -> str:
    try:
        feed_links = find_feed_links(decode_text(fetched.body, fetched.charset))
    except Unreadable as error:
        raise InputError(_NO_FEED) from error
    if not feed_links:
        raise InputError(_NO_FEED)
    return urljoin(fetched.url, feed_links[0])
