"""Watching jobs change: one listening connection for the whole process, however many people watch."""

import asyncio
from collections.abc import AsyncGenerator, Collection, Iterator, Mapping
from contextlib import aclosing, contextmanager

from almanac.errors import NotFound
from almanac.jobs import store
from almanac.jobs.model import JobDetail, JobView, job_not_found
from almanac.jobs.port import JobsPort
from almanac.relational import Database

CHANNEL = "almanac_jobs"
_BACKLOG = 1000
# Stands for “some job” where no job is read.
_ANY_JOB = 0


class _Watcher:
    """The jobs that changed since a watcher last looked, each once."""

    def __init__(self, job_id: int | None, first: Collection[int]) -> None:
        self._job_id = job_id
        self._first = tuple(first)
        self._changed: dict[int, None] = {}
        self._has_changes = asyncio.Event()

    def notify(self, notice: str | None) -> None:
        """Record a changed job. None means that changes may have been missed: all of `first` count as changed."""
        for changed in (int(notice),) if notice else self._first:
            if self._job_id in (None, changed):
                self._add(changed)

    def _add(self, changed: int) -> None:
        self._changed[changed] = None
        if len(self._changed) > _BACKLOG:
            del self._changed[next(iter(self._changed))]
        self._has_changes.set()

    async def next_change(self) -> int:
        await self._has_changes.wait()
        changed = next(iter(self._changed))
        del self._changed[changed]
        if not self._changed:
            self._has_changes.clear()
        return changed


class JobFeed:
    """Notifies watchers of changed jobs; each watcher reads the state when it gets to the job."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._watchers: set[_Watcher] = set()
        self._listener: asyncio.Task[None] | None = None
        self._is_listening = False

    def watch(self, job_id: int | None, first: Collection[int]) -> AsyncGenerator[JobView, None]:
        return self._watch_all(first) if job_id is None else self._watch_one(job_id)

    async def _watch_one(self, job_id: int) -> AsyncGenerator[JobView, None]:
        with self._watching(_Watcher(job_id, [job_id])) as watcher:
            shown = await self._read(job_id)
            if shown is None:
                raise NotFound(job_not_found(job_id))
            yield shown
            while not shown.status.final:
                now = await self._read(await watcher.next_change())
                if now is None:
                    return
                if now != shown:
                    yield now
                shown = now

    async def _watch_all(self, first: Collection[int]) -> AsyncGenerator[JobView, None]:
        with self._watching(_Watcher(None, first)) as watcher:
            watcher.notify(None)
            while True:
                job = await self._read(await watcher.next_change())
                if job is not None:
                    yield job

    async def watch_any(self) -> AsyncGenerator[None, None]:
        """Yields once listening has started, then after every change of any job, and after a broken connection."""
        with self._watching(_Watcher(None, [_ANY_JOB])) as watcher:
            if self._is_listening:
                watcher.notify(None)
            while True:
                await watcher.next_change()
                yield

    async def _read(self, job_id: int) -> JobView | None:
        async with self._database.unit() as unit:
            return await store.find_job(unit, job_id)

    @contextmanager
    def _watching(self, watcher: _Watcher) -> Iterator[_Watcher]:
        self._watchers.add(watcher)
        if self._listener is None or self._listener.done():
            self._listener = asyncio.create_task(self._listen(), name="job feed")
        try:
            yield watcher
        finally:
            self._watchers.discard(watcher)
            if not self._watchers:
                self._listener.cancel()
                self._listener, self._is_listening = None, False

    async def _listen(self) -> None:
        async with aclosing(self._database.listen(CHANNEL)) as notices:
            async for notice in notices:
                self._is_listening = True
                for watcher in self._watchers:
                    watcher.notify(notice)


async def follow_jobs(
    jobs: JobsPort, tasks: Collection[str], args: Mapping[str, object], *, first: Collection[int] = ()
) -> AsyncGenerator[JobDetail, None]:
    """Jobs of these types with these arguments: those in `first` in their current state, then each change of any.

    Name in `first` the jobs that are shown as running, so that one that ended before listening started is reported.
    Close it when done, for example with `contextlib.aclosing`.
    """
    foreign: set[int] = set()
    async with aclosing(jobs.watch(first=first)) as changes:
        async for job in changes:
            if job.task not in tasks or job.id in foreign:
                continue
            try:
                detail = await jobs.job(job.id)
            except NotFound:
                continue
            if all(detail.args.get(name) == value for name, value in args.items()):
                yield detail
            else:
                foreign.add(job.id)
