"""Rebuilds the index from its providers, in resumable batches; search keeps working meanwhile.

Documents are upserted in place, and those that no provider returned are removed at the end. While a batch is read and
stored, its kind is locked, so an old version never replaces a newer one.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from almanac.errors import InputError
from almanac.jobs import JobType, RunningJob
from almanac.kit.progress import Progress, no_progress
from almanac.relational import Database, Unit
from almanac.search import store
from almanac.search.port import DocumentProvider, SearchIndex

BATCH_SIZE = 250

Units = Callable[[], AbstractAsyncContextManager[Unit]]


@dataclass(frozen=True, slots=True)
class RebuildResult:
    """How many documents of a kind a rebuild indexed and removed."""

    kind: str
    documents: int
    removed: int


class IndexRebuilder:
    """Holds the provider of every kind and rebuilds some or all of them."""

    def __init__(self, database: Database, index: SearchIndex) -> None:
        self._database = database
        self._index = index
        self._providers: dict[str, DocumentProvider] = {}

    def add(self, *providers: DocumentProvider) -> None:
        """Register providers and add their kinds to the index."""
        for provider in providers:
            self._index.add_kinds(provider.kind)
            self._providers[provider.kind.name] = provider

    @property
    def providers(self) -> Mapping[str, DocumentProvider]:
        return self._providers

    def named(self, kinds: Sequence[str]) -> list[DocumentProvider]:
        """The providers of these kinds, or of all; raises InputError for an unknown kind."""
        if unknown := sorted(set(kinds) - set(self._providers)):
            available = ", ".join(sorted(self._providers)) or "none yet"
            raise InputError(f"There are no documents of the kind {unknown[0]}; the kinds are: {available}.")
        return [self._providers[kind] for kind in kinds or sorted(self._providers)]

    async def size(self) -> store.IndexSize:
        """How much is in the index."""
        async with self._database.unit() as unit:
            return await store.describe_index(unit)

    async def rebuild(
        self,
        kinds: Sequence[str] = (),
        *,
        restart: bool = False,
        progress: Progress = no_progress,
        units: Units | None = None,
    ) -> list[RebuildResult]:
        """Rebuild kinds, or all; one that was interrupted goes on where it was, unless `restart` is given.

        `progress` may raise to stop: what is done stays done. A job passes its own `units`, which its lease guards.
        """
        return [
            await self._rebuild_one(provider, restart, progress, units or self._database.unit)
            for provider in self.named(kinds)
        ]

    async def _rebuild_one(
        self, provider: DocumentProvider, restart: bool, progress: Progress, units: Units
    ) -> RebuildResult:
        kind, total = provider.kind, await provider.count()
        async with units() as unit:
            state = await store.begin_rebuild(unit, kind.name, total, restart=restart)
        done, after, complete = state.done, state.after, False
        while not complete:
            await progress(done, max(total, done), kind.plural)
            async with units() as unit:
                given, after = await self._put_batch(unit, provider, after)
                done += given
                complete = after is None
                await store.advance_rebuild(unit, kind.name, after, done)
        await progress(done, max(total, done), kind.plural)
        async with units() as unit:
            await store.lock_kind_exclusively(unit, kind.name)
            removed = await store.remove_stale(unit, kind.name, state.started_at)
            await store.finish_rebuild(unit, kind.name)
            await store.tidy_index(unit)
        return RebuildResult(kind.name, done, removed)

    async def _put_batch(self, unit: Unit, provider: DocumentProvider, after: str | None) -> tuple[int, str | None]:
        await store.lock_kind_exclusively(unit, provider.kind.name)
        batch = await provider.batch(after, BATCH_SIZE)
        await self._index.put(unit, *batch.documents)
        return len(batch.documents), batch.after


class SearchServices(Protocol):
    """Services that a worker needs to run this job."""

    @property
    def rebuilds(self) -> IndexRebuilder: ...


async def _rebuild(job: RunningJob[SearchServices], kinds: list[str] | None = None, anew: bool = False) -> None:
    """`anew` is the name of the argument in queued jobs. A retry goes on where the first attempt stopped."""
    restart = anew and job.attempt == 1
    await job.services.rebuilds.rebuild(kinds or [], restart=restart, progress=job.progress, units=job.unit)


REBUILD = JobType("search.rebuild", _rebuild, queue="search", lock="search.rebuild", title="Rebuild the search index")
