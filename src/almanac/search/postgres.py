"""The search index on PostgreSQL: vectors are built here; matching, ranking and counting happen there."""

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import islice

from almanac.kit.json_text import encode_json
from almanac.relational import Database, Unit
from almanac.search import store
from almanac.search.corrections import find_corrections
from almanac.search.counter import SearchCounter, SearchCounts, find_days_holding, restrict_to
from almanac.search.embeddings import EmbeddingIndex
from almanac.search.hits import MatchMarker, build_bare_hit, build_hit, build_marker
from almanac.search.index import COUNT_LIMIT, LANGUAGE_BOOST, BaseIndex, ResultPosition, SearchRequest
from almanac.search.model import Correction, SearchDocument, SearchHit, SearchResults, SearchSurvey
from almanac.search.store import (
    LAST,
    NO_DATE,
    FoundDocument,
    SearchParameters,
    SearchRow,
    SimilarDocument,
    day_from_microseconds,
    to_microseconds,
)
from almanac.search.terms import KIND, SEPARATOR, extract_lexemes
from almanac.search.text_search import (
    FIRST_DAY,
    LAST_DAY,
    MatchExpressions,
    build_expressions,
    build_tsvector,
    day_expression,
)
from almanac.search.vocabulary import IndexVocabulary

# The usual constant: large enough that the first few places of one list don't outweigh both lists together.
_SMOOTHING = 60
_FUSION_SCALE = 1_000_000_000


def fuse_rankings(ranked: Sequence[ResultPosition], near: Sequence[SimilarDocument]) -> list[ResultPosition]:
    """Merge two rankings by reciprocal rank; the documents of both, best first."""
    moments = {place.id: place.moment for place in ranked} | {document.id: document.moment for document in near}
    scores = dict.fromkeys(moments, 0)
    for order in ([place.id for place in ranked], [document.id for document in near]):
        for rank, number in enumerate(order, 1):
            scores[number] += _FUSION_SCALE // (_SMOOTHING + rank)
    places = [ResultPosition(score, moments[number], number) for number, score in scores.items()]
    return sorted(places, reverse=True)


# Beyond so many matches the rest is ordered by date: reading every vector to rank it would take longer than anybody
# waits, and of ten thousand matches nobody sees the last.
MAX_RANKED = 500
# Of documents without the words only a few that mean nearly the same are worth a place; the distance is the cosine's.
_NEAREST, _FARTHEST = 20, 0.65
_BATCH = 100
_DAY = timedelta(days=1)
_LOOKED_AT = 1_000_000
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_EVERY_DOCUMENT = f"'{KIND}=':*"


class PostgresIndex(BaseIndex):
    """Documents stored beside the data they show, changed in the same transactions."""

    def __init__(
        self,
        database: Database,
        *,
        cursor_key: bytes,
        embeddings: EmbeddingIndex | None = None,
        counted: int = COUNT_LIMIT,
    ) -> None:
        super().__init__(cursor_key, counted)
        self._database = database
        self._embeddings = embeddings

    async def put(self, unit: Unit, *documents: SearchDocument) -> None:
        """Upsert documents in sorted order, so that concurrent calls don't deadlock."""
        latest = {(document.kind, document.id): document for document in documents}
        if not latest:
            return
        await store.lock_kinds(unit, sorted({kind for kind, _ in latest}))
        batches = _batched(latest[name] for name in sorted(latest))
        vocabulary: set[str] = set()
        rows = await asyncio.to_thread(_build_rows, next(batches), vocabulary)
        for batch in batches:
            # The next batch is taken apart while the database stores this one.
            storing = asyncio.create_task(store.upsert_documents(unit, rows))
            try:
                rows = await asyncio.to_thread(_build_rows, batch, vocabulary)
            finally:
                await storing
        await store.upsert_documents(unit, rows)
        await store.add_words(unit, sorted(map(_storable, vocabulary)))
        await store.apply_count_changes(unit)

    async def remove(self, unit: Unit, kind: str, ids: Sequence[str]) -> None:
        if ids:
            await store.lock_kinds(unit, [kind])
            await store.remove_documents(unit, kind, ids)
            await store.apply_count_changes(unit)

    async def _find(self, search: SearchRequest) -> SearchResults:
        params = _build_parameters(search)
        meaning = await self._meaning(search)
        async with self._database.unit() as unit:
            documents = await store.plan_for_search(unit)
            counts = await SearchCounter(unit, search, params, self._counted, documents).counts()
            places, near = await self._found(unit, search, params, meaning, many=counts.or_more)
            if search.bare:
                keys = await store.find_document_keys(unit, [place.id for place in places])
                hits = {place.id: build_bare_hit(*keys[place.id], place.score) for place in places if place.id in keys}
            else:
                hits = _build_hits(places, await _load_documents(unit, places), build_marker(search.query))
        return self._results(search, places, hits, _count_results(counts, near))

    async def _survey(self, search: SearchRequest, each: int) -> SearchSurvey:
        """One transaction for all kinds, to save round trips."""
        params = _build_parameters(search)
        meaning = await self._meaning(search)
        async with self._database.unit() as unit:
            documents = await store.plan_for_search(unit)
            counts = await SearchCounter(unit, search, params, self._counted, documents).counts()
            near = await self._near(unit, params, meaning) if meaning else []
            results = replace(_count_results(counts, near), corrections=search.corrections)
            kinds = counts.facets[KIND]
            if not each or not (kinds or near):
                return SearchSurvey(results)
            parts = [(replace(search, kinds=(facet.value,), limit=each), facet.or_more) for facet in kinds]
            parts = parts if len(kinds) > 1 else [(search, counts.or_more)]
            places = [
                (await self._found(unit, part, _build_parameters(part), meaning, many=many))[0] for part, many in parts
            ]
            shown = await _load_documents(unit, [place for positions in places for place in positions])
        if len(parts) == 1:
            hits = _build_hits(places[0], shown, build_marker(search.query))
            return SearchSurvey(self._results(search, places[0], hits, results))
        best = {
            part.kinds[0]: list(_build_hits(positions[: part.limit], shown, build_marker(search.query)).values())
            for (part, _), positions in zip(parts, places, strict=True)
        }
        return SearchSurvey(results, best)

    async def _correct(self, search: SearchRequest, *, matches: int | None = None) -> tuple[Correction, ...]:
        async with self._database.unit() as unit:
            await store.plan_for_search(unit)
            vocabulary = IndexVocabulary(unit, _build_parameters(search))
            return await find_corrections(search.query, vocabulary, matches=matches)

    async def _found(
        self,
        unit: Unit,
        search: SearchRequest,
        params: SearchParameters,
        meaning: Sequence[float] | None,
        *,
        many: bool,
    ) -> tuple[list[ResultPosition], list[SimilarDocument]]:
        """The positions of the page and the one after it, and documents similar in meaning."""
        near = await self._near(unit, params, meaning) if meaning else []
        if near:
            return await _find_fused_positions(unit, search, params, near, many=many), near
        return await _find_positions(unit, search, params, many=many), near

    def _results(
        self,
        search: SearchRequest,
        places: Sequence[ResultPosition],
        hits: Mapping[int, SearchHit],
        counted: SearchResults,
    ) -> SearchResults:
        page = [place for place in places[: search.limit] if place.id in hits]
        more = len(places) > search.limit
        return replace(
            counted,
            hits=[hits[place.id] for place in page],
            next_cursor=self._cursor_after(search, page[-1]) if more and page else None,
            corrections=search.corrections,
        )

    async def _meaning(self, search: SearchRequest) -> list[float] | None:
        wanted = self._embeddings is not None and search.order == "relevance"
        return await self._embeddings.of_query(search.query) if self._embeddings and wanted else None

    async def _near(self, unit: Unit, params: SearchParameters, meaning: Sequence[float]) -> list[SimilarDocument]:
        assert self._embeddings is not None
        model = self._embeddings.model
        return await store.find_nearest(unit, params, model, meaning, most=_NEAREST, farthest=_FARTHEST)


async def _load_documents(unit: Unit, places: Sequence[ResultPosition]) -> dict[int, FoundDocument]:
    return await store.find_documents(unit, [place.id for place in places], looked_at=_LOOKED_AT)


def _build_hits(
    places: Sequence[ResultPosition], shown: Mapping[int, FoundDocument], marker: MatchMarker
) -> dict[int, SearchHit]:
    return {place.id: build_hit(shown[place.id].document, place.score, marker) for place in places if place.id in shown}


def _count_results(counts: SearchCounts, near: Sequence[SimilarDocument]) -> SearchResults:
    """The counts, including documents found by meaning alone."""
    unworded = sum(not document.has_words for document in near)
    return SearchResults(
        facets=counts.facets, total=counts.total + unworded, or_more=counts.or_more, facets_among=counts.among
    )


def _batched(documents: Iterator[SearchDocument]) -> Iterator[list[SearchDocument]]:
    while batch := list(islice(documents, _BATCH)):
        yield batch


def _build_rows(documents: Sequence[SearchDocument], vocabulary: set[str]) -> list[SearchRow]:
    """The rows of documents; their words are added to the vocabulary."""
    return [_build_row(document, vocabulary) for document in documents]


def _build_row(document: SearchDocument, vocabulary: set[str]) -> SearchRow:
    lexemes = extract_lexemes(document)
    vocabulary |= lexemes.vocabulary
    vector, whole = build_tsvector(lexemes)
    facets = (f"{name}={value}" for name, values in lexemes.facets.items() for value in values)
    return SearchRow(
        kind=document.kind,
        key=document.id,
        moment=NO_DATE if document.date is None else to_microseconds(document.date),
        owner=document.owner,
        permission=document.permission,
        facets=SEPARATOR.join(_storable(facet) for facet in facets),
        words=lexemes.words,
        date=document.date,
        title=_storable(document.title),
        path=document.path,
        language=document.language,
        fields=encode_json(dict(document.fields)).decode(),
        body=_storable(document.body),
        whole=whole,
        vector=_storable(vector),
    )


def _storable(text: str) -> str:
    """The text without characters that PostgreSQL refuses, which uploaded files may contain."""
    return _UNSTORABLE.sub(" ", text) if "\x00" in text or not text.isascii() else text


def _build_parameters(search: SearchRequest) -> SearchParameters:
    wanted = build_expressions(
        search.query, kinds=search.kinds, filters=search.filters, since=search.since, until=search.until
    )
    viewer = search.viewer
    dated = wanted.since is not None or wanted.until is not None
    return SearchParameters(
        everything=_with_day_terms(wanted) or _EVERY_DOCUMENT,
        restrictions=wanted.restrictions or _EVERY_DOCUMENT,
        prominent=wanted.prominent,
        ranking=wanted.ranking,
        kinds=list(search.kinds),
        languages=list(search.languages),
        language_boost=LANGUAGE_BOOST,
        since=to_microseconds(wanted.since) if wanted.since else NO_DATE + dated,
        until=to_microseconds(wanted.until) if wanted.until else LAST,
        sees_everything=viewer.sees_everything,
        viewer=viewer.owner,
        hidden_kinds=list(viewer.hidden_kinds),
        permissions=sorted(viewer.permissions),
    )


def _with_day_terms(wanted: MatchExpressions) -> str:
    """The expression with the days in the index's own terms, so that other days aren't read."""
    since, until = wanted.since, wanted.until
    if not wanted.everything or since is None or until is None:
        return wanted.everything
    first, last = day_from_microseconds(to_microseconds(since)), day_from_microseconds(to_microseconds(until))
    if not FIRST_DAY <= first <= last < LAST_DAY - _DAY:
        return wanted.everything
    return f"({wanted.everything}) & {day_expression(first, last + _DAY)}"


async def _find_positions(
    unit: Unit, search: SearchRequest, params: SearchParameters, *, many: bool
) -> list[ResultPosition]:
    """One position more than a page shows, which tells whether there is a next page."""
    limit = search.limit + 1
    if search.order != "relevance":
        return await _find_by_date(unit, search, params, limit, many=many)
    after = search.after or ResultPosition(LAST, LAST, LAST)
    ranked = await _restrict_ranking(unit, params) if many and after.score else params
    places = await store.find_best(unit, ranked, after, limit, ranked=MAX_RANKED) if after.score else []
    # A first page that isn't full holds everything, so nothing is left beyond the ranked.
    if len(places) < limit and search.after is not None:
        places += await store.find_rest(unit, params, after, limit - len(places), ranked=MAX_RANKED)
    return places


async def _find_by_date(
    unit: Unit, search: SearchRequest, params: SearchParameters, limit: int, *, many: bool
) -> list[ResultPosition]:
    newest = search.order == "-date"
    after = search.after or (ResultPosition(0, LAST, LAST) if newest else ResultPosition(0, NO_DATE, NO_DATE))
    if search.is_unfiltered:
        return await (store.find_newest_unfiltered if newest else store.find_oldest_unfiltered)(
            unit, params, after, limit
        )
    read = store.find_newest if newest else store.find_oldest
    if many:
        rest = (
            replace(params, until=min(params.until, after.moment + 1))
            if newest
            else replace(params, since=max(params.since, after.moment))
        )
        days = await find_days_holding(unit, rest, limit, newest=newest)
        # Some of what these days hold may stand before the place itself, having the same moment.
        if days and len(positions := await read(unit, restrict_to(params, days), after, limit)) == limit:
            return positions
    return await read(unit, params, after, limit)


async def _restrict_ranking(unit: Unit, params: SearchParameters) -> SearchParameters:
    """Restrict ranking of very many matches to the newest, and the newest with the words prominent."""
    newest = await find_days_holding(unit, params, MAX_RANKED)
    if not newest:
        return params
    prominent, about = f"({params.prominent})", restrict_to(params, f"({params.prominent})")
    if days := await find_days_holding(unit, about, MAX_RANKED):
        prominent = f"({prominent} & {days})"
    return replace(restrict_to(params, f"({newest} | {prominent})"), prominent=prominent)


async def _find_fused_positions(
    unit: Unit, search: SearchRequest, params: SearchParameters, near: Sequence[SimilarDocument], *, many: bool
) -> list[ResultPosition]:
    """Matches by words and by meaning as one list; then what is beyond the ranked ones."""
    limit, first = search.limit + 1, ResultPosition(LAST, LAST, LAST)
    after = search.after or first
    worth = await _restrict_ranking(unit, params) if many and after.score else params
    ranked = await store.find_best(unit, worth, first, MAX_RANKED, ranked=MAX_RANKED) if after.score else []
    places = [place for place in fuse_rankings(ranked, near) if place < after] if after.score else []
    if len(places) < limit:
        shown = {document.id for document in near}
        rest = await store.find_rest(unit, params, after, limit + len(shown), ranked=MAX_RANKED)
        places += [place for place in rest if place.id not in shown]
    return places[:limit]
