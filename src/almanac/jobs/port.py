"""The jobs port: deferring work, watching it and stepping in. Adapters are `PostgresJobs` and the in-memory `FakeJobs`.

What "once" means: a job is *run* at least once, because a worker may die at any moment; its *effects* in PostgreSQL
happen once, when they are written through `RunningJob.unit()` and guarded by `RunningJob.once()`. Effects elsewhere
(a mail, a request) need their own claim; the mail port has one.
"""

from collections.abc import AsyncGenerator, Collection, Sequence
from datetime import datetime
from typing import Protocol

from almanac.jobs.job_type import Arguments, JobType
from almanac.jobs.views import JobDetail, JobFilter, JobView, QueueCounts, ScheduleView
from almanac.kit.paging import Page
from almanac.relational import Unit


class JobsPort(Protocol):
    """Everything that a desk, a page or a command does with jobs."""

    async def defer(
        self,
        task: JobType,
        args: Arguments | None = None,
        *,
        unit: Unit | None = None,
        lock: str | None = None,
        queueing_lock: str | None = None,
        schedule_at: datetime | None = None,
        priority: int = 0,
    ) -> int:
        """Queue a job and return its id. With `unit` it exists only if that transaction commits.

        Jobs with the same `lock` never run at the same time and keep their order. While a job with the same
        `queueing_lock` waits, no second one is queued and the id of the waiting one is returned.
        """
        ...

    async def retry(self, ids: Sequence[int]) -> int:
        """Queue failed or cancelled jobs again, with all their attempts; returns how many were."""
        ...

    async def retry_failed(self, *, task: str | None = None, queue: str | None = None) -> int:
        """Queue every failed job again, or those of a task or queue; returns how many were."""
        ...

    async def cancel(self, job_id: int) -> JobView:
        """A queued job is cancelled at once; a running one at its next report of progress."""
        ...

    async def abort(self, job_id: int) -> JobView:
        """Like cancel, but a running job is interrupted wherever it is."""
        ...

    async def counts(self) -> list[QueueCounts]:
        """How many jobs stand where, by queue."""
        ...

    async def jobs(
        self, which: JobFilter | None = None, *, cursor: str | None = None, limit: int = 50
    ) -> Page[JobView]:
        """Jobs, newest first. A cursor that doesn't belong to this list is an InputError."""
        ...

    async def job(self, job_id: int) -> JobDetail:
        """One job with its runs, or NotFound."""
        ...

    async def is_gone(self, holder: str) -> bool:
        """Whether the attempt that calls itself so (`RunningJob.holder`) has ended, or lost its job with its worker.

        False for whoever is no attempt at a job: nothing is known about them.
        """
        ...

    async def schedules(self) -> list[ScheduleView]:
        """Every schedule, by name."""
        ...

    async def pause_schedule(self, name: str) -> None:
        """Start no more jobs by this schedule. What is missed while paused is not caught up."""
        ...

    async def resume_schedule(self, name: str) -> None:
        """Keep the schedule again, from now on."""
        ...

    async def run_schedule(self, name: str) -> int:
        """Start the scheduled task now, besides its schedule; returns the job's id."""
        ...

    def title_of(self, task: str) -> str:
        """What people call a task."""
        ...

    def is_task_named(self, words: str) -> bool:
        """Whether the words occur in the name or title of any task known here."""
        ...

    def watch(self, job_id: int | None = None, *, first: Collection[int] = ()) -> AsyncGenerator[JobView, None]:
        """Jobs as they change. For one job: its present state first, and the end when it is final.

        For all jobs: those in `first` as they stand, read once changes are listened to, so that a job which ends
        meanwhile is told; they are told again whenever changes may have been missed. Then each change of any job.
        Close it when done, as `contextlib.aclosing` does: watching holds a place in the feed.
        """
        ...
