"""Jobs in memory: the shipped fake, for tests and for trying things without a database.

It passes the same contract suite as the real adapter. Jobs run one after another, when `drain` is called.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from itertools import count
from typing import Any

from almanac.errors import Conflict, NotFound, Paused
from almanac.jobs.job_type import Arguments, JobRegistry, JobType, WorkNames, due_runs
from almanac.jobs.model import (
    ABORTED,
    CANCELLED,
    CANCELLED_EARLY,
    Dismissal,
    FailureFilter,
    JobBacklog,
    JobDetail,
    JobFailure,
    JobFilter,
    JobStatus,
    JobView,
    QueueCounts,
    RunOutcome,
    RunView,
    ScheduleView,
    cannot_cancel,
    failure_reason,
    is_caused_by_input,
    job_not_found,
    view_schedule,
)
from almanac.jobs.port import JobCancelled, RunningJob, parse_holder
from almanac.kit.clock import Clock
from almanac.kit.messages import gettext
from almanac.kit.paging import Page, build_page, decode_cursor
from almanac.relational import Database, Unit

_KEY = b"cursors of the fake"
_WORKER = "fake"


@dataclass(slots=True)
class _JobRecord:
    """Everything about one job."""

    view: JobView
    job_type: JobType
    args: dict[str, Any]
    priority: int
    queueing_lock: str | None
    runs: list[RunView] = field(default_factory=list)
    steps: set[str] = field(default_factory=set)
    failures: int = 0
    is_failure: bool = False
    work: asyncio.Task[None] | None = None

    @property
    def waiting(self) -> bool:
        return self.view.status is JobStatus.QUEUED


class FakeJobs:
    """The jobs port in memory. Give it a database if job functions write through `job.unit()`."""

    def __init__(
        self, registry: JobRegistry, clock: Clock, services: object = None, database: Database | None = None
    ) -> None:
        self.registry = registry
        self.clock = clock
        self._services = services
        self._database = database
        self._records: dict[int, _JobRecord] = {}
        self._ids = count(1)
        self._last_due: dict[str, datetime] = {}
        self._paused: set[str] = set()
        self._watchers: set[asyncio.Queue[int]] = set()

    async def defer(
        self,
        job_type: JobType,
        args: Arguments | None = None,
        *,
        unit: Unit | None = None,
        lock: str | None = None,  # noqa: ARG002 - jobs run one at a time here
        queueing_lock: str | None = None,
        schedule_at: datetime | None = None,
        priority: int = 0,
        schedule: str | None = None,
        due_at: datetime | None = None,
    ) -> int:
        for record in self._records.values():
            if queueing_lock and record.waiting and record.queueing_lock == queueing_lock:
                return record.view.id
        view = JobView(
            id=next(self._ids),
            task=job_type.name,
            queue=job_type.queue,
            status=JobStatus.QUEUED,
            attempts=0,
            created_at=self.clock.now(),
            not_before=schedule_at,
            schedule=schedule,
            due_at=due_at,
            object=job_type.object_of(args or {}, schedule),
        )
        record = _JobRecord(view, job_type, dict(args or {}), priority, queueing_lock)
        if unit:
            unit.after_commit(lambda: self._add(record))
        else:
            self._add(record)
        return view.id

    def _add(self, record: _JobRecord) -> None:
        self._records[record.view.id] = record
        self._announce(record.view.id)

    async def retry(self, ids: Sequence[int]) -> int:
        final = (JobStatus.FAILED, JobStatus.CANCELLED)
        return self._queue_again(
            [record for record in self._all() if record.view.id in ids and record.view.status in final]
        )

    async def retry_failed(self, *, task: str | None = None, queue: str | None = None) -> int:
        which = JobFilter(status=JobStatus.FAILED, task=task, queue=queue)
        return self._queue_again([record for record in self._all() if _matches(record.view, which)])

    def _queue_again(self, records: list[_JobRecord]) -> int:
        for record in records:
            record.failures = 0
            record.is_failure = False
            cleared: dict[str, object] = {
                "reason": None,
                "done": None,
                "total": None,
                "doing": None,
                "finished_at": None,
            }
            cleared |= {"by_input": False, "dismissal": None}
            self._change(record, status=JobStatus.QUEUED, not_before=None, cancel_requested=False, **cleared)
        return len(records)

    async def failures(self, which: FailureFilter | None = None, *, limit: int = 200) -> list[JobFailure]:
        which = which or FailureFilter()
        groups: dict[object, list[JobView]] = {}
        for record in reversed(self._all()):
            view = record.view
            is_wanted = which.task in (None, view.task) and (which.ids is None or view.id in which.ids)
            if record.is_failure and is_wanted and which.dismissed == (view.dismissal is not None):
                groups.setdefault((view.task, view.object or view.id), []).append(view)
        return [_view_failure(views) for views in groups.values()][:limit]

    async def failed_between(self, since: datetime, until: datetime, *, limit: int = 200) -> list[JobFailure]:
        groups: dict[object, list[JobFailure]] = {}
        for record in reversed(self._all()):
            for run in reversed(record.runs):
                if run.outcome is RunOutcome.FAILED and run.finished_at and since <= run.finished_at < until:
                    failure = _view_failed_run(record, run)
                    groups.setdefault((failure.task, failure.object), []).append(failure)
        latest = [replace(failures[0], times=len(failures)) for failures in groups.values()]
        return sorted(latest, key=lambda failure: (failure.task, str(failure.object)))[:limit]

    async def dismiss(self, unit: Unit, ids: Sequence[int], *, by: str, why: str) -> int:
        dismissal = Dismissal(at=self.clock.now(), by=by, why=why)
        chosen = [record for record in self._all() if record.view.id in ids and record.is_failure]
        records = [
            record
            for record in self._all()
            if record.is_failure
            and record.view.dismissal is None
            and (record in chosen or any(_is_older_failure(record, other) for other in chosen))
        ]
        for record in records:
            unit.after_commit(partial(self._change, record, dismissal=dismissal))
        return len(records)

    async def restore(self, unit: Unit, ids: Sequence[int]) -> int:
        records = [record for record in self._all() if record.view.id in ids and record.view.dismissal]
        for record in records:
            unit.after_commit(partial(self._change, record, dismissal=None))
        return len(records)

    async def cancel(self, job_id: int) -> JobView:
        record = self._find(job_id)
        if record.waiting:
            self._change(record, status=JobStatus.CANCELLED, reason=CANCELLED_EARLY, not_before=None)
        elif record.view.status.final:
            raise Conflict(cannot_cancel(job_id, record.view.status))
        else:
            self._change(record, cancel_requested=True)
        return record.view

    async def abort(self, job_id: int) -> JobView:
        view = await self.cancel(job_id)
        if work := self._find(job_id).work:
            work.cancel()
        return view

    async def counts(self) -> list[QueueCounts]:
        queues = sorted({record.view.queue for record in self._all()})
        return [QueueCounts(queue=queue, **self._count(queue)) for queue in queues]

    async def backlog(self) -> JobBacklog:
        queued = [record.view for record in self._all() if record.view.status is JobStatus.QUEUED]
        return JobBacklog(waiting=len(queued), oldest=min((job.created_at for job in queued), default=None), workers=1)

    def _count(self, queue: str) -> dict[str, int]:
        statuses = [record.view.status for record in self._all() if record.view.queue == queue]
        return {status.value: statuses.count(status) for status in JobStatus}

    async def jobs(
        self, which: JobFilter | None = None, *, cursor: str | None = None, limit: int = 50
    ) -> Page[JobView]:
        which = which or JobFilter()
        views = [record.view for record in reversed(self._all()) if _matches(record.view, which)]
        if cursor:
            before = _open_cursor(cursor, which)
            views = [view for view in views if view.id < before]
        return build_page(views, limit, lambda view: [view.id], of=str(which), key=_KEY)

    async def job(self, job_id: int) -> JobDetail:
        record = self._find(job_id)
        return JobDetail(
            job=record.view, args=self.registry.public_arguments(record.view.task, record.args), runs=record.runs[::-1]
        )

    async def is_gone(self, holder: str) -> bool:
        if (named := parse_holder(holder)) is None:
            return False
        record = self._records.get(named[0])
        return record is None or (record.view.status, record.view.attempts) != (JobStatus.RUNNING, named[1])

    async def schedules(self) -> list[ScheduleView]:
        return [
            view_schedule(schedule, paused=name in self._paused, last_job=self._last(name), now=self.clock.now())
            for name, schedule in sorted(self.registry.schedules.items())
        ]

    def _last(self, schedule: str) -> JobView | None:
        return next((record.view for record in reversed(self._all()) if record.view.schedule == schedule), None)

    async def pause_schedule(self, name: str) -> None:
        self._require_schedule(name)
        self._paused.add(name)

    async def resume_schedule(self, name: str) -> None:
        self._require_schedule(name)
        self._paused.discard(name)
        self._last_due[name] = self.clock.now()

    async def run_schedule(self, name: str) -> int:
        self._require_schedule(name)
        schedule = self.registry.schedules[name]
        return await self.defer(schedule.job_type, schedule.args, schedule=name, due_at=self.clock.now())

    def _require_schedule(self, name: str) -> None:
        if name not in self.registry.schedules:
            raise NotFound(gettext("There is no schedule named %(name)s.", name=name))

    @property
    def names(self) -> WorkNames:
        return self.registry.names

    def title_of(self, task: str) -> str:
        return self.registry.title_of(task)

    def has_job_named(self, words: str) -> bool:
        return self.registry.has_job_named(words)

    async def watch_any(self) -> AsyncGenerator[None, None]:
        changes: asyncio.Queue[int] = asyncio.Queue()
        self._watchers.add(changes)
        try:
            yield
            while await changes.get():
                yield
        finally:
            self._watchers.discard(changes)

    async def watch(self, job_id: int | None = None, *, first: Collection[int] = ()) -> AsyncGenerator[JobView, None]:
        changes: asyncio.Queue[int] = asyncio.Queue()
        self._watchers.add(changes)
        try:
            for first_id in first:
                if first_id in self._records:
                    changes.put_nowait(first_id)
            if job_id is not None:
                yield (shown := self._find(job_id).view)
            while job_id is None or not shown.status.final:
                changed = await changes.get()
                if job_id in (None, changed):
                    yield (shown := self._find(changed).view)
        finally:
            self._watchers.discard(changes)

    async def start_due_runs(self) -> list[int]:
        """Start the runs that are due, as the scheduler of a worker does."""
        now = self.clock.now()
        started: list[int] = []
        for name, schedule in self.registry.schedules.items():
            moments, last_due = due_runs(schedule, self._last_due.setdefault(name, now), now)
            if name not in self._paused:
                self._last_due[name] = last_due
                started += [
                    await self.defer(schedule.job_type, schedule.args, schedule=name, due_at=moment)
                    for moment in moments
                ]
        return started

    async def drain(self) -> None:
        """Run every job that is ready, and those that they defer."""
        while record := self._next_ready():
            record.work = asyncio.create_task(self._attempt(record))
            await record.work

    def _next_ready(self) -> _JobRecord | None:
        now = self.clock.now()
        ready = [record for record in self._all() if record.waiting and (record.view.not_before or now) <= now]
        return min(ready, key=lambda record: (-record.priority, record.view.id), default=None)

    async def _attempt(self, record: _JobRecord) -> None:
        attempt, now = record.view.attempts + 1, self.clock.now()
        record.runs.append(RunView(attempt=attempt, worker=_WORKER, started_at=now))
        self._change(record, status=JobStatus.RUNNING, attempts=attempt, started_at=now, not_before=None)
        ledger = _FakeLedger(self, record)
        job = RunningJob(record.view.id, record.job_type.name, attempt, self._services, ledger, record.view.due_at)
        try:
            await record.job_type.run(job, **record.args)
        except JobCancelled:
            self._end(record, RunOutcome.CANCELLED, JobStatus.CANCELLED, CANCELLED)
        except asyncio.CancelledError:
            self._end(record, RunOutcome.CANCELLED, JobStatus.CANCELLED, ABORTED)
        except Paused as error:
            self._end(record, RunOutcome.PAUSED, JobStatus.QUEUED, str(error.sentence), not_before=error.until)
        except Exception as error:  # noqa: BLE001 - whatever a job raises becomes the recorded reason of its failure
            self._fail(record, error)
        else:
            self._end(record, RunOutcome.SUCCEEDED, JobStatus.SUCCEEDED, None)
            for other in self._all():
                if _is_same_work(record, other):
                    other.is_failure = False

    def _fail(self, record: _JobRecord, error: Exception) -> None:
        record.failures += 1
        wait = record.job_type.retry.wait(record.failures, error)
        if wait is None:
            record.is_failure = True
            record.view = replace(
                record.view, by_input=is_caused_by_input(error, scheduled=record.view.due_at is not None)
            )
            self._end(record, RunOutcome.FAILED, JobStatus.FAILED, failure_reason(error))
        else:
            later = self.clock.now() + timedelta(seconds=wait)
            self._end(record, RunOutcome.RETRYING, JobStatus.QUEUED, failure_reason(error), not_before=later)

    def _end(
        self,
        record: _JobRecord,
        outcome: RunOutcome,
        status: JobStatus,
        reason: str | None,
        *,
        not_before: datetime | None = None,
    ) -> None:
        now = self.clock.now()
        record.runs[-1] = replace(record.runs[-1], outcome=outcome, reason=reason, finished_at=now)
        finished = now if status.final else None
        self._change(record, status=status, reason=reason, finished_at=finished, not_before=not_before)

    def _change(self, record: _JobRecord, **changes: Any) -> None:
        record.view = replace(record.view, **changes)
        self._announce(record.view.id)

    def _announce(self, job_id: int) -> None:
        for changes in self._watchers:
            changes.put_nowait(job_id)

    def _all(self) -> list[_JobRecord]:
        return [self._records[job_id] for job_id in sorted(self._records)]

    def _find(self, job_id: int) -> _JobRecord:
        if job_id not in self._records:
            raise NotFound(job_not_found(job_id))
        return self._records[job_id]


@dataclass(frozen=True, slots=True)
class _FakeLedger:
    """Records the progress and steps of a run in memory."""

    jobs: FakeJobs
    record: _JobRecord

    async def progress(self, done: int | None, total: int | None, doing: str) -> None:
        await asyncio.sleep(0)
        self.jobs._change(self.record, done=done, total=total, doing=doing or None)  # noqa: SLF001 - both classes are one fake
        if self.record.view.cancel_requested:
            raise JobCancelled

    @asynccontextmanager
    async def unit(self) -> AsyncIterator[Unit]:
        if self.jobs._database is None:  # noqa: SLF001 - both classes are one fake
            raise RuntimeError("This job writes; give FakeJobs a database.")
        async with self.jobs._database.unit() as unit:  # noqa: SLF001 - both classes are one fake
            yield unit

    async def once(self, unit: Unit, step: str) -> bool:
        if step in self.record.steps:
            return False
        unit.after_commit(lambda: self.record.steps.add(step))
        return True


def _is_same_work(record: _JobRecord, other: _JobRecord) -> bool:
    view = record.view
    return view.object is not None and (view.task, view.object) == (other.view.task, other.view.object)


def _is_older_failure(record: _JobRecord, than: _JobRecord) -> bool:
    return _is_same_work(record, than) and record.view.id < than.view.id


def _view_failed_run(record: _JobRecord, run: RunView) -> JobFailure:
    view = record.view
    return JobFailure(
        job_id=view.id,
        task=view.task,
        queue=view.queue,
        object=view.object,
        by_input=view.by_input if record.is_failure else view.object is not None,
        times=1,
        reason=run.reason,
        failed_at=run.finished_at,
    )


def _view_failure(views: list[JobView]) -> JobFailure:
    """The newest of these failures of the same work on the same object."""
    newest = views[0]
    return JobFailure(
        job_id=newest.id,
        task=newest.task,
        queue=newest.queue,
        object=newest.object,
        by_input=newest.by_input,
        times=len(views),
        reason=newest.reason,
        failed_at=newest.finished_at,
        dismissal=newest.dismissal,
    )


def _matches(view: JobView, which: JobFilter) -> bool:
    if not which.housekeeping and view.schedule and view.status not in (JobStatus.FAILED, JobStatus.RUNNING):
        return False
    if view.task.partition(".")[0] in which.hidden:
        return False
    asked = (which.status, which.task, which.queue, which.schedule)
    has = (view.status, view.task, view.queue, view.schedule)
    return all(wanted is None or wanted == value for wanted, value in zip(asked, has, strict=True))


def _open_cursor(cursor: str, which: JobFilter) -> int:
    (last,) = decode_cursor(cursor, of=str(which), key=_KEY)
    assert isinstance(last, int)
    return last
