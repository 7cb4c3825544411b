"""Works off the links that are due: leases them at the pace of their sites, visits many at a time, settles them."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta

from almanac.desks.news.model.links import LeasedLink, LinkStatus
from almanac.desks.news.model.rules import ReadyRule
from almanac.desks.news.pipeline.adopting import adopt_foreign_rows
from almanac.desks.news.pipeline.newsroom import LEASE, Newsroom
from almanac.desks.news.pipeline.outcomes import Outcome
from almanac.desks.news.pipeline.settling import Visited, settle
from almanac.desks.news.pipeline.visiting import visit
from almanac.desks.news.store import links, tasks
from almanac.errors import InputError
from almanac.services import Services

Report = Callable[[int | None, int | None, str], Awaitable[None]]
PATIENCE = timedelta(seconds=30)
_SOONEST, _LOOK_AGAIN = 0.1, 0.5
# Storing several visits at once costs hardly more than storing one, so one that has ended waits for others.
_GATHER = 0.2
_REPORT_EVERY = 20
_FREE_SHARE = 3


async def no_report(_done: int | None, _total: int | None, _doing: str) -> None:
    """For callers whom nobody watches."""


@dataclass(slots=True)
class LinkReader:
    """One run over everything that is due. It ends when nothing is due within `patience`."""

    room: Newsroom
    report: Report = no_report
    patience: timedelta = PATIENCE
    counts: Counter[LinkStatus] = field(default_factory=Counter)
    _under_way: dict[asyncio.Task[Outcome], LeasedLink] = field(default_factory=dict)
    _reported: int = 0

    async def run(self) -> Counter[LinkStatus]:
        """Read links until none is due; returns how many ended where."""
        services = self.room.services
        async with self.room.open_unit() as unit:
            await links.free_leases_of(unit, self.room.holder)
        self.room.rules[:] = await ready_rules(services)
        await adopt_foreign_rows(services)
        try:
            while await self._turn():
                pass
        finally:
            await self._give_up()
        return self.counts

    async def _turn(self) -> bool:
        """Fill free places, wait for visits to end or a site to become ready, and settle; False at the end of all."""
        places = self.room.services.settings.news_at_a_time
        free = places - len(self._under_way)
        # Leasing several at once costs hardly more than leasing one.
        looked = free * _FREE_SHARE >= places
        claimed = await self._claim(free) if looked else []
        for link in claimed:
            self._under_way[asyncio.create_task(visit(self.room, link))] = link
        if not self._under_way:
            return await self._wait_for_work()
        await self._settle(await self._ended(_LOOK_AGAIN if looked and len(claimed) < free else None))
        return True

    async def _claim(self, limit: int) -> list[LeasedLink]:
        services = self.room.services
        now, settings = services.clock.now(), services.settings
        async with self.room.open_unit() as unit:
            return await links.claim_links(
                unit,
                lease=self.room.lease,
                until=now + LEASE,
                now=now,
                limit=limit,
                per_domain=settings.news_per_site,
                delay_ms=settings.news_delay_ms,
            )

    async def _ended(self, seconds: float | None) -> list[Visited]:
        """Visits that have ended, once there is one; none where that takes longer than `seconds`."""
        done, others = await asyncio.wait(self._under_way, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        if done and others:
            further, _ = await asyncio.wait(others, timeout=_GATHER)
            done |= further
        return [(self._under_way.pop(task), task.result()) for task in done]

    async def _settle(self, visits: list[Visited]) -> None:
        if visits:
            self.counts.update(await settle(self.room, visits))
        if self.counts.total() - self._reported >= _REPORT_EVERY:
            self._reported = self.counts.total()
            await self.report(self._reported, None, "Reading links")

    async def _wait_for_work(self) -> bool:
        services = self.room.services
        now = services.clock.now()
        async with services.database.unit() as unit:
            ready = await links.next_ready(unit, now, now + self.patience)
        if ready is None or ready - now > self.patience:
            return False
        await self.report(self.counts.total(), None, "Waiting for the next site's turn")
        await asyncio.sleep(max(_SOONEST, (ready - now).total_seconds()))
        return True

    async def _give_up(self) -> None:
        """Stop what is under way and give its links back, so that whoever comes next need not wait for the lease."""
        for task in self._under_way:
            task.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)
        async with self.room.services.database.unit() as unit:
            await links.free_lease(unit, self.room.lease)


async def ready_rules(services: Services) -> list[ReadyRule]:
    """The rules in force; one whose query can no longer be read is passed over, and shown as such where rules are."""
    async with services.database.unit() as unit:
        stored = await tasks.list_rules(unit)
    ready: list[ReadyRule] = []
    for rule in stored:
        try:
            if rule.is_active:
                ready.append(ReadyRule(rule, services.search.parse(rule.query)))
        except InputError:
            continue
    return ready
