"""Speeches as the unit: found by words, person, bill and any other filter, in the words of the record."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from almanac.desks.recap.model.facts.speakers import person_key
from almanac.desks.recap.model.speech_filters import SpeechFacet, SpeechFilter
from almanac.desks.recap.model.speech_views import SpeechFacetValue, SpeechHit, SpeechPage
from almanac.desks.recap.store import speeches as store
from almanac.desks.recap.store.reads import RecapReads
from almanac.desks.recap.store.speech_mapping import hit_from_row
from almanac.desks.recap.store.speeches import RANKED_SPEECHES, SpeechCounts, SpeechPlace, SpeechQuery
from almanac.errors import InputError
from almanac.kit.json_text import encode_json
from almanac.kit.messages import gettext
from almanac.kit.paging import decode_cursor, encode_cursor
from almanac.search.hits import MatchMarker, build_marker, build_snippet
from almanac.search.text_search import build_expressions

VALUES_PER_FACET = 20
_BATCH, _WHOLE = 200, 10_000_000
_SNIPPET_LENGTH = 180


async def list_speeches(
    services: RecapReads,
    wanted: SpeechFilter,
    *,
    facets: Sequence[SpeechFacet] = (),
    cursor: str | None = None,
    limit: int = 20,
) -> SpeechPage:
    """One page of the speeches that match a filter, with counts of the facets asked for."""
    key, name = services.key("cursors"), f"recap speeches {wanted}"
    query, marker = _build_query(services, wanted)
    after = _decode_place(cursor, name, key)
    async with services.database.unit() as unit:
        reader = await store.open_reader(unit, query)
        counts = await reader.counts(facets, most=VALUES_PER_FACET, limit=limit + 1) if facets else None
        places = (
            counts.newest
            if counts is not None and after is None and wanted.order == "newest"
            else await reader.page(wanted.order, after, limit + 1)
        )
        rows = await store.read_speeches(unit, places[:limit], longest=_WHOLE)
    is_ranked = wanted.order == "relevance" and bool(query.ranking)
    last = places[limit - 1] if len(places) > limit else None
    page = SpeechPage(
        items=[hit_from_row(row, build_snippet(row.text, marker, _SNIPPET_LENGTH)) for row in rows],
        ranked=RANKED_SPEECHES if is_ranked and (counts is None or counts.total > RANKED_SPEECHES) else None,
        next_cursor=encode_cursor([last.place, last.speech, last.score], of=name, key=key) if last else None,
    )
    return page if counts is None else _with_counts(page, counts, facets)


def _with_counts(page: SpeechPage, counts: SpeechCounts, facets: Sequence[SpeechFacet]) -> SpeechPage:
    return replace(
        page,
        total=counts.total,
        total_is_exact=counts.is_exact,
        facets_among=counts.among,
        facets={
            facet: [SpeechFacetValue(facet, value, count) for name, value, count in counts.values if name == facet]
            for facet in facets
        },
    )


async def list_speeches_since(
    services: RecapReads, wanted: SpeechFilter, moment: datetime, *, limit: int = 50
) -> list[SpeechHit]:
    """Speeches of articles first published after a moment, in the order of publication; a re-made one isn't new."""
    query, marker = _build_query(services, wanted)
    if not query.wanted:
        raise InputError(gettext("Say whose speeches, or which words, bill or committee."))
    async with services.database.unit() as unit:
        places = await store.list_speeches_since(unit, query.wanted, moment, limit=limit)
        rows = await store.read_speeches(unit, places, longest=_WHOLE)
    return [hit_from_row(row, build_snippet(row.text, marker, _SNIPPET_LENGTH)) for row in rows]


async def iterate_speeches(services: RecapReads, wanted: SpeechFilter) -> AsyncIterator[SpeechHit]:
    """Every speech that matches a filter, by day, with all its words and without a snippet."""
    query, _ = _build_query(services, wanted)
    after: SpeechPlace | None = None
    while True:
        async with services.database.unit() as unit:
            reader = await store.open_reader(unit, query)
            places = await reader.page(wanted.order, after, _BATCH)
            rows = await store.read_speeches(unit, places, longest=_WHOLE)
        for row in rows:
            yield hit_from_row(row, ())
        if len(places) < _BATCH:
            return
        after = places[-1]


async def export_speeches(services: RecapReads, wanted: SpeechFilter) -> AsyncIterator[bytes]:
    """Every speech that matches a filter as a line of JSON."""
    async for hit in iterate_speeches(services, wanted):
        yield encode_json(describe_speech(hit)) + b"\n"


def describe_speech(hit: SpeechHit) -> dict[str, object]:
    """A speech with what is said of its meeting, flat, for files."""
    card = hit.card
    return {
        "article_id": card.id,
        "order": hit.order,
        "date": card.date[:10],
        "session": card.session,
        "house": card.name_of_house,
        "meeting": card.name_of_meeting,
        "speaker": hit.speaker,
        "key": hit.key,
        "group": hit.group,
        "position": hit.position,
        "role": hit.role,
        "reaction": hit.reaction,
        "bills": hit.bills,
        "text": hit.text,
        "url": hit.url,
    }


def _build_query(services: RecapReads, wanted: SpeechFilter) -> tuple[SpeechQuery, MatchMarker]:
    """The filter as the index reads it, and what to mark in texts."""
    parsed = services.search.parse(wanted.text)
    filters = {str(facet): list(values) for facet, values in wanted.chosen.items()}
    if "person" in filters:
        filters["person"] = [person_key(name, None) for name in filters["person"]]
    expressions = build_expressions(parsed, filters=filters)
    since = [day for day in (wanted.since, _day(expressions.since)) if day]
    last = _day(expressions.until)
    until = [day for day in (wanted.until, last - timedelta(days=1) if last else None) if day]
    query = SpeechQuery(
        wanted=expressions.everything,
        since=max(since, default=None),
        until=min(until, default=None),
        prominent=expressions.prominent,
        ranking=expressions.ranking,
    )
    return query, build_marker(parsed)


def _day(moment: datetime | None) -> date | None:
    return moment.astimezone(UTC).date() if moment else None


def _decode_place(cursor: str | None, name: str, key: bytes) -> SpeechPlace | None:
    if cursor is None:
        return None
    numbers = [value for value in decode_cursor(cursor, of=name, key=key) if isinstance(value, int)]
    return SpeechPlace(*numbers) if len(numbers) == 3 else None
