"""Loads and removes the demo content of all desks: one job per step, each queueing the next."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from almanac.accounts.model import CONSOLE, Principal
from almanac.accounts.service import get_user
from almanac.demo.model import (
    CountText,
    DemoContent,
    DemoPart,
    DemoRecord,
    DemoReport,
    DemoRun,
    DemoStep,
    read_record,
    write_record,
)
from almanac.errors import Conflict
from almanac.jobs import JobFilter, JobStatus, JobType, JobView, RunningJob
from almanac.kit.messages import gettext
from almanac.services import Services


@dataclass(frozen=True, slots=True)
class Demo:
    """The demo content of all desks, by desk name. Desks that are switched off are left alone."""

    parts: Mapping[str, DemoPart]

    @property
    def task(self) -> JobType:
        return JobType("demo.load", self._load, queue="demo", lock="demo", title=gettext("Load demo content"))

    async def offer(self, services: Services, owner_id: str) -> bool:
        """Queue the loading on the first start; false if the setting forbids it or content was loaded before."""
        if not services.settings.demo or any(
            [await read_record(services.objects, desk) for desk in self._enabled(services)]
        ):
            return False
        await self.queue(services, owner_id)
        return True

    async def queue(self, services: Services, owner_id: str) -> int:
        """Queue the loading for a person, unless it is already running; returns the job's id."""
        if (running := await self._find_running(services)) is not None:
            return running.id
        args = {"owner_id": owner_id, "step": 0}
        return await services.jobs.defer(self.task, args, queueing_lock="demo.load:0")

    async def report(self, services: Services, *, changed: bool = False) -> DemoReport:
        """Count the content of each kind."""
        counts: dict[str, int] = {}
        texts: dict[str, CountText] = {}
        for desk, part in self._enabled(services).items():
            loaded = await read_record(services.objects, desk)
            texts |= part.kinds
            for kind in part.kinds:
                counts[kind] = counts.get(kind, 0) + (loaded.count(kind) if loaded else 0)
        return DemoReport(counts=counts, texts=texts, changed=changed)

    async def is_complete(self, services: Services) -> bool:
        """Whether every desk has loaded all of its content."""
        records = [await read_record(services.objects, desk) for desk in self._enabled(services)]
        return all(loaded is not None and loaded.complete for loaded in records)

    async def remove(self, services: Services) -> DemoReport:
        """Remove what was loaded, and nothing else; raises Conflict while it is being loaded."""
        if await self._find_running(services) is not None:
            raise Conflict(gettext("The demo content is being loaded; wait until it is done, or cancel its job."))
        report = await self.report(services, changed=True)
        for desk, part in self._enabled(services).items():
            loaded = await read_record(services.objects, desk)
            if loaded is not None and not loaded.removed:
                owner = await _owner(services, loaded.owner_id)
                content = DemoContent(services=services, desk=desk, owner=owner, loaded=loaded)
                await part.remove(content)
                await content.clear()
        return report

    async def is_loading(self, services: Services) -> bool:
        """Whether the content is being loaded."""
        return await self._find_running(services) is not None

    async def _find_running(self, services: Services) -> JobView | None:
        """The loading job that is running or queued; None if there is none."""
        for status in (JobStatus.RUNNING, JobStatus.QUEUED):
            if jobs := (await services.jobs.jobs(JobFilter(task=self.task.name, status=status), limit=1)).items:
                return jobs[0]
        return None

    def _enabled(self, services: Services) -> dict[str, DemoPart]:
        return {desk: part for desk, part in self.parts.items() if desk in services.settings.enabled_desks}

    def _steps(self) -> list[tuple[str, DemoStep, bool]]:
        """All steps with their desk, and whether the step is the desk's last."""
        return [(desk, step, step is part.steps[-1]) for desk, part in self.parts.items() for step in part.steps]

    async def _load(self, job: RunningJob[Services], owner_id: str, step: int) -> None:
        steps = self._steps()
        desk, load, last = steps[step]
        if desk in job.services.settings.enabled_desks:
            run = await _start_run(job, desk, owner_id)
            if not run.loaded.complete:
                await load(run)
                if last:
                    await run.finish()
        if step + 1 < len(steps):
            await self._queue_next(job, {"owner_id": owner_id, "step": step + 1})

    async def _queue_next(self, job: RunningJob[Services], args: dict[str, Any]) -> None:
        """Queue the next step after everything this step queued, so that it starts after all of that."""
        async with job.unit() as unit:
            if await job.once(unit, "next"):
                await job.services.jobs.defer(self.task, args, unit=unit)


async def _start_run(job: RunningJob[Services], desk: str, owner_id: str) -> DemoRun:
    """The run with its record; content that was removed starts over with today's dates."""
    services = job.services
    async with job.unit():
        loaded = await read_record(services.objects, desk)
        if loaded is None or loaded.removed:
            loaded = DemoRecord(owner_id=owner_id, day=services.clock.now().date())
            await write_record(services.objects, desk, loaded)
    owner = await _owner(services, loaded.owner_id)
    return DemoRun(services=services, desk=desk, owner=owner, loaded=loaded, ledger=job.ledger)


async def _owner(services: Services, user_id: str) -> Principal:
    user = await get_user(services.accounts, CONSOLE, user_id)
    return user.as_principal("automation", desks=services.accounts.desks)
