"""Every read and write of the register in PostgreSQL, by name."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import LiteralString

from almanac.desks.recap.filters import FACETS, ArticleFilter, Facet, folded
from almanac.relational import Unit, load_queries

QUERIES = load_queries(__package__)
COUNTED = 1000
"""Facets are counted over so many of the newest articles found; more would take longer than anybody waits."""
_LOCK = 0x52454341
_FIRST, _LAST = date(1, 1, 1), date(9999, 12, 31)
_LAST_NUMBER = 2**62
_LIKE = str.maketrans({"\\": "\\\\", "%": "\\%", "_": "\\_"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An article to file: its day, its values by facet, and what is shown of it as JSON."""

    id: str
    day: date
    values: Mapping[Facet, Sequence[str]]
    card: bytes

    def filed_under(self) -> Iterable[tuple[Facet, str]]:
        return ((facet, value) for facet in FACETS for value in self.values.get(facet, ()) if folded(value))


@dataclass(frozen=True, slots=True)
class Place:
    """Where an article stands in the order of days."""

    day: date
    number: int


@dataclass(frozen=True, slots=True)
class Found:
    """A page of what was found: what is shown of each article as JSON, where to go on, and how many there are."""

    cards: Sequence[object]
    after: Place | None
    total: int


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a facet, and how many articles are filed under it."""

    facet: Facet
    value: str
    count: int


@dataclass(frozen=True, slots=True)
class _Known:
    id: int
    facet: Facet
    folded: str
    spellings: list[str]


async def file(unit: Unit, entries: Sequence[Entry]) -> None:
    """File articles, or file them anew; the counts of values follow in the same transaction."""
    latest = {entry.id: entry for entry in entries}
    if not latest:
        return
    await unit.execute(QUERIES["hold_register"], {"lock": _LOCK})
    numbers = await _numbers(unit, {pair for entry in latest.values() for pair in entry.filed_under()})
    filed = {
        entry.id: sorted({numbers[facet, folded(value)] for facet, value in entry.filed_under()})
        for entry in latest.values()
    }
    await _count(unit, await _filed_before(unit, list(latest)), filed)
    await unit.execute(
        QUERIES["file_articles"],
        {
            "ids": list(latest),
            "days": [entry.day for entry in latest.values()],
            "filed": [" ".join(map(str, filed[entry_id])) for entry_id in latest],
            "cards": [entry.card.decode() for entry in latest.values()],
        },
    )


async def remove(unit: Unit, ids: Sequence[str]) -> None:
    """Take articles out; ids that are not there are no error."""
    await unit.execute(QUERIES["hold_register"], {"lock": _LOCK})
    await _count(unit, await _filed_before(unit, ids), {})
    await unit.execute(QUERIES["remove_articles"], {"ids": list(ids)})


async def _numbers(unit: Unit, pairs: set[tuple[Facet, str]]) -> dict[tuple[Facet, str], int]:
    """The numbers of values, which are made known where they are new."""
    ordered = sorted(pairs)
    facets, forms = [facet for facet, _ in ordered], [folded(value) for _, value in ordered]
    params = {"facets": facets, "folded": forms, "values": [value for _, value in ordered]}
    await unit.execute(QUERIES["add_values"], params)
    known = await unit.all(QUERIES["values_of"], {"facets": facets, "folded": forms}, into=_Known)
    return {(one.facet, one.folded): one.id for one in known}


async def _filed_before(unit: Unit, ids: Sequence[str]) -> dict[str, list[int]]:
    return {row["id"]: row["filed"] for row in await unit.all(QUERIES["filed_before"], {"ids": list(ids)})}


async def _count(unit: Unit, before: Mapping[str, Sequence[int]], after: Mapping[str, Sequence[int]]) -> None:
    changes: Counter[int] = Counter(value for values in after.values() for value in values)
    changes.subtract(Counter(value for values in before.values() for value in values))
    moved = sorted((value, change) for value, change in changes.items() if change)
    if moved:
        params = {"values": [value for value, _ in moved], "changes": [change for _, change in moved]}
        await unit.execute(QUERIES["count_on"], params)


async def spellings(unit: Unit, facet: Facet, value: str) -> list[str]:
    """How a value is spelled in articles; nothing where none has it in any case or width."""
    known = await _known(unit, [(facet, value)])
    return known[0].spellings if known else []


async def find(unit: Unit, wanted: ArticleFilter, *, after: Place | None, limit: int) -> Found:
    """A page of the articles that a filter without words finds, by day."""
    expression = await _expression(unit, wanted)
    if expression is None:
        return Found((), None, 0)
    newest = wanted.order == "newest"
    start = after or (Place(_LAST, _LAST_NUMBER) if newest else Place(_FIRST, 0))
    await unit.execute(QUERIES["plan_for_finding"])
    rows = await unit.all(
        _page_query(expression, newest=newest),
        {
            **_span(wanted), "wanted": expression, "after_day": start.day, "after_number": start.number,
            "limit": limit + 1,
        },
    )  # fmt: skip
    places = [Place(row["day"], row["number"]) for row in rows if row["number"] is not None]
    shown = places[:limit]
    cards = await _cards(unit, shown)
    return Found(cards, shown[-1] if len(places) > limit else None, rows[0]["total"])


def _page_query(expression: str, *, newest: bool) -> LiteralString:
    if expression:
        return QUERIES["newest_filed"] if newest else QUERIES["oldest_filed"]
    return QUERIES["newest_of_all"] if newest else QUERIES["oldest_of_all"]


async def counts(unit: Unit, wanted: ArticleFilter, facets: Sequence[Facet], *, most: int) -> list[Value]:
    """How many of the articles found have which value, over the newest `COUNTED` of them."""
    expression = await _expression(unit, wanted)
    if expression is None:
        return []
    query = QUERIES["count_filed"] if expression else QUERIES["count_of_all"]
    params = {**_span(wanted), "wanted": expression, "facets": list(facets), "most": most, "counted": COUNTED}
    await unit.execute(QUERIES["plan_for_finding"])
    return await unit.all(query, params, into=Value)


async def suggestions(unit: Unit, beginning: str, facets: Sequence[Facet], *, limit: int) -> list[Value]:
    """Values that begin like this whatever the case and width, the most frequent first."""
    params = {"beginning": folded(beginning).translate(_LIKE) + "%", "facets": list(facets), "limit": limit}
    return await unit.all(QUERIES["values_beginning"], params, into=Value)


async def known_after(unit: Unit, after: str, *, limit: int) -> list[str]:
    """Names of articles in the register, in order."""
    return [row["id"] for row in await unit.all(QUERIES["known_articles"], {"after": after, "limit": limit})]


async def _known(unit: Unit, pairs: Sequence[tuple[Facet, str]]) -> list[_Known]:
    params = {"facets": [facet for facet, _ in pairs], "folded": [folded(value) for _, value in pairs]}
    return await unit.all(QUERIES["values_of"], params, into=_Known)


async def _expression(unit: Unit, wanted: ArticleFilter) -> str | None:
    """The filter as it is looked up, empty where it leaves nothing out; None where nothing can match."""
    pairs = [(facet, value) for facet, values in wanted.chosen.items() for value in values]
    if not pairs:
        return ""
    numbers: dict[Facet, list[int]] = {}
    for one in await _known(unit, pairs):
        numbers.setdefault(one.facet, []).append(one.id)
    if numbers.keys() != wanted.chosen.keys():
        return None
    return " & ".join(f"({' | '.join(map(str, alternatives))})" for alternatives in numbers.values())


def _span(wanted: ArticleFilter) -> dict[str, date]:
    return {"since": wanted.since or _FIRST, "until": wanted.until or _LAST}


async def _cards(unit: Unit, places: Sequence[Place]) -> list[object]:
    rows = await unit.all(QUERIES["cards_of"], {"numbers": [place.number for place in places]})
    by_number = {row["number"]: row["card"] for row in rows}
    return [by_number[place.number] for place in places]
