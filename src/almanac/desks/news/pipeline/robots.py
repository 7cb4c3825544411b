"""robots.txt of sites: fetched once a day, stored with the domain, and checked before every page.

The rules for our own user agent say what may be fetched, and how long to wait between requests.
"""

import asyncio
import re
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from math import isnan
from urllib.parse import urlsplit

from protego import Protego

from almanac.desks.news.model.canonical_urls import url_domain
from almanac.desks.news.store import sites
from almanac.errors import AlmanacError, Retryable
from almanac.fetch import Fetcher
from almanac.kit.clock import Clock
from almanac.relational import Database

CACHE_FOR = timedelta(hours=24)
_TIMEOUT = 10.0
MAX_CHARACTERS = 500_000
LONGEST_DELAY = 60.0
# Some sites name a program with its version, which the standard doesn't know: `User-agent: Almanac/2.0`.
_AGENT_VERSION = re.compile(r"^(\s*user-agent\s*:\s*[^\s/#]+)[/ \t][^\r\n]*", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """What one site allows this program. Without rules everything is allowed and there is no delay."""

    parsed: Protego
    agent: str

    @property
    def delay(self) -> float | None:
        """Seconds between requests, at most LONGEST_DELAY; None if the site asks for none."""
        seconds = self.parsed.crawl_delay(self.agent)
        return None if seconds is None or isnan(seconds) else min(max(seconds, 0.0), LONGEST_DELAY)

    def allows(self, url: str) -> bool:
        """The longest matching rule decides, and allowing wins a tie (RFC 9309)."""
        return self.parsed.can_fetch(url, self.agent)


def parse_robots(text: str, agent: str) -> RobotsRules:
    """The rules for this user agent, or those for everybody where none names it."""
    return RobotsRules(Protego.parse(_AGENT_VERSION.sub(r"\1", text[:MAX_CHARACTERS])), agent)


@dataclass(frozen=True, slots=True)
class RobotsCache:
    """robots.txt rules by domain, cached in memory for one run and in the database for a day."""

    database: Database
    fetcher: Fetcher
    clock: Clock
    agent: str
    _cached: dict[str, tuple[RobotsRules, datetime]] = field(default_factory=dict)
    _locks: defaultdict[str, asyncio.Lock] = field(default_factory=lambda: defaultdict(asyncio.Lock))

    async def rules_for(self, url: str) -> RobotsRules:
        """The rules of a page's site. Raises Retryable where the host fails to send them, as RFC 9309 asks."""
        domain = url_domain(url)
        async with self._locks[domain]:
            entry = self._cached.get(domain) or await self._load(domain)
            if entry is None or entry[1] <= self.clock.now():
                entry = await self._fetch(url, domain)
            self._cached[domain] = entry
        return entry[0]

    async def _load(self, domain: str) -> tuple[RobotsRules, datetime] | None:
        async with self.database.unit() as unit:
            stored = await sites.find_domain(unit, domain)
        if stored is None or stored.robots is None or stored.robots_until is None:
            return None
        return parse_robots(stored.robots, self.agent), stored.robots_until

    async def _fetch(self, url: str, domain: str) -> tuple[RobotsRules, datetime]:
        text = await self._fetch_text(url)
        rules = parse_robots(text, self.agent)
        delay_ms = int(rules.delay * 1000) if rules.delay is not None else None
        now = self.clock.now()
        async with self.database.unit() as unit:
            await sites.save_robots(unit, domain, text, until=now + CACHE_FOR, delay_ms=delay_ms, now=now)
        return rules, now + CACHE_FOR

    async def _fetch_text(self, url: str) -> str:
        parts = urlsplit(url)
        try:
            response = await self.fetcher.get(
                f"{parts.scheme}://{parts.netloc}/robots.txt",
                accept="text/plain",
                max_bytes=MAX_CHARACTERS,
                seconds=_TIMEOUT,
            )
        except Retryable:
            raise
        except AlmanacError:
            # No readable rules: everything is allowed.
            return ""
        return response.body.decode("utf-8", "replace").replace("\x00", "")
