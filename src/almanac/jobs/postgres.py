"""The jobs port on PostgreSQL: procrastinate queues the jobs, our own tables hold what it doesn't keep."""

from collections.abc import AsyncGenerator, Collection, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from datetime import datetime

from procrastinate.exceptions import AlreadyEnqueued, ConnectorException
from procrastinate.jobs import Job
from procrastinate.manager import JobManager
from procrastinate.psycopg_connector import PsycopgConnector

from almanac.errors import Conflict, NotFound, Unavailable
from almanac.jobs import store
from almanac.jobs.feed import JobFeed
from almanac.jobs.job_type import Arguments, JobRegistry, JobType, Schedule, WorkNames
from almanac.jobs.model import (
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
    ScheduleView,
    cannot_cancel,
    job_not_found,
    view_schedule,
)
from almanac.jobs.port import parse_holder
from almanac.kit.clock import Clock
from almanac.kit.logs import request_id
from almanac.kit.messages import gettext
from almanac.kit.paging import Page, build_page, decode_cursor
from almanac.kit.trace import trace_context
from almanac.relational import Database, ReadTransaction, Unit
from almanac.relational.errors import translate_errors

_DEFER_ROUNDS = 5


class PostgresJobs:
    """Jobs in the same database as the data they work on."""

    def __init__(self, database: Database, registry: JobRegistry, clock: Clock, *, cursor_key: bytes) -> None:
        self.database = database
        self.registry = registry
        self.clock = clock
        self._cursor_key = cursor_key
        self._feed = JobFeed(database)

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
        schedule: str | None = None,
        due_at: datetime | None = None,
    ) -> int:
        """See the port. `schedule` and `due_at` name the schedule that started it and the time it was due."""
        arguments = dict(args or {})
        job = Job(
            id=None,
            queue=job_type.queue,
            task_name=job_type.name,
            task_kwargs=arguments,
            lock=lock or job_type.lock_for(arguments),
            queueing_lock=queueing_lock,
            scheduled_at=schedule_at,
            priority=priority,
        )
        async with self._unit(unit) as within:
            for _ in range(_DEFER_ROUNDS):
                if (job_id := await self._insert(within, job)) is not None:
                    origin = store.JobOrigin(
                        schedule=schedule,
                        due_at=due_at,
                        object=job_type.object_of(arguments, schedule),
                        request_id=request_id.get(),
                        trace=trace_context(),
                    )
                    await store.insert_job_details(within, job_id, self.clock.now(), origin)
                    return job_id
                if (waiting := await store.find_queued_job(within, queueing_lock or "")) is not None:
                    return waiting
        raise Unavailable(gettext("The queue changes too fast to add this job; try again."))

    def _unit(self, unit: Unit | None) -> AbstractAsyncContextManager[Unit]:
        return nullcontext(unit) if unit else self.database.unit()

    async def _insert(self, unit: Unit, job: Job) -> int | None:
        """None when another job waits under the same lock; the savepoint keeps the caller's transaction alive."""
        manager = JobManager(PsycopgConnector())
        try:
            async with unit.connection.transaction():
                return (await manager.defer_job_async(job, connection=unit.connection)).id
        except AlreadyEnqueued:
            return None
        except ConnectorException as error:
            with translate_errors():
                raise error.__cause__ or error from error

    async def retry(self, ids: Sequence[int]) -> int:
        async with self.database.unit() as unit:
            return await store.requeue_jobs(unit, [JobStatus.FAILED, JobStatus.CANCELLED], ids=ids)

    async def retry_failed(self, *, task: str | None = None, queue: str | None = None) -> int:
        async with self.database.unit() as unit:
            return await store.requeue_jobs(unit, [JobStatus.FAILED], task=task, queue=queue)

    async def failures(self, which: FailureFilter | None = None, *, limit: int = 200) -> list[JobFailure]:
        async with self.database.reading() as reading:
            return await store.list_failures(reading, which or FailureFilter(), limit)

    async def failed_between(self, since: datetime, until: datetime, *, limit: int = 200) -> list[JobFailure]:
        async with self.database.reading() as reading:
            return await store.list_failed_runs(reading, since, until, limit)

    async def dismiss(self, unit: Unit, ids: Sequence[int], *, by: str, why: str) -> int:
        return await store.dismiss_failures(unit, ids, Dismissal(at=self.clock.now(), by=by, why=why))

    async def restore(self, unit: Unit, ids: Sequence[int]) -> int:
        return await store.restore_failures(unit, ids)

    async def cancel(self, job_id: int) -> JobView:
        async with self.database.unit() as unit:
            if not await store.cancel_queued_job(unit, job_id, CANCELLED_EARLY):
                await self._refuse_unless(await store.request_cancel(unit, job_id), unit, job_id)
            return await self._view(unit, job_id)

    async def abort(self, job_id: int) -> JobView:
        async with self.database.unit() as unit:
            if not await store.cancel_queued_job(unit, job_id, CANCELLED_EARLY):
                await self._refuse_unless(await store.request_abort(unit, job_id), unit, job_id)
            return await self._view(unit, job_id)

    async def _refuse_unless(self, asked: bool, unit: Unit, job_id: int) -> None:
        if not asked:
            job = await self._view(unit, job_id)
            raise Conflict(cannot_cancel(job_id, job.status))

    async def counts(self) -> list[QueueCounts]:
        async with self.database.reading() as reading:
            return await store.count_jobs(reading)

    async def backlog(self) -> JobBacklog:
        async with self.database.reading() as reading:
            return await store.measure_backlog(reading)

    async def jobs(
        self, which: JobFilter | None = None, *, cursor: str | None = None, limit: int = 50
    ) -> Page[JobView]:
        which = which or JobFilter()
        before = self._open_cursor(cursor, which) if cursor else None
        async with self.database.reading() as reading:
            views = await store.list_jobs(reading, which, before=before, limit=limit + 1)
        return build_page(views, limit, lambda view: [view.id], of=f"jobs {which}", key=self._cursor_key)

    def _open_cursor(self, cursor: str, which: JobFilter) -> int:
        (last,) = decode_cursor(cursor, of=f"jobs {which}", key=self._cursor_key)
        assert isinstance(last, int)
        return last

    async def job(self, job_id: int) -> JobDetail:
        async with self.database.reading() as reading:
            view = await self._view(reading, job_id)
            args = self.registry.public_arguments(view.task, await store.read_arguments(reading, job_id))
            return JobDetail(job=view, args=args, runs=await store.list_runs(reading, job_id))

    async def _view(self, reading: ReadTransaction, job_id: int) -> JobView:
        view = await store.find_job(reading, job_id)
        if view is None:
            raise NotFound(job_not_found(job_id))
        return view

    async def is_gone(self, holder: str) -> bool:
        if (named := parse_holder(holder)) is None:
            return False
        async with self.database.reading() as reading:
            job = await store.find_job(reading, named[0])
        return job is None or (job.status, job.attempts) != (JobStatus.RUNNING, named[1])

    async def schedules(self) -> list[ScheduleView]:
        now = self.clock.now()
        async with self.database.unit() as unit:
            paused = {state.name for state in await store.list_schedules(unit) if state.paused}
            last = {name: await self._last_job(unit, name) for name in self.registry.schedules}
        return [
            view_schedule(schedule, paused=name in paused, last_job=last[name], now=now)
            for name, schedule in sorted(self.registry.schedules.items())
        ]

    async def _last_job(self, unit: Unit, schedule: str) -> JobView | None:
        return next(iter(await store.list_jobs(unit, JobFilter(schedule=schedule))), None)

    async def pause_schedule(self, name: str) -> None:
        await self._set_paused(name, paused=True)

    async def resume_schedule(self, name: str) -> None:
        await self._set_paused(name, paused=False)

    async def _set_paused(self, name: str, *, paused: bool) -> None:
        schedule = self.get_schedule(name)
        async with self.database.unit() as unit:
            await store.pause_schedule(unit, schedule.name, paused, self.clock.now())

    async def run_schedule(self, name: str) -> int:
        schedule = self.get_schedule(name)
        return await self.defer(schedule.job_type, schedule.args, schedule=name, due_at=self.clock.now())

    def get_schedule(self, name: str) -> Schedule:
        if name not in self.registry.schedules:
            raise NotFound(gettext("There is no schedule named %(name)s.", name=name))
        return self.registry.schedules[name]

    @property
    def names(self) -> WorkNames:
        return self.registry.names

    def title_of(self, task: str) -> str:
        return self.registry.title_of(task)

    def has_job_named(self, words: str) -> bool:
        return self.registry.has_job_named(words)

    def watch(self, job_id: int | None = None, *, first: Collection[int] = ()) -> AsyncGenerator[JobView, None]:
        return self._feed.watch(job_id, first)

    def watch_any(self) -> AsyncGenerator[None, None]:
        return self._feed.watch_any()
