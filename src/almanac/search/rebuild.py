"""Rebuilds the index from its providers, in resumable batches; search keeps working meanwhile.

Documents are upserted in place, and those that no provider returned are removed at the end. While a batch is read and
stored, its kind is locked, so an old version never replaces a newer one.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

from almanac.errors import Conflict, InputError, NotFound, Paused
from almanac.jobs import JobsPort, JobType, RunningJob
from almanac.kit.clock import Clock
from almanac.kit.messages import gettext
from almanac.kit.progress import Progress, no_progress
from almanac.relational import Database, Unit
from almanac.search import store
from almanac.search.fingerprint import fingerprint_provider
from almanac.search.port import DocumentProvider, SearchIndex

BATCH_SIZE = 250
_OTHER_VERSION_WAIT = timedelta(seconds=30)

Units = Callable[[], AbstractAsyncContextManager[Unit]]


@dataclass(frozen=True, slots=True)
class RebuildResult:
    """How many documents of a kind a rebuild indexed and removed."""

    kind: str
    documents: int
    removed: int


@dataclass(frozen=True, slots=True)
class StaleKind:
    """A kind that this version would index in another way, and the job that was queued to rebuild it."""

    name: str
    job_id: int | None


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
            raise InputError(
                gettext(
                    "There are no documents of the kind %(unknown)s; the kinds are: %(available)s.",
                    unknown=unknown[0],
                    available=available,
                )
            )
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
        kind, total, fingerprint = provider.kind, await provider.count(), fingerprint_provider(provider)
        async with units() as unit:
            state = await store.begin_rebuild(unit, kind.name, total, fingerprint, restart=restart)
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

    async def list_stale(self) -> list[StaleKind]:
        """The kinds that other code indexed, or that were never indexed, by name."""
        async with self._database.unit() as unit:
            indexed_by = await store.list_fingerprints(unit)
        return self._compare(indexed_by)

    def _compare(self, indexed_by: Mapping[str, store.KindFingerprint]) -> list[StaleKind]:
        return [
            StaleKind(name, indexed_by[name].job_id if name in indexed_by else None)
            for name, provider in sorted(self._providers.items())
            if name not in indexed_by or indexed_by[name].fingerprint != fingerprint_provider(provider)
        ]

    async def bring_up_to_date(self, jobs: JobsPort) -> int | None:
        """Queue one rebuild of all kinds that other code indexed; None if there is nothing to do.

        Processes that start at the same time queue one job. Kinds without documents need no rebuild.
        """
        async with self._database.unit() as unit:
            await store.lock_fingerprints(unit)
            stale = await self._drop_empty(unit, self._compare(await store.list_fingerprints(unit)))
            if not stale or await self._is_under_way(jobs, stale):
                return None
            kinds = [kind.name for kind in stale]
            args = {"kinds": kinds, "fingerprint": self._fingerprint(kinds)}
            job_id = await jobs.defer(REBUILD, args, unit=unit)
            for kind in kinds:
                await store.set_rebuild_job(unit, kind, job_id)
        return job_id

    async def _drop_empty(self, unit: Unit, stale: list[StaleKind]) -> list[StaleKind]:
        """Those with documents to index or to remove; the others are marked as up to date."""
        indexed = await store.list_indexed_kinds(unit, [kind.name for kind in stale])
        kept: list[StaleKind] = []
        for kind in stale:
            provider = self._providers[kind.name]
            if kind.name in indexed or await provider.count():
                kept.append(kind)
            else:
                await store.mark_current(unit, kind.name, fingerprint_provider(provider))
        return kept

    async def _is_under_way(self, jobs: JobsPort, stale: list[StaleKind]) -> bool:
        """Whether a job for this version of all these kinds waits or runs; a job of another version is cancelled."""
        wanted = self._fingerprint([kind.name for kind in stale])
        is_under_way = False
        for job_id in {kind.job_id for kind in stale if kind.job_id is not None}:
            try:
                detail = await jobs.job(job_id)
                if detail.job.status.final:
                    continue
                if detail.args.get("fingerprint") == wanted:
                    is_under_way = True
                else:
                    await jobs.cancel(job_id)
            except (NotFound, Conflict):
                continue
        return is_under_way

    def _fingerprint(self, kinds: Sequence[str]) -> str:
        """Identifies this version of the code for these kinds."""
        return " ".join(fingerprint_provider(self._providers[kind]) for kind in sorted(kinds))

    def is_of_this_version(self, kinds: Sequence[str], fingerprint: str) -> bool:
        """Whether a rebuild that was queued with this fingerprint is one of this version."""
        return set(kinds) <= set(self._providers) and self._fingerprint(kinds) == fingerprint

    async def _put_batch(self, unit: Unit, provider: DocumentProvider, after: str | None) -> tuple[int, str | None]:
        await store.lock_kind_exclusively(unit, provider.kind.name)
        batch = await provider.batch(after, BATCH_SIZE)
        await self._index.put(unit, *batch.documents)
        return len(batch.documents), batch.after


class SearchServices(Protocol):
    """Services that a worker needs to run this job."""

    @property
    def rebuilds(self) -> IndexRebuilder: ...

    @property
    def clock(self) -> Clock: ...


async def _rebuild(
    job: RunningJob[SearchServices], kinds: list[str] | None = None, anew: bool = False, fingerprint: str = ""
) -> None:
    """`anew` is the name of the argument in queued jobs. A retry goes on where the first attempt stopped.

    During an upgrade workers of two versions run: a rebuild waits for one of the version that queued it.
    """
    if fingerprint and not job.services.rebuilds.is_of_this_version(kinds or [], fingerprint):
        raise Paused(
            gettext("It waits for a worker of the version that queued it."),
            job.services.clock.now() + _OTHER_VERSION_WAIT,
        )
    restart = anew and job.attempt == 1
    await job.services.rebuilds.rebuild(kinds or [], restart=restart, progress=job.progress, units=job.unit)


REBUILD = JobType(
    "search.rebuild",
    _rebuild,
    queue="search",
    lock="search.rebuild",
    title=gettext("Rebuild the search index"),
)
