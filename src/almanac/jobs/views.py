"""What people and programs see of jobs: statuses, lists, one job with its runs, counts and schedules."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from almanac.jobs.job_type import CatchUp


class JobStatus(StrEnum):
    """Where a job stands. `failed` is the dead letter: it keeps its reason and waits for a person."""

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
class JobView:
    """One job as a list shows it. `not_before` is set while it waits for its time; `reason` tells the last failure."""

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
    """Which jobs a list shows; what is None is not asked."""

    status: JobStatus | None = None
    task: str | None = None
    queue: str | None = None
    schedule: str | None = None
