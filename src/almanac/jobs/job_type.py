"""Declarations: what a task is, how it is retried, when it is scheduled, and the registry that a worker serves."""

import random
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from almanac.errors import Retryable, TooMany
from almanac.jobs.cron import check_cron

TaskFunction = Callable[..., Awaitable[None]]
Arguments = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and how soon a task is tried again after a Retryable error; any other error fails at once.

    Waits grow by `factor` from `first_seconds` up to `longest_seconds`, and each is spread by `jitter` either way so
    that jobs that failed together don't come back together.
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
        spread = wait * random.uniform(1 - self.jitter, 1 + self.jitter)  # noqa: S311 - nobody gains by guessing it
        return max(spread, error.retry_after) if isinstance(error, TooMany) else spread


@dataclass(frozen=True, slots=True)
class JobType:
    """A kind of background work.

    `run` is called as `await run(job, **args)` with a RunningJob. `lock` names what must not be worked on twice at the
    same time and may refer to arguments, as in `"link:{link_id}"`. `title` is what people read on the console.
    `private` names arguments that hold somebody's own words: whoever may see jobs need not be who wrote them.
    """

    name: str
    run: TaskFunction
    queue: str = "default"
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    lock: str | None = None
    title: str = ""
    private: frozenset[str] = frozenset()

    def lock_for(self, args: Arguments) -> str | None:
        return self.lock.format_map(args) if self.lock else None


class CatchUp(StrEnum):
    """What to do with runs that were missed while nothing was running."""

    ONCE = "once"
    ALL = "all"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class Schedule:
    """When a task runs by itself: a cron line, read on the clocks of a time zone."""

    name: str
    task: JobType
    cron: str
    time_zone: str = "UTC"
    args: Arguments = field(default_factory=dict)
    catch_up: CatchUp = CatchUp.ONCE


class Registry:
    """The tasks a worker can run and the schedules it keeps; names are unique."""

    def __init__(self, tasks: Iterable[JobType] = (), schedules: Iterable[Schedule] = ()) -> None:
        self.tasks: dict[str, JobType] = {}
        self.schedules: dict[str, Schedule] = {}
        self.add(*tasks)
        self.schedule(*schedules)

    def add(self, *tasks: JobType) -> None:
        for task in tasks:
            if self.tasks.setdefault(task.name, task) is not task:
                raise ValueError(f"Two tasks are named {task.name}.")

    def schedule(self, *schedules: Schedule) -> None:
        """Keep schedules, and know their tasks."""
        for schedule in schedules:
            check_cron(schedule.cron, schedule.time_zone)
            if self.schedules.setdefault(schedule.name, schedule) is not schedule:
                raise ValueError(f"Two schedules are named {schedule.name}.")
            if schedule.task.name not in self.tasks:
                self.add(schedule.task)

    def told_arguments(self, task: str, args: dict[str, Any]) -> dict[str, Any]:
        """The arguments of a job as others may know them."""
        known = self.tasks.get(task)
        return {name: value for name, value in args.items() if known is None or name not in known.private}

    def is_named(self, words: str) -> bool:
        """Whether some task has the words in its name or title, whatever their case."""
        wanted = words.casefold()
        return any(wanted in f"{name} {self.title_of(name)}".casefold() for name in self.tasks)

    def title_of(self, task: str) -> str:
        """What people call a task: its title, or its name where it has none or is no longer known."""
        known = self.tasks.get(task)
        return known.title if known and known.title else task
