"""Watching jobs change: one listening connection for the whole process, however many people watch."""

import asyncio
from collections.abc import AsyncGenerator, Collection, Iterator
from contextlib import aclosing, contextmanager

from almanac.errors import NotFound
from almanac.jobs import store
from almanac.jobs.views import JobView
from almanac.relational import Database

CHANNEL = "almanac_jobs"
_BACKLOG = 1000


class _Watcher:
    """What changed since a watcher last looked: each job once, however often it changed."""

    def __init__(self, job_id: int | None, known: Collection[int]) -> None:
        self._job_id = job_id
        self._known = tuple(known)
        self._changed: dict[int, None] = {}
        self._news = asyncio.Event()

    def tell(self, notice: str | None) -> None:
        """Take note of a change. None means that changes may have been missed: the jobs known by id are looked at."""
        for changed in (int(notice),) if notice else self._known:
            if self._job_id in (None, changed):
                self._note(changed)

    def _note(self, changed: int) -> None:
        self._changed[changed] = None
        if len(self._changed) > _BACKLOG:
            del self._changed[next(iter(self._changed))]
        self._news.set()

    async def next_change(self) -> int:
        await self._news.wait()
        changed = next(iter(self._changed))
        del self._changed[changed]
        if not self._changed:
            self._news.clear()
        return changed


class JobFeed:
    """Tells watchers which jobs changed; what they see is the state at the time they look."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._watchers: set[_Watcher] = set()
        self._listener: asyncio.Task[None] | None = None

    def watch(self, job_id: int | None, first: Collection[int]) -> AsyncGenerator[JobView, None]:
        return self._watch_all(first) if job_id is None else self._watch_one(job_id)

    async def _watch_one(self, job_id: int) -> AsyncGenerator[JobView, None]:
        with self._watching(_Watcher(job_id, [job_id])) as watcher:
            shown = await self._read(job_id)
            if shown is None:
                raise NotFound(f"There is no job {job_id}; it may have been removed after its time.")
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
            watcher.tell(None)
            while True:
                job = await self._read(await watcher.next_change())
                if job is not None:
                    yield job

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
                self._listener = None

    async def _listen(self) -> None:
        async with aclosing(self._database.listen(CHANNEL)) as notices:
            async for notice in notices:
                for watcher in self._watchers:
                    watcher.tell(notice)
