"""Every read and write of the register in PostgreSQL, by name."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from almanac.desks.recap.model.filters import FACETS, Facet, fold_value
from almanac.desks.recap.model.views import FacetValue
from almanac.relational import ReadTransaction, Unit, load_queries

QUERIES = load_queries(__package__)
ALL_ARTICLES = "all"
"""A facet of one value, under which every article is filed."""
FACET_BITS = 26
_CODES: Mapping[str, int] = {facet: code for code, facet in enumerate((ALL_ARTICLES, *FACETS), 1)}
_LOCK = 0x52454341
_LIKE = str.maketrans({"\\": "\\\\", "%": "\\%", "_": "\\_"})


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterEntry:
    """An article to file: its version, its day, its values by facet, and what is shown of it as JSON."""

    id: str
    version: int = 0
    day: date
    values: Mapping[Facet, Sequence[str]]
    card: bytes

    def filed_under(self) -> Iterator[tuple[str, str]]:
        yield ALL_ARTICLES, ALL_ARTICLES
        yield from ((facet, value) for facet in FACETS for value in self.values.get(facet, ()) if fold_value(value))


@dataclass(frozen=True, slots=True)
class RegisterValue:
    """A value with its number and all its spellings."""

    id: int
    facet: str
    folded: str
    spellings: list[str]
    articles: int


@dataclass(frozen=True, slots=True)
class RegisterRow:
    """An article in a list, with the numbers of the values it is filed under."""

    number: int
    place: int
    filed: list[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterListing:
    """What to read: the lists of some values between two places, as far as the articles are filed as wanted."""

    values: Sequence[int]
    wanted: str
    above: int
    below: int
    newest: bool


async def register_articles(unit: Unit, entries: Sequence[RegisterEntry]) -> None:
    """File articles, or file them anew; lists and counts of values follow in the same transaction."""
    latest = {entry.id: entry for entry in entries}
    if not latest:
        return
    await unit.execute(QUERIES["hold_register"], {"lock": _LOCK})
    numbers = await _numbers(unit, {pair for entry in latest.values() for pair in entry.filed_under()})
    filed = {
        entry.id: sorted({numbers[facet, fold_value(value)] for facet, value in entry.filed_under()})
        for entry in latest.values()
    }
    await _unlist(unit, list(latest), filed.values())
    await unit.execute(
        QUERIES["file_articles"],
        {
            "ids": list(latest),
            "versions": [entry.version for entry in latest.values()],
            "days": [entry.day for entry in latest.values()],
            "filed": [" ".join(map(str, filed[entry_id])) for entry_id in latest],
            "cards": [entry.card.decode() for entry in latest.values()],
        },
    )


async def unregister_articles(unit: Unit, ids: Sequence[str]) -> None:
    """Take articles out; ids that are not there are no error."""
    await unit.execute(QUERIES["hold_register"], {"lock": _LOCK})
    await _unlist(unit, ids, ())
    await unit.execute(QUERIES["remove_articles"], {"ids": list(ids)})


async def _numbers(unit: Unit, pairs: set[tuple[str, str]]) -> dict[tuple[str, str], int]:
    """The numbers of values, which are made known where they are new."""
    ordered = sorted(pairs)
    facets = [facet for facet, _ in ordered]
    await unit.execute(
        QUERIES["add_values"],
        {
            "codes": [_CODES[facet] for facet in facets],
            "facets": facets,
            "folded": [fold_value(value) for _, value in ordered],
            "values": [value for _, value in ordered],
        },
    )
    return {(one.facet, one.folded): one.id for one in await find_values(unit, ordered)}


async def _unlist(unit: Unit, ids: Sequence[str], after: Iterable[Sequence[int]]) -> None:
    """Take articles out of their lists, and let the counts be as they will be once they are filed again."""
    rows = await unit.all(QUERIES["filed_before"], {"ids": list(ids)})
    before = [(value, row["place"]) for row in rows for value in row["filed"]]
    if before:
        params = {"values": [value for value, _ in before], "places": [place for _, place in before]}
        await unit.execute(QUERIES["unlist"], params)
    changes: Counter[int] = Counter(value for values in after for value in values)
    changes.subtract(value for value, _ in before)
    moved = sorted((value, change) for value, change in changes.items() if change)
    if moved:
        counted = {"values": [value for value, _ in moved], "changes": [change for _, change in moved]}
        await unit.execute(QUERIES["count_on"], counted)


async def find_values(reading: ReadTransaction, pairs: Sequence[tuple[str, str]]) -> list[RegisterValue]:
    """Values that some article has or had, whatever the case and width in which they are asked for."""
    params = {"facets": [facet for facet, _ in pairs], "folded": [fold_value(value) for _, value in pairs]}
    return await reading.all(QUERIES["values_of"], params, into=RegisterValue)


async def list_spellings(reading: ReadTransaction, facet: Facet, value: str) -> list[str]:
    """How a value is spelled in articles; nothing where none has it in any case or width."""
    known = await find_values(reading, [(facet, value)])
    return known[0].spellings if known else []


async def count_by_value(reading: ReadTransaction, pairs: Sequence[tuple[str, str]]) -> dict[str, int]:
    """How many articles are filed under each of some values, one of a facet."""
    return {one.facet: one.articles for one in await find_values(reading, pairs)}


async def total_articles(reading: ReadTransaction) -> int:
    """How many articles are filed at all, without counting them."""
    return sum(one.articles for one in await find_values(reading, [(ALL_ARTICLES, ALL_ARTICLES)]))


async def list_latest_days(reading: ReadTransaction, *, limit: int) -> list[date]:
    """The days of the latest articles, newest first; a day stands as often as it has articles."""
    return [row["day"] for row in await reading.all(QUERIES["latest_filed"], {"limit": limit})]


async def set_planner_options(unit: Unit) -> None:
    """Before the rows of listings are read."""
    await unit.execute(QUERIES["plan_for_finding"])


async def list_rows(unit: Unit, listing: RegisterListing, *, limit: int) -> list[RegisterRow]:
    """Articles of a listing in its order."""
    several = len(listing.values) > 1
    name = f"{'newest' if listing.newest else 'oldest'}_under{'_any' if several else ''}"
    params = {"wanted": listing.wanted, "above": listing.above, "below": listing.below, "limit": limit}
    chosen = {"values": list(listing.values)} if several else {"value": listing.values[0]}
    return await unit.all(QUERIES[name], {**params, **chosen}, into=RegisterRow)


async def list_cards(unit: Unit, rows: Sequence[RegisterRow]) -> list[object]:
    """What is shown of articles, in the same order."""
    found = await unit.all(QUERIES["cards_of"], {"numbers": [row.number for row in rows]})
    by_number = {one["number"]: one["card"] for one in found}
    return [by_number[row.number] for row in rows]


async def name_values(unit: Unit, counted: Mapping[int, int]) -> list[FacetValue]:
    """Values by their numbers, with the counts given."""
    found = await unit.all(QUERIES["values_named"], {"ids": list(counted)})
    return [FacetValue(one["facet"], _shown(one["spellings"]), counted[one["id"]]) for one in found]


async def suggest_values(
    reading: ReadTransaction, beginning: str, facets: Sequence[Facet], *, limit: int
) -> list[FacetValue]:
    """Values that begin like this whatever the case and width, the most frequent first."""
    params = {"beginning": fold_value(beginning).translate(_LIKE) + "%", "facets": list(facets), "limit": limit}
    found = await reading.all(QUERIES["values_beginning"], params)
    return [FacetValue(one["facet"], _shown(one["spellings"]), one["articles"]) for one in found]


def _shown(spellings: Sequence[str]) -> str:
    """Of several spellings the one in ordinary width, capitals first."""
    return min(spellings, key=lambda one: (unicodedata.normalize("NFKC", one) != one, one))


async def registered_version(unit: Unit, article_id: str) -> int:
    """The version of an article that the register knows, or 0."""
    return int(await unit.value(QUERIES["version_filed"], {"id": article_id}) or 0)


async def count_articles(unit: Unit) -> int:
    """How many articles are filed."""
    return int(await unit.value(QUERIES["count_articles"]) or 0)


def facet_codes(facets: Iterable[Facet]) -> set[int]:
    """The upper bits of the numbers of these facets' values."""
    return {_CODES[facet] for facet in facets}
