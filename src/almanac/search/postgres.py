"""The search index on PostgreSQL: text search vectors made here; matched, ranked and counted there."""

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import islice

import msgspec

from almanac.relational import Database, Unit
from almanac.search import store
from almanac.search.counting import Counting, Counts
from almanac.search.embeddings import Embeddings
from almanac.search.fusion import fused
from almanac.search.hits import hit_of
from almanac.search.index import COUNTED, Index, Place, Search
from almanac.search.model import Document, Hit, Results, Survey
from almanac.search.snippets import Marker, marker_of
from almanac.search.spans import days_holding, within
from almanac.search.store import LAST, NO_DATE, Near, Row, Shown, Sought, day_of, moment_of
from almanac.search.terms import KIND, SEPARATOR, lexemes_of
from almanac.search.tsquery import FIRST_DAY, LAST_DAY, Matching, matching, within_days
from almanac.search.tsvector import vector_of

# Beyond so many matches the rest is ordered by date: reading every vector to rank it would take longer than anybody
# waits, and of ten thousand matches nobody sees the last.
RANKED = 500
# Of documents without the words only a few that mean nearly the same are worth a place; the distance is the cosine's.
_NEAREST, _FARTHEST = 20, 0.65
_BATCH = 100
_DAY = timedelta(days=1)
_LOOKED_AT = 1_000_000
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_EVERY_DOCUMENT = f"'{KIND}=':*"


class PostgresIndex(Index):
    """Documents beside the data they show, changed in the same transactions."""

    def __init__(
        self, database: Database, *, cursor_key: bytes, embeddings: Embeddings | None = None, counted: int = COUNTED
    ) -> None:
        super().__init__(cursor_key, counted)
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
            documents = await store.plan_for_search(unit)
            counts = await Counting(unit, search, sought, self._counted, documents).counts()
            places, near = await self._found(unit, search, sought, meaning, many=counts.or_more)
            shown = await _shown(unit, places)
        return self._results(search, places, shown, _told(counts, near))

    async def _survey(self, search: Search, each: int) -> Survey:
        """By one transaction for all kinds, since each would have its own journeys otherwise."""
        sought = _sought(search)
        meaning = await self._meaning(search)
        async with self._database.unit() as unit:
            documents = await store.plan_for_search(unit)
            counts = await Counting(unit, search, sought, self._counted, documents).counts()
            near = await self._near(unit, sought, meaning) if meaning else []
            told, kinds = _told(counts, near), counts.facets[KIND]
            if not each or not (kinds or near):
                return Survey(told)
            parts = [(replace(search, kinds=(one.value,), limit=each), one.or_more) for one in kinds]
            parts = parts if len(kinds) > 1 else [(search, counts.or_more)]
            places = [(await self._found(unit, part, _sought(part), meaning, many=many))[0] for part, many in parts]
            shown = await _shown(unit, [place for found in places for place in found])
        if len(parts) == 1:
            return Survey(self._results(search, places[0], shown, told))
        best = {
            part.kinds[0]: _hits(part, found, shown, marker_of(search.query))
            for (part, _), found in zip(parts, places, strict=True)
        }
        return Survey(told, best)

    async def _found(
        self, unit: Unit, search: Search, sought: Sought, meaning: Sequence[float] | None, *, many: bool
    ) -> tuple[list[Place], list[Near]]:
        """Where the page stands and what follows it, and what means about the same as the query."""
        near = await self._near(unit, sought, meaning) if meaning else []
        if near:
            return await _fused_places(unit, search, sought, near, many=many), near
        return await _places(unit, search, sought, many=many), near

    def _results(
        self, search: Search, places: Sequence[Place], shown: Mapping[int, Shown], counted: Results
    ) -> Results:
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


def _told(counts: Counts, near: Sequence[Near]) -> Results:
    """What was counted, with those that are found by their meaning alone."""
    unworded = sum(not one.has_words for one in near)
    return Results(
        facets=counts.facets, total=counts.total + unworded, or_more=counts.or_more, facets_among=counts.among
    )


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
        moment=NO_DATE if document.date is None else moment_of(document.date),
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


def _sought(search: Search) -> Sought:
    wanted = matching(search.query, kinds=search.kinds, filters=search.filters, since=search.since, until=search.until)
    viewer = search.viewer
    dated = wanted.since is not None or wanted.until is not None
    return Sought(
        everything=_on_days(wanted) or _EVERY_DOCUMENT,
        restrictions=wanted.restrictions or _EVERY_DOCUMENT,
        prominent=wanted.prominent,
        ranking=wanted.ranking,
        kinds=list(search.kinds),
        since=moment_of(wanted.since) if wanted.since else NO_DATE + dated,
        until=moment_of(wanted.until) if wanted.until else LAST,
        sees_everything=viewer.sees_everything,
        viewer=viewer.owner,
        permissions=sorted(viewer.permissions),
    )


def _on_days(wanted: Matching) -> str:
    """Everything, with the days in the index's own terms, so that it need not read what was written at other times."""
    since, until = wanted.since, wanted.until
    if not wanted.everything or since is None or until is None:
        return wanted.everything
    first, last = day_of(moment_of(since)), day_of(moment_of(until))
    if not FIRST_DAY <= first <= last < LAST_DAY - _DAY:
        return wanted.everything
    return f"({wanted.everything}) & {within_days(first, last + _DAY)}"


async def _places(unit: Unit, search: Search, sought: Sought, *, many: bool) -> list[Place]:
    """One more place than a page shows, which tells whether there is a next one."""
    limit = search.limit + 1
    if search.order != "relevance":
        return await _by_date(unit, search, sought, limit, many=many)
    after = search.after or Place(LAST, LAST, LAST)
    ranked = await _worth_ranking(unit, sought) if many and after.score else sought
    places = await store.best_found(unit, ranked, after, limit, ranked=RANKED) if after.score else []
    # A first page that isn't full holds everything, so nothing is left beyond the ranked.
    if len(places) < limit and search.after is not None:
        places += await store.rest_found(unit, sought, after, limit - len(places), ranked=RANKED)
    return places


async def _by_date(unit: Unit, search: Search, sought: Sought, limit: int, *, many: bool) -> list[Place]:
    newest = search.order == "-date"
    after = search.after or (Place(0, LAST, LAST) if newest else Place(0, NO_DATE, NO_DATE))
    if search.is_bare:
        return await (store.newest_of_all if newest else store.oldest_of_all)(unit, sought, after, limit)
    read = store.newest_found if newest else store.oldest_found
    if many:
        rest = (
            replace(sought, until=min(sought.until, after.moment + 1))
            if newest
            else replace(sought, since=max(sought.since, after.moment))
        )
        days = await days_holding(unit, rest, limit, newest=newest)
        # Some of what these days hold may stand before the place itself, having the same moment.
        if days and len(found := await read(unit, within(sought, days), after, limit)) == limit:
            return found
    return await read(unit, sought, after, limit)


async def _worth_ranking(unit: Unit, sought: Sought) -> Sought:
    """Those of very many that may be ranked: the newest, and the newest of those where the words are prominent."""
    newest = await days_holding(unit, sought, RANKED)
    if not newest:
        return sought
    prominent, about = f"({sought.prominent})", within(sought, f"({sought.prominent})")
    if days := await days_holding(unit, about, RANKED):
        prominent = f"({prominent} & {days})"
    return replace(within(sought, f"({newest} | {prominent})"), prominent=prominent)


async def _fused_places(unit: Unit, search: Search, sought: Sought, near: Sequence[Near], *, many: bool) -> list[Place]:
    """What has the words and what means about the same, as one list; then what is beyond the ranked."""
    limit, first = search.limit + 1, Place(LAST, LAST, LAST)
    after = search.after or first
    worth = await _worth_ranking(unit, sought) if many and after.score else sought
    ranked = await store.best_found(unit, worth, first, RANKED, ranked=RANKED) if after.score else []
    places = [place for place in fused(ranked, near) if place < after] if after.score else []
    if len(places) < limit:
        shown = {one.id for one in near}
        rest = await store.rest_found(unit, sought, after, limit + len(shown), ranked=RANKED)
        places += [place for place in rest if place.id not in shown]
    return places[:limit]
