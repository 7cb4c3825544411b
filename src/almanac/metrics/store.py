"""Every statement that monitoring asks, by name. Each reads an index or a few sums, however much there is."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from almanac.relational import ReadTransaction, Unit, load_queries

QUERIES = load_queries(__package__)


@dataclass(frozen=True, slots=True)
class OperationTally:
    """A sum that only grows, such as the mails that were sent."""

    name: str
    subject: str
    detail: str
    amount: float


@dataclass(frozen=True, slots=True)
class QueueAge:
    """How long the oldest job of a queue that could run has waited."""

    queue: str
    seconds: float


@dataclass(frozen=True, slots=True)
class CountedFailures:
    """Open failures of one kind of work with one kind of cause."""

    task: str
    by_input: bool
    failures: int


@dataclass(frozen=True, slots=True)
class ScheduleSuccess:
    """When a schedule's latest run succeeded."""

    schedule: str
    finished_at: datetime


@dataclass(frozen=True, slots=True)
class Backlog:
    """How much waits to be sent, and since when."""

    name: str
    waiting: int
    oldest: datetime | None


@dataclass(frozen=True, slots=True)
class SyncLag:
    """When the most overdue source of each kind should have been read; None where none is overdue."""

    news: datetime | None
    knowledge_feeds: datetime | None
    knowledge_pages: datetime | None


async def list_operation_tallies(reading: ReadTransaction) -> list[OperationTally]:
    return await reading.all(QUERIES["list_operation_tallies"], into=OperationTally)


async def compact_operation_tallies(unit: Unit, many: int) -> None:
    await unit.execute(QUERIES["compact_operation_tallies"], {"many": many})


async def list_queue_ages(reading: ReadTransaction) -> list[QueueAge]:
    return await reading.all(QUERIES["list_queue_ages"], into=QueueAge)


async def list_failure_counts(reading: ReadTransaction) -> list[CountedFailures]:
    return await reading.all(QUERIES["list_failure_counts"], into=CountedFailures)


async def list_last_successes(reading: ReadTransaction, schedules: Collection[str]) -> list[ScheduleSuccess]:
    asked = {"schedules": list(schedules)}
    return await reading.all(QUERIES["list_last_successes"], asked, into=ScheduleSuccess)


async def list_backlogs(reading: ReadTransaction) -> list[Backlog]:
    return await reading.all(QUERIES["list_backlogs"], into=Backlog)


async def read_sync_lag(reading: ReadTransaction, now: datetime) -> SyncLag:
    lag = await reading.one(QUERIES["read_sync_lag"], {"now": now}, into=SyncLag)
    assert lag is not None
    return lag


async def count_sessions(reading: ReadTransaction, now: datetime) -> int:
    return int(await reading.value(QUERIES["count_sessions"], {"now": now}))
