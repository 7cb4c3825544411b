"""A site's rules for programs: fetched once a day, kept with the domain, followed for every page."""

import asyncio
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from almanac.desks.news.model.robots import MOST_CHARACTERS, Robots, read_robots
from almanac.desks.news.model.urls import domain_of
from almanac.desks.news.store import sites
from almanac.errors import AlmanacError, Retryable
from almanac.fetch import Fetcher
from almanac.kit.clock import Clock
from almanac.relational import Database

KEPT_FOR = timedelta(hours=24)
_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class RobotRules:
    """Knows what sites let us do; remembers it as long as a run lasts, and a day in the database."""

    database: Database
    fetcher: Fetcher
    clock: Clock
    agent: str
    _known: dict[str, tuple[Robots, datetime]] = field(default_factory=dict)
    _asking: defaultdict[str, asyncio.Lock] = field(default_factory=lambda: defaultdict(asyncio.Lock))

    async def rules_for(self, url: str) -> Robots:
        """The rules of a page's site; Retryable where its host fails to give them, as RFC 9309 asks."""
        domain = domain_of(url)
        async with self._asking[domain]:
            known = self._known.get(domain) or await self._kept(domain)
            if known is None or known[1] <= self.clock.now():
                known = await self._fetched(url, domain)
            self._known[domain] = known
        return known[0]

    async def _kept(self, domain: str) -> tuple[Robots, datetime] | None:
        async with self.database.unit() as unit:
            found = await sites.find_domain(unit, domain)
        if found is None or found.robots is None or found.robots_until is None:
            return None
        return read_robots(found.robots, self.agent), found.robots_until

    async def _fetched(self, url: str, domain: str) -> tuple[Robots, datetime]:
        text = await self._text(url)
        robots = read_robots(text, self.agent)
        delay_ms = int(robots.delay * 1000) if robots.delay is not None else None
        now = self.clock.now()
        async with self.database.unit() as unit:
            await sites.keep_robots(unit, domain, text, until=now + KEPT_FOR, delay_ms=delay_ms, now=now)
        return robots, now + KEPT_FOR

    async def _text(self, url: str) -> str:
        parts = urlsplit(url)
        try:
            answer = await self.fetcher.get(
                f"{parts.scheme}://{parts.netloc}/robots.txt",
                accept="text/plain",
                max_bytes=MOST_CHARACTERS,
                seconds=_SECONDS,
            )
        except Retryable:
            raise
        except AlmanacError:
            # There are no rules, or none that could be read: everything is allowed.
            return ""
        return answer.body.decode("utf-8", "replace").replace("\x00", "")
