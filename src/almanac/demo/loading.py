"""Loads and removes the demo content of every desk: one job for each step, the next queued when one has ended."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from almanac.accounts.model import CONSOLE, Principal
from almanac.accounts.service import get_user
from almanac.demo.model import DemoContent, DemoPart, DemoReport, DemoRun, DemoStep
from almanac.demo.record import Loaded, read_record, write_record
from almanac.errors import Conflict
from almanac.jobs import JobFilter, JobStatus, JobType, JobView, RunningJob
from almanac.services import Services


@dataclass(frozen=True, slots=True)
class Demo:
    """The demo content of the desks, by their names."""

    parts: Mapping[str, DemoPart]

    @property
    def task(self) -> JobType:
        return JobType("demo.load", self._load, queue="demo", lock="demo", title="Load demo content")

    async def offer(self, services: Services, owner_id: str) -> bool:
        """On the first start: queue the loading, unless it is there, was there, or is not wanted."""
        if not services.settings.demo or any([await read_record(services.objects, desk) for desk in self.parts]):
            return False
        await self.queue(services, owner_id)
        return True

    async def queue(self, services: Services, owner_id: str) -> int:
        """Queue the loading for a person, unless one is under way; what is there already is passed over."""
        if (underway := await self._underway(services)) is not None:
            return underway.id
        args = {"owner_id": owner_id, "step": 0}
        return await services.jobs.defer(self.task, args, queueing_lock="demo.load:0")

    async def report(self, services: Services, *, changed: bool = False) -> DemoReport:
        """How much there is."""
        counts: dict[str, int] = {}
        for desk, part in self.parts.items():
            loaded = await read_record(services.objects, desk)
            for kind in part.kinds:
                counts[kind] = counts.get(kind, 0) + (loaded.count(kind) if loaded else 0)
        return DemoReport(counts=counts, changed=changed)

    async def is_complete(self, services: Services) -> bool:
        """Whether every desk has loaded all of its content."""
        records = [await read_record(services.objects, desk) for desk in self.parts]
        return all(loaded is not None and loaded.complete for loaded in records)

    async def remove(self, services: Services) -> DemoReport:
        """Take away what was loaded, and nothing else."""
        if await self._underway(services) is not None:
            raise Conflict("The demo content is just being loaded; wait until that is done, or cancel its job.")
        report = await self.report(services, changed=True)
        for desk, part in self.parts.items():
            loaded = await read_record(services.objects, desk)
            if loaded is not None and not loaded.removed:
                owner = await _owner(services, loaded.owner_id)
                content = DemoContent(services=services, desk=desk, owner=owner, loaded=loaded)
                await part.remove(content)
                await content.clear()
        return report

    async def _underway(self, services: Services) -> JobView | None:
        """The job that loads, or is about to."""
        for status in (JobStatus.RUNNING, JobStatus.QUEUED):
            if found := (await services.jobs.jobs(JobFilter(task=self.task.name, status=status), limit=1)).items:
                return found[0]
        return None

    def _steps(self) -> list[tuple[str, DemoStep, bool]]:
        """Every step with its desk, and whether it is the desk's last."""
        return [(desk, step, step is part.steps[-1]) for desk, part in self.parts.items() for step in part.steps]

    async def _load(self, job: RunningJob[Services], owner_id: str, step: int) -> None:
        steps = self._steps()
        desk, load, last = steps[step]
        run = await _begin(job, desk, owner_id)
        if not run.loaded.complete:
            await load(run)
            if last:
                await run.finish()
        if step + 1 < len(steps):
            await self._queue_next(job, {"owner_id": owner_id, "step": step + 1})

    async def _queue_next(self, job: RunningJob[Services], args: dict[str, Any]) -> None:
        """Queued after everything that this step has queued, so that it is taken up after all of that."""
        async with job.unit() as unit:
            if await job.once(unit, "next"):
                await job.services.jobs.defer(self.task, args, unit=unit)


async def _begin(job: RunningJob[Services], desk: str, owner_id: str) -> DemoRun:
    """The run with what is known already; content that was removed begins anew, with today's dates."""
    services = job.services
    async with job.unit():
        loaded = await read_record(services.objects, desk)
        if loaded is None or loaded.removed:
            loaded = Loaded(owner_id=owner_id, day=services.clock.now().date())
            await write_record(services.objects, desk, loaded)
    owner = await _owner(services, loaded.owner_id)
    return DemoRun(services=services, desk=desk, owner=owner, loaded=loaded, ledger=job.ledger)


async def _owner(services: Services, user_id: str) -> Principal:
    user = await get_user(services.accounts, CONSOLE, user_id)
    return Principal(user_id=user.id, name=user.name, email=user.email, role=user.role, via="automation")
