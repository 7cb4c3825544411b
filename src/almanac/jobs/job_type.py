"""Declarations: job types, retry policies, schedules and which of their runs are due, and the registry of a worker."""

import random
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import islice
from typing import Any

from almanac.errors import Retryable, TooMany
from almanac.jobs.cron import check_cron, due_times

JobFunction = Callable[..., Awaitable[None]]
Arguments = Mapping[str, Any]
ON_TIME_WITHIN = timedelta(minutes=2)
CATCH_UP_LIMIT = 200
SCHEDULE_KIND = "schedule"
# Enumerating a year of minutes takes twenty seconds, so the latest run is searched backwards in growing windows.
_LOOK_BACK_WINDOWS = (timedelta(minutes=10), timedelta(hours=2), timedelta(days=2), timedelta(days=62))


@dataclass(frozen=True, slots=True)
class JobRetryPolicy:
    """How often and how soon a job is tried again after a Retryable error; any other error fails at once.

    Waits grow by `factor` from `first_seconds` up to `longest_seconds`, and each is spread by `jitter` either way so
    that jobs that failed together aren't retried together.
    """

    attempts: int = 6
    first_seconds: float = 2.0
    factor: float = 3.0
    longest_seconds: float = 3600.0
    jitter: float = 0.25

    def wait(self, attempts_made: int, error: BaseException) -> float | None:
        """Seconds to wait before the next attempt, or None when the job has failed for good."""
        if not isinstance(error, Retryable) or attempts_made >= self.attempts:
            return None
        wait = min(self.first_seconds * self.factor ** (attempts_made - 1), self.longest_seconds)
        spread = wait * random.uniform(1 - self.jitter, 1 + self.jitter)  # noqa: S311 - jitter needs no secure randomness
        return max(spread, error.retry_after) if isinstance(error, TooMany) else spread


@dataclass(frozen=True, slots=True)
class JobObject:
    """What a job works on, such as a knowledge source; `kind` is a word that people read."""

    kind: str
    id: str


@dataclass(frozen=True, slots=True)
class JobType:
    """A kind of background work.

    `run` is called as `await run(job, **args)` with a RunningJob. `lock` names what must not be worked on twice at the
    same time and may refer to arguments, as in `"link:{link_id}"`. `title` is what people read on the console.
    `private` names arguments that hold somebody's own words and aren't shown to people who may see jobs. `about` is the
    kind of object that a job works on, and the argument with its id.
    """

    name: str
    run: JobFunction
    queue: str = "default"
    retry: JobRetryPolicy = field(default_factory=JobRetryPolicy)
    lock: str | None = None
    title: str = ""
    private: frozenset[str] = frozenset()
    about: tuple[str, str] | None = None

    def object_of(self, args: Arguments, schedule: str | None = None) -> JobObject | None:
        """The object that a job with these arguments works on; for a scheduled job its schedule."""
        if schedule is not None:
            return JobObject(SCHEDULE_KIND, schedule)
        return JobObject(self.about[0], str(args[self.about[1]])) if self.about else None

    def lock_for(self, args: Arguments) -> str | None:
        return self.lock.format_map(args) if self.lock else None


class CatchUp(StrEnum):
    """What to do with runs that were missed while nothing was running."""

    ONCE = "once"
    ALL = "all"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class Schedule:
    """When a job runs by itself: a cron line, read in the local time of a time zone."""

    name: str
    job_type: JobType
    cron: str
    time_zone: str = "UTC"
    args: Arguments = field(default_factory=dict)
    catch_up: CatchUp = CatchUp.ONCE


@dataclass(frozen=True, slots=True)
class WorkNames:
    """The names that this version knows: of job types, queues and schedules."""

    tasks: frozenset[str]
    queues: frozenset[str]
    schedules: frozenset[str]


class JobRegistry:
    """The job types a worker can run and the schedules it follows; names are unique."""

    def __init__(self, job_types: Iterable[JobType] = (), schedules: Iterable[Schedule] = ()) -> None:
        self.job_types: dict[str, JobType] = {}
        self.schedules: dict[str, Schedule] = {}
        self.add(*job_types)
        self.schedule(*schedules)

    def add(self, *job_types: JobType) -> None:
        for job_type in job_types:
            if self.job_types.setdefault(job_type.name, job_type) is not job_type:
                raise ValueError(f"Two job types are named {job_type.name}.")

    def schedule(self, *schedules: Schedule) -> None:
        """Add schedules together with their job types."""
        for schedule in schedules:
            check_cron(schedule.cron, schedule.time_zone)
            if self.schedules.setdefault(schedule.name, schedule) is not schedule:
                raise ValueError(f"Two schedules are named {schedule.name}.")
            if schedule.job_type.name not in self.job_types:
                self.add(schedule.job_type)

    @property
    def names(self) -> WorkNames:
        queues = frozenset(job_type.queue for job_type in self.job_types.values())
        return WorkNames(frozenset(self.job_types), queues, frozenset(self.schedules))

    def public_arguments(self, task: str, args: dict[str, Any]) -> dict[str, Any]:
        """The arguments of a job without the private ones of its type."""
        job_type = self.job_types.get(task)
        return {name: value for name, value in args.items() if job_type is None or name not in job_type.private}

    def has_job_named(self, words: str) -> bool:
        """Whether the name or title of a job type contains the words, ignoring case."""
        wanted = words.casefold()
        return any(wanted in f"{name} {self.title_of(name)}".casefold() for name in self.job_types)

    def title_of(self, task: str) -> str:
        """The title of a job type, or its name if it has no title or no longer exists."""
        job_type = self.job_types.get(task)
        return job_type.title if job_type and job_type.title else task


def is_due(schedule: Schedule, last_due: datetime, now: datetime) -> bool:
    """Whether a run of the schedule is due since `last_due`."""
    return next(due_times(schedule.cron, schedule.time_zone, after=last_due, until=now), None) is not None


def due_runs(schedule: Schedule, last_due: datetime, now: datetime) -> tuple[list[datetime], datetime]:
    """The runs to start now, and the new `last_due` of the schedule.

    Of missed runs one, all or none are started, as `catch_up` says. "All" comes in portions of CATCH_UP_LIMIT, so that
    after a long outage a schedule that runs every minute doesn't flood the queue in one transaction.
    """
    if schedule.catch_up is CatchUp.ALL:
        moments = due_times(schedule.cron, schedule.time_zone, after=last_due, until=now)
        portion = list(islice(moments, CATCH_UP_LIMIT))
        return portion, portion[-1] if len(portion) == CATCH_UP_LIMIT else max(now, last_due)
    latest = _latest_due(schedule, last_due, now)
    is_wanted = latest is not None and (schedule.catch_up is CatchUp.ONCE or now - latest <= ON_TIME_WITHIN)
    return ([latest] if latest and is_wanted else []), max(now, last_due)


def _latest_due(schedule: Schedule, last_due: datetime, now: datetime) -> datetime | None:
    """The latest run that was due after `last_due`; None if there was none."""
    for since in (*(max(last_due, now - back) for back in _LOOK_BACK_WINDOWS), last_due):
        if moments := list(due_times(schedule.cron, schedule.time_zone, after=since, until=now)):
            return moments[-1]
    return None
