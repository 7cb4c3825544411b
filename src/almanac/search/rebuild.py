"""Rebuilding the index from its providers: in batches, resumable, with every document to be found all the while.

Documents are given again in place and what was not given again is removed at the end. While a batch is read and put,
nobody else changes documents of its kind, so that an old version never replaces a newer one.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from almanac.errors import InputError
from almanac.kit.progress import Progress, no_progress
from almanac.relational import Database, Unit
from almanac.search import store
from almanac.search.port import Provider, SearchIndex

BATCH = 250

Units = Callable[[], AbstractAsyncContextManager[Unit]]


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What a rebuild did with one kind."""

    kind: str
    documents: int
    removed: int


class Rebuilds:
    """Knows the provider of every kind, and rebuilds what is asked for."""

    def __init__(self, database: Database, index: SearchIndex) -> None:
        self._database = database
        self._index = index
        self._providers: dict[str, Provider] = {}

    def add(self, *providers: Provider) -> None:
        """Make the documents of providers searchable: their kinds become known to the index."""
        for provider in providers:
            self._index.know(provider.kind)
            self._providers[provider.kind.name] = provider

    @property
    def providers(self) -> Mapping[str, Provider]:
        return self._providers

    def named(self, kinds: Sequence[str]) -> list[Provider]:
        """The providers of these kinds, or of all; a kind that nobody provides is an InputError."""
        if unknown := sorted(set(kinds) - set(self._providers)):
            known = ", ".join(sorted(self._providers)) or "none yet"
            raise InputError(f"There are no documents of the kind {unknown[0]}; the kinds are: {known}.")
        return [self._providers[kind] for kind in kinds or sorted(self._providers)]

    async def size(self) -> store.IndexSize:
        """How much is in the index."""
        async with self._database.unit() as unit:
            return await store.describe_index(unit)

    async def rebuild(
        self,
        kinds: Sequence[str] = (),
        *,
        anew: bool = False,
        progress: Progress = no_progress,
        units: Units | None = None,
    ) -> list[Rebuilt]:
        """Rebuild kinds, or all; one that was interrupted goes on where it was, unless it shall begin anew.

        `progress` may raise to stop: what is done stays done. A job passes its own `units`, which its lease guards.
        """
        return [
            await self._rebuild_one(provider, anew, progress, units or self._database.unit)
            for provider in self.named(kinds)
        ]

    async def _rebuild_one(self, provider: Provider, anew: bool, progress: Progress, units: Units) -> Rebuilt:
        kind, total = provider.kind, await provider.count()
        async with units() as unit:
            state = await store.begin_rebuild(unit, kind.name, total, anew=anew)
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
            await store.hold_kind_alone(unit, kind.name)
            removed = await store.remove_stale(unit, kind.name, state.started_at)
            await store.finish_rebuild(unit, kind.name)
            await store.tidy_index(unit)
        return Rebuilt(kind.name, done, removed)

    async def _put_batch(self, unit: Unit, provider: Provider, after: str | None) -> tuple[int, str | None]:
        await store.hold_kind_alone(unit, provider.kind.name)
        batch = await provider.batch(after, BATCH)
        await self._index.put(unit, *batch.documents)
        return len(batch.documents), batch.after
