"""The search index on PostgreSQL: text search vectors made here; matched, ranked and counted there."""

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import islice

import msgspec

from almanac.relational import Database, Unit
from almanac.search import store
from almanac.search.broad_filters import leave_most, newest_of_most
from almanac.search.embeddings import Embeddings
from almanac.search.fusion import fused
from almanac.search.hits import MOST_VALUES, grouped, hit_of
from almanac.search.index import Index, Place, Search
from almanac.search.model import Document, FacetCount, Hit, Results, Survey
from almanac.search.query import Query
from almanac.search.snippets import Marker, marker_of
from almanac.search.store import LAST, NO_DATE, Near, Row, Shown, Sought
from almanac.search.terms import KIND, SEPARATOR, lexemes_of
from almanac.search.tsquery import matching
from almanac.search.tsvector import vector_of

# Beyond so many matches the rest is ordered by date: reading every vector to rank it would take longer than anybody
# waits, and of ten thousand matches nobody sees the last.
RANKED = 500
# Of documents without the words only a few that mean nearly the same are worth a place; the distance is the cosine's.
_NEAREST, _FARTHEST = 20, 0.65
_BATCH = 100
_LOOKED_AT = 1_000_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_EVERY_DOCUMENT = f"'{KIND}=':*"


class PostgresIndex(Index):
    """Documents beside the data they show, changed in the same transactions."""

    def __init__(self, database: Database, *, cursor_key: bytes, embeddings: Embeddings | None = None) -> None:
        super().__init__(cursor_key)
        self._database = database
        self._embeddings = embeddings

    async def put(self, unit: Unit, *documents: Document) -> None:
        """Add or replace, in an order that keeps two such calls from waiting for each other."""
        latest = {(document.kind, document.id): document for document in documents}
        if not latest:
            return
        await store.hold_kinds(unit, sorted({kind for kind, _ in latest}))
        batches = _batched(latest[name] for name in sorted(latest))
        rows = await asyncio.to_thread(_rows, next(batches))
        for batch in batches:
            # The next batch is taken apart while the database stores this one.
            storing = asyncio.create_task(store.put_documents(unit, rows))
            try:
                rows = await asyncio.to_thread(_rows, batch)
            finally:
                await storing
        await store.put_documents(unit, rows)
        await store.add_up_counts(unit)

    async def remove(self, unit: Unit, kind: str, ids: Sequence[str]) -> None:
        if ids:
            await store.hold_kinds(unit, [kind])
            await store.remove_documents(unit, kind, ids)
            await store.add_up_counts(unit)

    async def _find(self, search: Search) -> Results:
        sought = _sought(search)
        meaning = await self._meaning(search)
        async with self._database.unit() as unit:
            await store.plan_for_search(unit)
            broad = await leave_most(unit, search, sought)
            places, near = await self._found(unit, search, sought, meaning, broad=broad)
            shown = await _shown(unit, places)
            total, facets = await _counts(unit, search, sought, broad=broad)
        return self._results(search, places, shown, Results(facets=facets, total=total + _unworded(near)))

    async def _survey(self, search: Search, each: int) -> Survey:
        """By one transaction for all kinds, since each would have its own journeys otherwise."""
        sought = _sought(search)
        meaning = await self._meaning(search)
        async with self._database.unit() as unit:
            await store.plan_for_search(unit)
            total, facets = await _counts(unit, search, sought, broad=False)
            near = await self._near(unit, sought, meaning) if meaning else []
            counted = Results(facets=facets, total=total + _unworded(near))
            kinds = [one.value for one in facets[KIND]]
            if not each or not (kinds or near):
                return Survey(counted)
            parts = [replace(search, kinds=(kind,), limit=each) for kind in kinds] if len(kinds) > 1 else [search]
            places = [(await self._found(unit, part, _sought(part), meaning, broad=False))[0] for part in parts]
            shown = await _shown(unit, [place for found in places for place in found])
        if len(parts) == 1:
            return Survey(self._results(search, places[0], shown, counted))
        best = {
            part.kinds[0]: _hits(part, found, shown, marker_of(search.query))
            for part, found in zip(parts, places, strict=True)
        }
        return Survey(counted, best)

    async def _found(
        self, unit: Unit, search: Search, sought: Sought, meaning: Sequence[float] | None, *, broad: bool
    ) -> tuple[list[Place], list[Near]]:
        """Where the page stands and what follows it, and what means about the same as the query."""
        near = await self._near(unit, sought, meaning) if meaning else []
        found = _fused_places(unit, search, sought, near) if near else _places(unit, search, sought, broad=broad)
        return await found, near

    def _results(
        self, search: Search, places: Sequence[Place], shown: Mapping[int, Shown], counted: Results
    ) -> Results:  # fmt: skip
        page = [place for place in places[: search.limit] if place.id in shown]
        more = len(places) > search.limit
        return replace(
            counted,
            hits=_hits(search, page, shown, marker_of(search.query)),
            next_cursor=self._cursor_after(search, page[-1]) if more and page else None,
        )

    async def _meaning(self, search: Search) -> list[float] | None:
        wanted = self._embeddings is not None and search.order == "relevance"
        return await self._embeddings.of_query(search.query) if self._embeddings and wanted else None

    async def _near(self, unit: Unit, sought: Sought, meaning: Sequence[float]) -> list[Near]:
        assert self._embeddings is not None
        model = self._embeddings.model
        return await store.nearest_found(unit, sought, model, meaning, most=_NEAREST, farthest=_FARTHEST)


async def _shown(unit: Unit, places: Sequence[Place]) -> dict[int, Shown]:
    return await store.documents_by_id(unit, [place.id for place in places], looked_at=_LOOKED_AT)


def _hits(search: Search, places: Sequence[Place], shown: Mapping[int, Shown], marker: Marker) -> list[Hit]:
    return [
        hit_of(shown[place.id].document, place.score, marker) for place in places[: search.limit] if place.id in shown
    ]


def _unworded(near: Sequence[Near]) -> int:
    """How many are found by their meaning alone."""
    return sum(not one.has_words for one in near)


def _batched(documents: Iterator[Document]) -> Iterator[list[Document]]:
    while batch := list(islice(documents, _BATCH)):
        yield batch


def _rows(documents: Sequence[Document]) -> list[Row]:
    return [_row(document) for document in documents]


def _row(document: Document) -> Row:
    lexemes = lexemes_of(document)
    vector, whole = vector_of(lexemes)
    facets = (f"{name}={value}" for name, values in lexemes.facets.items() for value in values)
    return Row(
        kind=document.kind,
        key=document.id,
        moment=NO_DATE if document.date is None else _moment(document.date),
        owner=document.owner,
        permission=document.permission,
        facets=SEPARATOR.join(_storable(facet) for facet in facets),
        words=lexemes.words,
        date=document.date,
        title=_storable(document.title),
        path=document.path,
        language=document.language,
        fields=msgspec.json.encode(dict(document.fields)).decode(),
        body=_storable(document.body),
        whole=whole,
        vector=_storable(vector),
    )


def _storable(text: str) -> str:
    """Text without what PostgreSQL can't hold; files that people upload do contain it."""
    return _UNSTORABLE.sub(" ", text) if "\x00" in text or not text.isascii() else text


def _moment(date: datetime) -> int:
    return (date - _EPOCH) // _MICROSECOND


def _sought(search: Search) -> Sought:
    wanted = matching(search.query, kinds=search.kinds, filters=search.filters, since=search.since, until=search.until)
    viewer = search.viewer
    dated = wanted.since is not None or wanted.until is not None
    of_kinds = matching(Query(), kinds=search.kinds).everything or _EVERY_DOCUMENT
    return Sought(
        everything=wanted.everything or _EVERY_DOCUMENT,
        left_out=f"{of_kinds} & !({wanted.everything})" if wanted.everything else "",
        restrictions=wanted.restrictions or _EVERY_DOCUMENT,
        prominent=wanted.prominent,
        ranking=wanted.ranking,
        kinds=list(search.kinds),
        since=_moment(wanted.since) if wanted.since else NO_DATE + dated,
        until=_moment(wanted.until) if wanted.until else LAST,
        sees_everything=viewer.sees_everything,
        viewer=viewer.owner,
        permissions=sorted(viewer.permissions),
    )


async def _places(unit: Unit, search: Search, sought: Sought, *, broad: bool) -> list[Place]:
    """One more place than a page shows, which tells whether there is a next one."""
    limit = search.limit + 1
    match search.order:
        case "date":
            oldest = store.oldest_of_all if search.is_bare else store.oldest_found
            return await oldest(unit, sought, search.after or Place(0, NO_DATE, NO_DATE), limit)
        case "-date":
            found = newest_of_most if broad else store.newest_found
            newest = store.newest_of_all if search.is_bare else found
            return await newest(unit, sought, search.after or Place(0, LAST, LAST), limit)
    after = search.after or Place(LAST, LAST, LAST)
    places = await store.best_found(unit, sought, after, limit, ranked=RANKED) if after.score else []
    # A first page that isn't full holds everything, so nothing is left beyond the ranked.
    if len(places) < limit and search.after is not None:
        places += await store.rest_found(unit, sought, after, limit - len(places), ranked=RANKED)
    return places


async def _fused_places(unit: Unit, search: Search, sought: Sought, near: Sequence[Near]) -> list[Place]:
    """What has the words and what means about the same, as one list; then what is beyond the ranked."""
    limit, first = search.limit + 1, Place(LAST, LAST, LAST)
    after = search.after or first
    ranked = await store.best_found(unit, sought, first, RANKED, ranked=RANKED) if after.score else []
    places = [place for place in fused(ranked, near) if place < after] if after.score else []
    if len(places) < limit:
        shown = {one.id for one in near}
        rest = await store.rest_found(unit, sought, after, limit + len(shown), ranked=RANKED)
        places += [place for place in rest if place.id not in shown]
    return places[:limit]


async def _counts(
    unit: Unit, search: Search, sought: Sought, *, broad: bool
) -> tuple[int, dict[str, list[FacetCount]]]:
    """The total, and the facets asked for; every document has one kind, so the kinds add up to the total."""
    if not search.facets and not search.is_bare and not broad:
        return await store.count_found(unit, sought), {}
    count = store.kept_counts_less if broad else store.count_facets
    if search.is_bare:
        count = store.counts_between if sought.is_dated else store.kept_counts
    rows = await count(unit, sought, sorted({KIND, *search.facets}), most=2 * MOST_VALUES)
    total = sum(row.count for row in rows if row.name == KIND)
    counted = ((row.name, row.value, row.count) for row in rows)
    return total, grouped(search.facets, counted)
