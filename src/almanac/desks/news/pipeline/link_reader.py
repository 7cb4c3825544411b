"""Reads the links that are due: claims them at the pace of their sites, visits many at a time, stores the outcomes."""

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta

from almanac.desks.news.model.links import LeasedLink, LinkStatus
from almanac.desks.news.model.rules import CompiledRule
from almanac.desks.news.pipeline.context import LEASE, PipelineContext, Report, no_report
from almanac.desks.news.pipeline.maintenance import adopt_foreign_rows
from almanac.desks.news.pipeline.outcome import VisitOutcome
from almanac.desks.news.pipeline.storage import Visit, save_visits
from almanac.desks.news.pipeline.visit import visit_link
from almanac.desks.news.store import links, rules
from almanac.errors import InputError
from almanac.kit.messages import gettext
from almanac.services import Services

MAX_IDLE = timedelta(seconds=30)
_MIN_SLEEP, _CLAIM_AGAIN_AFTER = 0.1, 0.5
# Storing several visits at once costs hardly more than storing one, so a finished visit waits for others.
_COLLECT_FOR = 0.2
_REPORT_EVERY = 20
_CLAIM_WHEN_FREE = 3


@dataclass(slots=True)
class LinkReader:
    """One run over everything that is due. It ends when nothing becomes due within `max_idle`."""

    ctx: PipelineContext
    report: Report = no_report
    max_idle: timedelta = MAX_IDLE
    counts: Counter[LinkStatus] = field(default_factory=Counter)
    _running: dict[asyncio.Task[VisitOutcome], LeasedLink] = field(default_factory=dict)
    _reported: int = 0

    async def run(self) -> Counter[LinkStatus]:
        """Read links until none is due; returns how many ended with each status."""
        services = self.ctx.services
        async with self.ctx.open_unit() as unit:
            await links.release_leases_of(unit, self.ctx.holder)
        self.ctx.rules[:] = await load_rules(services)
        await adopt_foreign_rows(services)
        try:
            while await self._step():
                pass
        finally:
            await self._stop()
        return self.counts

    async def _step(self) -> bool:
        """Start visits in free slots, wait for some to finish or for a site, and store; False when all is done."""
        slots = self.ctx.services.settings.news_at_a_time
        free = slots - len(self._running)
        # Claiming several links costs hardly more than claiming one, so wait until a third of the slots is free.
        may_claim = free * _CLAIM_WHEN_FREE >= slots
        claimed = await self._claim(free) if may_claim else []
        for link in claimed:
            self._running[asyncio.create_task(visit_link(self.ctx, link))] = link
        if not self._running:
            return await self._wait_for_work()
        timeout = _CLAIM_AGAIN_AFTER if may_claim and len(claimed) < free else None
        await self._store(await self._finished_visits(timeout))
        return True

    async def _claim(self, limit: int) -> list[LeasedLink]:
        services = self.ctx.services
        now, settings = services.clock.now(), services.settings
        async with self.ctx.open_unit() as unit:
            return await links.claim_links(
                unit,
                lease=self.ctx.lease,
                until=now + LEASE,
                now=now,
                limit=limit,
                per_domain=settings.news_per_site,
                delay_ms=settings.news_delay_ms,
            )

    async def _finished_visits(self, seconds: float | None) -> list[Visit]:
        """Visits that have finished, as soon as there is one; empty after `seconds`."""
        done, others = await asyncio.wait(self._running, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        if done and others:
            more, _ = await asyncio.wait(others, timeout=_COLLECT_FOR)
            done |= more
        return [(self._running.pop(task), task.result()) for task in done]

    async def _store(self, visits: list[Visit]) -> None:
        if visits:
            self.counts.update(await save_visits(self.ctx, visits))
        if self.counts.total() - self._reported >= _REPORT_EVERY:
            self._reported = self.counts.total()
            await self.report(self._reported, None, gettext("Reading links"))

    async def _wait_for_work(self) -> bool:
        services = self.ctx.services
        now = services.clock.now()
        async with services.database.unit() as unit:
            ready = await links.next_ready_at(unit, now, now + self.max_idle)
        if ready is None or ready - now > self.max_idle:
            return False
        await self.report(self.counts.total(), None, gettext("Waiting for the next site"))
        await asyncio.sleep(max(_MIN_SLEEP, (ready - now).total_seconds()))
        return True

    async def _stop(self) -> None:
        """Cancel running visits and release their links, so that the next run needn't wait for the lease to expire."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        async with self.ctx.services.database.unit() as unit:
            await links.release_lease(unit, self.ctx.lease)


async def load_rules(services: Services) -> list[CompiledRule]:
    """The active rules. A rule whose query no longer parses is skipped; the rules page shows it as broken."""
    async with services.database.unit() as unit:
        stored = await rules.list_rules(unit)
    compiled: list[CompiledRule] = []
    for rule in stored:
        try:
            if rule.is_active:
                compiled.append(CompiledRule(rule, services.search.parse(rule.query)))
        except InputError:
            continue
    return compiled
