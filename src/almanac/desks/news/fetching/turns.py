"""Turns: before anything is asked of a domain outside of a leased link, a moment for it is reserved and waited for."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta

from almanac.desks.news.model.urls import domain_of
from almanac.desks.news.store import links, sites
from almanac.errors import TooMany
from almanac.fetch import HostRateLimited
from almanac.kit.clock import Clock
from almanac.relational import Database

LONGEST_WAIT = timedelta(seconds=60)


@dataclass(frozen=True, slots=True)
class Turns:
    """Reserves turns in the database, so that all workers together keep to a domain's pace."""

    database: Database
    clock: Clock
    delay_ms: int

    @asynccontextmanager
    async def turn_at(self, url: str) -> AsyncIterator[None]:
        """Begin when the domain may be asked; where it asks for patience, nobody asks it before that is over."""
        await self._wait_for(url)
        try:
            yield
        except HostRateLimited as asked:
            async with self.database.unit() as unit:
                until = self.clock.now() + timedelta(seconds=asked.retry_after)
                await sites.rest_domain(unit, domain_of(url), until)
            raise

    async def _wait_for(self, url: str) -> None:
        """Return when it is the domain's turn; TooMany where that is too far away to wait here."""
        domain = domain_of(url)
        async with self.database.unit() as unit:
            now = self.clock.now()
            await links.ensure_domains(unit, [domain], now)
            known = await sites.find_domain(unit, domain)
            if known is not None and known.next_request_at - now > LONGEST_WAIT:
                seconds = int((known.next_request_at - now).total_seconds())
                raise TooMany(f"{domain} is left alone for {seconds} seconds more.", seconds)
            turn = await sites.take_turn(unit, domain, delay_ms=self.delay_ms, now=now)
        await asyncio.sleep(max(0.0, (turn - now).total_seconds()))
