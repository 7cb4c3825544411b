"""The port for sources of links, and the rate limiter that its adapters share. Adapters are in the modules beside."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Protocol

from almanac.desks.news.model.canonical_urls import url_domain
from almanac.desks.news.model.links import FoundLink
from almanac.desks.news.model.tasks import LinkSource
from almanac.desks.news.store import links, sites
from almanac.errors import TooMany
from almanac.fetch import Conditions, HostRateLimited
from almanac.kit.clock import Clock
from almanac.kit.messages import gettext
from almanac.relational import Database

MAX_WAIT = timedelta(seconds=60)


@dataclass(frozen=True, slots=True)
class SourceResult:
    """What a source named. `unchanged` means nothing new since the last request."""

    links: list[FoundLink] = field(default_factory=list)
    title: str = ""
    conditions: Conditions = field(default_factory=Conditions)
    unchanged: bool = False


class LinkFinder(Protocol):
    """Asks one kind of source. Raises an AlmanacError with a sentence where it fails."""

    async def find(self, source: LinkSource, words: str) -> SourceResult: ...


@dataclass(frozen=True, slots=True)
class DomainRateLimiter:
    """Reserves request slots in the database, so that all workers together keep a domain's pace.

    Leased links don't need it: claiming them reserves their slot.
    """

    database: Database
    clock: Clock
    delay_ms: int

    @asynccontextmanager
    async def slot(self, url: str) -> AsyncIterator[None]:
        """Enter when the domain may be asked. If the host rate-limits us, pause the domain for everybody."""
        await self._wait_for_slot(url)
        try:
            yield
        except HostRateLimited as limit:
            async with self.database.unit() as unit:
                until = self.clock.now() + timedelta(seconds=limit.retry_after)
                await sites.pause_domain(unit, url_domain(url), until)
            raise

    async def _wait_for_slot(self, url: str) -> None:
        """Sleep until the reserved slot; TooMany where it is more than `MAX_WAIT` away."""
        domain = url_domain(url)
        async with self.database.unit() as unit:
            now = self.clock.now()
            await links.ensure_domains(unit, [domain], now)
            stored = await sites.find_domain(unit, domain)
            if stored is not None and stored.next_request_at - now > MAX_WAIT:
                seconds = int((stored.next_request_at - now).total_seconds())
                raise TooMany(
                    gettext("%(domain)s is paused for %(seconds)s more seconds.", domain=domain, seconds=seconds),
                    seconds,
                )
            slot = await sites.reserve_request_slot(unit, domain, delay_ms=self.delay_ms, now=now)
        await asyncio.sleep(max(0.0, (slot - now).total_seconds()))
