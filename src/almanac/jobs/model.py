"""Job statuses, run outcomes, what lists show of jobs and schedules, and the reasons why a job ended."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from almanac.errors import AlmanacError
from almanac.jobs.cron import next_due
from almanac.jobs.job_type import CatchUp, JobObject, Schedule
from almanac.kit.messages import gettext


class JobStatus(StrEnum):
    """The status of a job. `failed` is the dead letter: it keeps its reason until a person retries it."""

    QUEUED = "queued"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def final(self) -> bool:
        return self not in (JobStatus.QUEUED, JobStatus.RUNNING)


class RunOutcome(StrEnum):
    """How one attempt ended; None in its place means that it still runs."""

    SUCCEEDED = "succeeded"
    RETRYING = "retrying"
    PAUSED = "paused"
    FAILED = "failed"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"
    LOST = "lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dismissal:
    """Who dismissed a failure, when and why."""

    at: datetime
    by: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JobView:
    """One job as a list shows it. `not_before` is set while it waits for its time; `reason` tells the last failure.

    `by_input` says that what a person gave caused the failure: a broken file, an address that doesn't answer.
    """

    id: int
    task: str
    queue: str
    status: JobStatus
    attempts: int
    created_at: datetime
    not_before: datetime | None = None
    started_at: datetime | None = None
    finished_at: datetime | None = None
    reason: str | None = None
    done: int | None = None
    total: int | None = None
    doing: str | None = None
    cancel_requested: bool = False
    schedule: str | None = None
    due_at: datetime | None = None
    object: JobObject | None = None
    by_input: bool = False
    dismissal: Dismissal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JobFailure:
    """The latest failure of the same work on the same object, and how often it failed since it last succeeded."""

    job_id: int
    task: str
    queue: str
    object: JobObject | None
    by_input: bool
    times: int
    reason: str | None
    failed_at: datetime | None
    dismissal: Dismissal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureFilter:
    """Which failures to list; what is None is not asked. `dismissed` lists those instead of the open ones."""

    task: str | None = None
    ids: tuple[int, ...] | None = None
    dismissed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RunView:
    """One attempt at a job."""

    attempt: int
    worker: str
    started_at: datetime
    finished_at: datetime | None = None
    outcome: RunOutcome | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JobDetail:
    """One job with its arguments, but for what is somebody's own, and all its attempts, newest first."""

    job: JobView
    args: dict[str, Any] = field(default_factory=dict)
    runs: list[RunView] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class JobBacklog:
    """Jobs that could run now, since when the oldest waits, and how many workers are alive."""

    waiting: int
    oldest: datetime | None
    workers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueCounts:
    """How many jobs of a queue stand where."""

    queue: str
    queued: int = 0
    running: int = 0
    succeeded: int = 0
    failed: int = 0
    cancelled: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleView:
    """A schedule with its next and last run; `next_due` is None while it is paused."""

    name: str
    task: str
    cron: str
    time_zone: str
    catch_up: CatchUp
    paused: bool
    next_due: datetime | None
    last_due: datetime | None
    last_job: JobView | None


@dataclass(frozen=True, slots=True, kw_only=True)
class JobFilter:
    """Which jobs a list shows; what is None is not asked.

    Without `housekeeping`, jobs that a schedule started are left out, except those that run or failed. Jobs of tasks
    whose names begin with one of `hidden` and a dot are left out.
    """

    status: JobStatus | None = None
    task: str | None = None
    queue: str | None = None
    schedule: str | None = None
    housekeeping: bool = True
    hidden: tuple[str, ...] = ()


CANCELLED_EARLY = gettext("Cancelled by a person before it started.")
CANCELLED = gettext("Cancelled by a person.")
ABORTED = gettext("Interrupted by a person.")
INTERRUPTED = gettext("The worker stopped; the job goes back to its queue.")
LOST = gettext("The worker stopped before the job ended; another worker continues.")
LOST_TOO_OFTEN = gettext("Every worker that ran this job stopped before it ended, so it isn't tried again.")
LOST_AND_CANCELLED = gettext("Cancelled; its worker had stopped before.")
_LIMIT = 1000


def unknown_job_type(name: str) -> str:
    return gettext("This version of Almanac has no job type named %(name)s.", name=name)


def job_not_found(job_id: int) -> str:
    return gettext("Job %(job_id)s doesn't exist; old jobs are removed.", job_id=job_id)


def cannot_cancel(job_id: int, status: JobStatus) -> str:
    return gettext("Job %(job_id)s is already %(status)s, so it can't be cancelled.", job_id=job_id, status=status)


def failure_reason(error: Exception) -> str:
    """The sentence of an AlmanacError, otherwise the type and text of the error."""
    if isinstance(error, AlmanacError):
        return str(error.sentence)
    return f"{type(error).__name__}: {error}".rstrip(": ")[:_LIMIT]


def is_caused_by_input(error: Exception, *, scheduled: bool) -> bool:
    """Whether what a person gave caused the error. Nobody gives anything to a job that a schedule starts."""
    return not scheduled and isinstance(error, AlmanacError) and error.by_input


def view_schedule(schedule: Schedule, *, paused: bool, last_job: JobView | None, now: datetime) -> ScheduleView:
    """A schedule as lists show it."""
    return ScheduleView(
        name=schedule.name,
        task=schedule.job_type.name,
        cron=schedule.cron,
        time_zone=schedule.time_zone,
        catch_up=schedule.catch_up,
        paused=paused,
        next_due=None if paused else next_due(schedule.cron, schedule.time_zone, now),
        last_due=last_job.due_at if last_job else None,
        last_job=last_job,
    )
