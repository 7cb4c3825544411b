"""Speeches in PostgreSQL: one row each, found by one index over their words, facets and days.

Rows go and come with their articles in the same transaction. Of very many matches only the newest are read: a vector
holds its day, so the index looks up the words together with the latest days that hold enough.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any

from almanac.desks.recap.store.register import QUERIES
from almanac.relational import ReadTransaction, Unit
from almanac.search.text_search import day_expression

COUNTED_SPEECHES, RANKED_SPEECHES = 1000, 300
"""Totals and facets are counted up to so many of the newest matches, and so many are ranked."""
_PLACE_BITS, _FIRST_DAY, _DAY = 32, date(1, 1, 1), timedelta(days=1)
_MANY_FACTOR, _MAX_STEPS, _GROWTH = 2, 10, 6
_LAST = 2**62
_SEPARATOR = "\x1f"


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechEntry:
    """A speech to index: its facets as name=value, what else is shown of it as JSON, its words and its vector."""

    article_id: str
    order: int
    words: int
    facets: Sequence[str]
    about: bytes
    text: str
    vector: str


@dataclass(frozen=True, slots=True)
class SpeechPlace:
    """The position of a speech in a list: by score where it is ranked, then by the place of its article."""

    place: int
    speech: int
    score: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechQuery:
    """An expression to match, empty for all speeches; days of meetings, both included; what relevance is ranked by."""

    wanted: str
    since: date | None = None
    until: date | None = None
    prominent: str = ""
    ranking: str = ""

    @property
    def bounds(self) -> dict[str, int]:
        """The places just before the first day and just after the last."""
        first = ((self.since or date.min) - _FIRST_DAY).days
        last = ((self.until or date.max) - _FIRST_DAY).days
        return {"above": (first << _PLACE_BITS) - 1, "below": (last + 1) << _PLACE_BITS}


@dataclass(frozen=True, slots=True)
class StoredSpeech:
    """A row as it is shown."""

    place: int
    speech: int
    facets: list[str]
    about: dict[str, str]
    text: str
    card: object
    first_at: datetime


@dataclass(frozen=True, slots=True)
class SpeechCounts:
    """How many match and how many of them have which value; `among` is the number of the newest, or None for all.

    If the total isn't exact, there are more.
    """

    total: int
    values: Sequence[tuple[str, str, int]]
    is_exact: bool = True
    among: int | None = None
    newest: Sequence[SpeechPlace] = ()


async def put_speeches(unit: Unit, article_ids: Sequence[str], entries: Sequence[SpeechEntry]) -> None:
    """Replace all speeches of registered articles."""
    await unit.execute(QUERIES["delete_speeches"], {"ids": list(article_ids)})
    if entries:
        await unit.execute(
            QUERIES["insert_speeches"],
            {
                "ids": [entry.article_id for entry in entries],
                "orders": [entry.order for entry in entries],
                "words": [entry.words for entry in entries],
                "facets": [_SEPARATOR.join(entry.facets) for entry in entries],
                "about": [entry.about.decode() for entry in entries],
                "texts": [entry.text for entry in entries],
                "vectors": [entry.vector for entry in entries],
            },
        )


class SpeechReader:
    """Reads one search; what is much is read from its newest or oldest days only."""

    def __init__(self, unit: Unit, query: SpeechQuery, speeches: int, days: tuple[date, date] | None) -> None:
        self._unit = unit
        self._query = query
        self._speeches = speeches
        self._days = days
        self._estimate: int | None = None

    async def page(self, order: str, after: SpeechPlace | None, limit: int) -> list[SpeechPlace]:
        """The positions of one page in an order, after a position."""
        if self._days is None:
            return []
        if order == "relevance" and self._query.ranking:
            return await self._ranked(after, limit)
        newest = order != "oldest"
        rest = self._after(after, newest=newest) if after else self._query
        window = await self._window(rest, limit + 1 if after else limit, newest=newest)
        name = "list_newest_speeches" if newest else "list_oldest_speeches"
        places = await self._list(name, window, _after_parameters(after, newest=newest), limit)
        if len(places) < limit and window != rest:
            # Some of what the window holds stands before the position, in the same meeting.
            return await self._list(name, rest, _after_parameters(after, newest=newest), limit)
        return places

    async def counts(self, names: Sequence[str], *, most: int, limit: int = 0) -> SpeechCounts:
        """The total, the most frequent values of facets, and the first page of the newest on the way."""
        if self._days is None:
            return SpeechCounts(0, ())
        window = await self._window(self._query, COUNTED_SPEECHES + 1, newest=True)
        params = {**_parameters(window), "names": list(names), "most": most, "upto": COUNTED_SPEECHES, "limit": limit}
        rows = await self._unit.all(QUERIES["survey_speeches"], params)
        total = next(row["count"] for row in rows if row["name"] == "all")
        page = sorted((row["place"], row["count"]) for row in rows if row["name"] == "page")
        is_exact = window == self._query
        return SpeechCounts(
            total=total if is_exact else COUNTED_SPEECHES,
            values=[(row["name"], row["value"], row["count"]) for row in rows if row["name"] not in ("all", "page")],
            is_exact=is_exact,
            among=COUNTED_SPEECHES if total > COUNTED_SPEECHES else None,
            newest=[SpeechPlace(*position) for position in reversed(page)],
        )

    async def _ranked(self, after: SpeechPlace | None, limit: int) -> list[SpeechPlace]:
        """Of very many, those are ranked where the words are prominent, and of these the newest."""
        query = self._query
        if query.prominent and await self._are_many(query, RANKED_SPEECHES):
            prominent = replace(query, wanted=f"({query.wanted}) & {query.prominent}")
            if await self._count(prominent, limit) >= limit:
                query = prominent
        window = await self._window(query, RANKED_SPEECHES, newest=True)
        last = after or SpeechPlace(_LAST, 0, _LAST)
        params = {
            "ranking": query.ranking,
            "ranked": RANKED_SPEECHES,
            "after_score": last.score,
            "after_place": last.place,
            "after_speech": last.speech,
        }
        return await self._list("list_best_speeches", window, params, limit)

    async def _list(self, name: str, query: SpeechQuery, more: Mapping[str, Any], limit: int) -> list[SpeechPlace]:
        params = {**_parameters(query), **more, "limit": limit}
        return await self._unit.all(QUERIES[name], params, into=SpeechPlace)

    async def _count(self, query: SpeechQuery, upto: int) -> int:
        window = await self._window(query, upto, newest=True)
        return int(await self._unit.value(QUERIES["count_speeches"], {**_parameters(window), "upto": upto}))

    def _after(self, after: SpeechPlace, *, newest: bool) -> SpeechQuery:
        """The days that a following page can be of."""
        day = _FIRST_DAY + (after.place >> _PLACE_BITS) * _DAY
        return replace(self._query, until=day) if newest else replace(self._query, since=day)

    async def _are_many(self, query: SpeechQuery, enough: int) -> bool:
        """Whether far more than enough are likely to match; a small archive isn't even asked."""
        if self._speeches <= _MANY_FACTOR * enough:
            return False
        if not query.wanted:
            return True
        if self._estimate is None:
            (explained,) = await self._unit.value(QUERIES["estimate_speeches"], {"wanted": self._query.wanted})
            self._estimate = int(explained["Plan"]["Plan Rows"])
        return self._estimate > _MANY_FACTOR * enough

    async def _window(self, query: SpeechQuery, enough: int, *, newest: bool) -> SpeechQuery:
        """The query for the newest or oldest days that hold enough matches; the query itself where it has few."""
        assert self._days is not None
        first, last = max(self._days[0], query.since or date.min), min(self._days[1], query.until or date.max)
        if first > last or not await self._are_many(query, enough):
            return query
        matches = self._estimate if query.wanted and self._estimate else self._speeches
        width = max(1, 2 * enough * (self._days[1] - self._days[0]).days // max(matches, 1))
        for _ in range(_MAX_STEPS):
            since, until = (last - (width - 1) * _DAY, last) if newest else (first, first + (width - 1) * _DAY)
            window = replace(query, since=max(since, first), until=min(until, last))
            if window.since == first and window.until == last:
                return query
            held = await self._unit.value(QUERIES["count_speeches"], {**_parameters(window), "upto": enough})
            if held >= enough:
                return window
            width *= _GROWTH
        return query


def _parameters(query: SpeechQuery) -> dict[str, Any]:
    """The expression with the days in the index's own terms where both ends are given, so that others aren't read."""
    days = day_expression(query.since, query.until + _DAY) if query.since and query.until else ""
    wanted = " & ".join(f"({part})" for part in (query.wanted, days) if part)
    return {"wanted": wanted or "'@':*", **query.bounds}


def _after_parameters(after: SpeechPlace | None, *, newest: bool) -> dict[str, int]:
    if after is not None:
        return {"after_place": after.place, "after_speech": after.speech}
    return {"after_place": _LAST if newest else -_LAST, "after_speech": 0}


async def open_reader(unit: Unit, query: SpeechQuery) -> SpeechReader:
    """A reader of one search, which knows how many speeches there are and of which days."""
    row = await unit.one(QUERIES["plan_for_speeches"])
    if row is None or row["first_place"] is None:
        return SpeechReader(unit, query, 0, None)
    days = tuple(_FIRST_DAY + (row[name] >> _PLACE_BITS) * _DAY for name in ("first_place", "last_place"))
    return SpeechReader(unit, query, row["speeches"], (days[0], days[1]))


async def read_speeches(reading: ReadTransaction, places: Sequence[SpeechPlace], *, longest: int) -> list[StoredSpeech]:
    """What is shown of speeches in the order of the places; those that are gone are left out."""
    params = {
        "places": [place.place for place in places],
        "speeches": [place.speech for place in places],
        "longest": longest,
    }
    rows = await reading.all(QUERIES["read_speeches"], params, into=StoredSpeech) if places else []
    by_place = {(row.place, row.speech): row for row in rows}
    return [row for place in places if (row := by_place.get((place.place, place.speech)))]


async def list_speeches_since(unit: Unit, wanted: str, moment: datetime, *, limit: int) -> list[SpeechPlace]:
    """Speeches that match, of articles first published after a moment, in the order of publication."""
    params = {"wanted": wanted, "moment": moment, "limit": limit}
    return await unit.all(QUERIES["list_speeches_since"], params, into=SpeechPlace)
