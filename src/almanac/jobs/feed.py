"""Watching jobs change: one listening connection for the whole process, however many people watch."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, contextmanager, suppress

from almanac.errors import NotFound
from almanac.jobs import store
from almanac.jobs.views import JobView
from almanac.relational import Database

CHANNEL = "almanac_jobs"
_BACKLOG = 1000

Change = int | None


class JobFeed:
    """Tells watchers which jobs changed. A watcher that falls far behind misses changes, never the latest state."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._watchers: set[asyncio.Queue[Change]] = set()
        self._listener: asyncio.Task[None] | None = None

    def watch(self, job_id: int | None) -> AsyncGenerator[JobView, None]:
        return self._watch_all() if job_id is None else self._watch_one(job_id)

    async def _watch_one(self, job_id: int) -> AsyncGenerator[JobView, None]:
        with self._watching() as changes:
            shown = await self._read(job_id)
            if shown is None:
                raise NotFound(f"There is no job {job_id}; it may have been removed after its time.")
            yield shown
            while not shown.status.final:
                if await changes.get() in (None, job_id):
                    now = await self._read(job_id)
                    if now is None:
                        return
                    if now != shown:
                        yield now
                    shown = now

    async def _watch_all(self) -> AsyncGenerator[JobView, None]:
        with self._watching() as changes:
            while True:
                changed = await changes.get()
                job = await self._read(changed) if changed is not None else None
                if job is not None:
                    yield job

    async def _read(self, job_id: int) -> JobView | None:
        async with self._database.unit() as unit:
            return await store.find_job(unit, job_id)

    @contextmanager
    def _watching(self) -> Iterator[asyncio.Queue[Change]]:
        changes: asyncio.Queue[Change] = asyncio.Queue(_BACKLOG)
        self._watchers.add(changes)
        if self._listener is None or self._listener.done():
            self._listener = asyncio.create_task(self._listen(), name="job feed")
        try:
            yield changes
        finally:
            self._watchers.discard(changes)
            if not self._watchers:
                self._listener.cancel()

    async def _listen(self) -> None:
        """Pass every notification on; None, when listening begins, makes watchers look at what they missed."""
        async with aclosing(self._database.listen(CHANNEL)) as notices:
            async for notice in notices:
                for changes in self._watchers:
                    with suppress(asyncio.QueueFull):
                        changes.put_nowait(int(notice) if notice else None)
