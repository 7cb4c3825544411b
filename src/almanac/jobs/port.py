"""The jobs port: deferring, watching and cancelling work, and what a job function receives while it runs.

Adapters are `PostgresJobs` and the in-memory `FakeJobs`. A job is *run* at least once, because a worker may die at
any moment. Its *effects* in PostgreSQL happen once when they are written through `RunningJob.unit()` and guarded by
`RunningJob.once()`. Effects elsewhere (a mail, a request) need their own claim; the mail port has one.
"""

import re
from collections.abc import AsyncGenerator, Collection, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, Protocol, TypeVar

from almanac.errors import Conflict
from almanac.jobs.job_type import Arguments, JobType, WorkNames
from almanac.jobs.model import (
    FailureFilter,
    JobBacklog,
    JobDetail,
    JobFailure,
    JobFilter,
    JobView,
    QueueCounts,
    ScheduleView,
)
from almanac.kit.messages import gettext
from almanac.kit.paging import Page
from almanac.relational import Database, Unit

ServicesT = TypeVar("ServicesT")
_HOLDER = re.compile(r"job (\d+)/(\d+)")


class JobCancelled(Conflict, code="job_cancelled"):
    """A person cancelled the job. The job function lets it propagate, and the job ends as cancelled."""

    def __init__(self) -> None:
        super().__init__(gettext("This job was cancelled."))


class JobLeaseLost(Conflict, code="lease_lost"):
    """The worker sent no heartbeat for a lease, so the job was given to another; nothing more may be written."""

    def __init__(self) -> None:
        super().__init__(gettext("This job was taken over by another worker."))


class RunLedger(Protocol):
    """Records the progress and effects of a run; each adapter has its own."""

    async def progress(self, done: int | None, total: int | None, doing: str) -> None: ...

    def unit(self) -> AbstractAsyncContextManager[Unit]: ...

    async def once(self, unit: Unit, step: str) -> bool: ...


@dataclass(frozen=True, slots=True)
class InlineLedger:
    """The ledger of work that runs without a job: progress is dropped and every step runs."""

    database: Database

    async def progress(self, _done: int | None, _total: int | None, _doing: str) -> None:
        return

    def unit(self) -> AbstractAsyncContextManager[Unit]:
        return self.database.unit()

    async def once(self, _unit: Unit, _step: str) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class RunningJob(Generic[ServicesT]):
    """One attempt at a job, as its function sees it. `due_at` is set when a schedule started it."""

    id: int
    task: str
    attempt: int
    services: ServicesT
    ledger: RunLedger
    due_at: datetime | None = None

    @property
    def holder(self) -> str:
        """The name of this attempt on leases in other stores; `JobsPort.is_gone` tells whether it has ended."""
        return f"job {self.id}/{self.attempt}"

    async def progress(self, done: int | None = None, total: int | None = None, doing: str = "") -> None:
        """Report progress. Raises JobCancelled if a person cancelled the job, LeaseLost if another worker has it."""
        await self.ledger.progress(done, total, doing)

    def unit(self) -> AbstractAsyncContextManager[Unit]:
        """A transaction that commits only while this run still holds the job; otherwise it raises LeaseLost."""
        return self.ledger.unit()

    async def once(self, unit: Unit, step: str = "done") -> bool:
        """True the first time for this job and step, and never again once the unit has committed.

        An attempt after a crash meets False for the steps whose transactions were committed, and skips them.
        """
        return await self.ledger.once(unit, step)


def parse_holder(holder: str) -> tuple[int, int] | None:
    """The job id and attempt number in a holder name; None if it isn't the name of an attempt."""
    match = _HOLDER.fullmatch(holder)
    return (int(match[1]), int(match[2])) if match else None


class JobsPort(Protocol):
    """Everything that a desk, a page or a command does with jobs."""

    async def defer(
        self,
        job_type: JobType,
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

    async def retry(self, ids: Sequence[int]) -> int:
        """Queue failed or cancelled jobs again, with all their attempts; returns how many were."""

    async def retry_failed(self, *, task: str | None = None, queue: str | None = None) -> int:
        """Queue every failed job again, or those of a task or queue; returns how many were."""

    async def failures(self, which: FailureFilter | None = None, *, limit: int = 200) -> list[JobFailure]:
        """Failures that nobody has dismissed, newest first; the same work on the same object is listed once.

        A failure ends when its job is retried, and when the same work on the same object succeeds.
        """

    async def failed_between(self, since: datetime, until: datetime, *, limit: int = 200) -> list[JobFailure]:
        """What failed for good between two moments, also if it was repaired or dismissed since; the same work on the
        same object is listed once. Whose fault it was is known only of what is a failure still; otherwise work on an
        object counts as failed by its input.
        """

    async def dismiss(self, unit: Unit, ids: Sequence[int], *, by: str, why: str) -> int:
        """Dismiss the failures of these jobs and older ones of the same work on the same object; returns how many.

        One that fails again comes back.
        """

    async def restore(self, unit: Unit, ids: Sequence[int]) -> int:
        """Take back the dismissal of these failures; returns how many were dismissed."""

    async def cancel(self, job_id: int) -> JobView:
        """A queued job is cancelled at once; a running one at its next report of progress."""

    async def abort(self, job_id: int) -> JobView:
        """Like cancel, but a running job is interrupted wherever it is."""

    async def counts(self) -> list[QueueCounts]:
        """The number of jobs in each status, by queue."""

    async def backlog(self) -> JobBacklog:
        """What waits, and whether anybody is there to take it."""

    async def jobs(
        self, which: JobFilter | None = None, *, cursor: str | None = None, limit: int = 50
    ) -> Page[JobView]:
        """Jobs, newest first. A cursor that doesn't belong to this list is an InputError."""

    async def job(self, job_id: int) -> JobDetail:
        """One job with its runs, or NotFound."""

    async def is_gone(self, holder: str) -> bool:
        """Whether the attempt with this name (`RunningJob.holder`) has ended or lost its job.

        False if the holder isn't an attempt at a job, because nothing is known about it.
        """

    async def schedules(self) -> list[ScheduleView]:
        """Every schedule, by name."""

    async def pause_schedule(self, name: str) -> None:
        """Stop starting jobs of this schedule. Runs missed while paused aren't caught up."""

    async def resume_schedule(self, name: str) -> None:
        """Follow the schedule again from now on."""

    async def run_schedule(self, name: str) -> int:
        """Start an extra run of the schedule now; returns the job's id."""

    @property
    def names(self) -> WorkNames:
        """The job types, queues and schedules of this version."""

    def title_of(self, task: str) -> str:
        """The title of a job type, or its name if it has no title."""

    def has_job_named(self, words: str) -> bool:
        """Whether the name or title of a job type contains the words, ignoring case."""

    def watch(self, job_id: int | None = None, *, first: Collection[int] = ()) -> AsyncGenerator[JobView, None]:
        """Jobs as they change. For one job: its current state first, ending when its status is final.

        For all jobs: those in `first` in their current state, read after listening has started so that no end is
        missed, and read again whenever changes may have been missed; then each change of any job. Close it when done,
        for example with `contextlib.aclosing`: an open watch keeps its place in the feed.
        """

    def watch_any(self) -> AsyncGenerator[None, None]:
        """Yields when listening has started, and again whenever any job changed or changes may have been missed."""
