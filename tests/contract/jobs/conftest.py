"""The two adapters of the jobs port, behind one bench on which the contract is tried."""

from contextlib import aclosing
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import pytest

from almanac.jobs import JobRegistry, JobsPort, JobType, JobView
from almanac.jobs.fake import FakeJobs
from almanac.jobs.job_type import JobFunction
from almanac.jobs.postgres import PostgresJobs
from almanac.jobs.scheduler import start_due_runs
from almanac.jobs.worker import Worker, WorkerSettings
from almanac.kit.clock import FixedClock
from almanac.relational import Database


@dataclass
class Bench:
    """One adapter with what is needed to make it work."""

    kind: str
    clock: FixedClock
    database: Database
    registry: JobRegistry = field(default_factory=JobRegistry)
    names: Any = field(default_factory=lambda: count(1))

    def __post_init__(self) -> None:
        self.fake = FakeJobs(self.registry, self.clock, "services", self.database)
        self.real = PostgresJobs(self.database, self.registry, self.clock, cursor_key=b"a key of the contract suite")
        self.jobs: JobsPort = self.fake if self.kind == "fake" else self.real

    def task(self, run: JobFunction, **options: Any) -> JobType:
        """Declare a task; its name is made up unless given."""
        task = JobType(options.pop("name", f"test.task_{next(self.names)}"), run, **options)
        self.registry.add(task)
        return task

    async def drain(self) -> None:
        """Run everything that is ready."""
        if self.kind == "fake":
            await self.fake.drain()
        else:
            await Worker(self.real, "services", WorkerSettings(poll_seconds=0.05)).drain()

    async def start_due_runs(self) -> list[int]:
        return await (self.fake.start_due_runs() if self.kind == "fake" else start_due_runs(self.real))

    async def view(self, job_id: int) -> JobView:
        return (await self.jobs.job(job_id)).job

    async def until_running(self, job_id: int) -> JobView:
        async with aclosing(self.jobs.watch(job_id)) as changes:
            async for view in changes:
                if view.status == "running":
                    return view
        raise AssertionError("The job ended before it was seen running.")


@pytest.fixture(params=["postgres", "fake"])
async def bench(request: pytest.FixtureRequest, database: Database, clock: FixedClock) -> Bench:
    return Bench(request.param, clock, database)
