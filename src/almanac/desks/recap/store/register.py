"""The register in PostgreSQL: the facet values of each article, for combined filters, counts and suggestions.

It follows from the articles and can be rebuilt from them; words are left to the search index.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from almanac.desks.recap.model.filters import FACETS, Facet, fold_value
from almanac.desks.recap.model.person_names import list_name_forms, parse_name
from almanac.desks.recap.model.views import FacetValue
from almanac.relational import ReadTransaction, Unit, load_queries

QUERIES = load_queries(__package__)
ALL_ARTICLES = "all"
"""A facet with a single value that every article has."""
FACET_BITS = 26
_CODES: Mapping[str, int] = {facet: code for code, facet in enumerate((ALL_ARTICLES, *FACETS), 1)}
_LOCK = 0x52454341
_LIKE = str.maketrans({"\\": "\\\\", "%": "\\%", "_": "\\_"})


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterEntry:
    """An article to register: its version, its day, its values by facet, and its card as JSON."""

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
    """An article in a list, with the numbers of its values."""

    number: int
    place: int
    filed: list[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterListing:
    """A query: the lists of some values between two places, filtered by the tsquery `wanted`."""

    values: Sequence[int]
    wanted: str
    above: int
    below: int
    newest: bool


async def register_articles(unit: Unit, entries: Sequence[RegisterEntry]) -> None:
    """Insert or update articles; the lists and counts of their values change in the same transaction."""
    latest = {entry.id: entry for entry in entries}
    if not latest:
        return
    await unit.execute(QUERIES["lock_register"], {"lock": _LOCK})
    numbers = await _value_numbers(unit, {pair for entry in latest.values() for pair in entry.filed_under()})
    filed = {
        entry.id: sorted({numbers[facet, fold_value(value)] for facet, value in entry.filed_under()})
        for entry in latest.values()
    }
    await _add_names(unit, latest.values(), numbers)
    await _unlist_articles(unit, list(latest), filed.values())
    await unit.execute(
        QUERIES["upsert_articles"],
        {
            "ids": list(latest),
            "versions": [entry.version for entry in latest.values()],
            "days": [entry.day for entry in latest.values()],
            "filed": [" ".join(map(str, filed[entry_id])) for entry_id in latest],
            "cards": [entry.card.decode() for entry in latest.values()],
        },
    )


async def unregister_articles(unit: Unit, ids: Sequence[str]) -> None:
    """Delete articles; unknown ids are ignored."""
    await unit.execute(QUERIES["lock_register"], {"lock": _LOCK})
    await _unlist_articles(unit, ids, ())
    await unit.execute(QUERIES["delete_articles"], {"ids": list(ids)})


async def _value_numbers(unit: Unit, pairs: set[tuple[str, str]]) -> dict[tuple[str, str], int]:
    """The numbers of values; new values are added."""
    ordered = sorted(pairs)
    facets = [facet for facet, _ in ordered]
    await unit.execute(
        QUERIES["upsert_values"],
        {
            "codes": [_CODES[facet] for facet in facets],
            "facets": facets,
            "folded": [fold_value(value) for _, value in ordered],
            "values": [value for _, value in ordered],
        },
    )
    return {(value.facet, value.folded): value.id for value in await find_values(unit, ordered)}


async def _add_names(unit: Unit, entries: Iterable[RegisterEntry], numbers: Mapping[tuple[str, str], int]) -> None:
    """Add the forms by which people are looked for to the values of their names."""
    forms: dict[tuple[str, int], bool] = {}
    for entry in entries:
        readings = [(name, "") for name in entry.values.get("person", ())]
        readings += [(name, yomi) for name, _, yomi in (key.partition(":") for key in entry.values.get("speaker", ()))]
        for name, yomi in readings:
            number = numbers.get(("person", fold_value(name)))
            if number is not None:
                forms.update({(form, number): is_whole for form, is_whole in list_name_forms(name, yomi).items()})
    if forms:
        params = {
            "forms": [form for form, _ in forms],
            "values": [number for _, number in forms],
            "wholes": list(forms.values()),
        }
        await unit.execute(QUERIES["add_names"], params)


async def find_people(reading: ReadTransaction, text: str, *, limit: int) -> list[FacetValue]:
    """Those whose name or reading has the text at its beginning or as its end's beginning, whole names first.

    The parts of a name may come in any order.
    """
    whole, parts = parse_name(text)
    for words in ((whole,), parts):
        if words and words[0]:
            rows = await reading.all(QUERIES["find_people"], {"words": list(words), "limit": limit})
            if rows:
                return [FacetValue("person", _preferred_spelling(row["spellings"]), row["articles"]) for row in rows]
    return []


async def _unlist_articles(unit: Unit, ids: Sequence[str], after: Iterable[Sequence[int]]) -> None:
    """Remove articles from their lists, and set the counts to what they will be once `after` is stored."""
    rows = await unit.all(QUERIES["list_filed_values"], {"ids": list(ids)})
    before = [(value, row["place"]) for row in rows for value in row["filed"]]
    if before:
        params = {"values": [value for value, _ in before], "places": [place for _, place in before]}
        await unit.execute(QUERIES["delete_from_lists"], params)
    changes: Counter[int] = Counter(value for values in after for value in values)
    changes.subtract(value for value, _ in before)
    moved = sorted((value, change) for value, change in changes.items() if change)
    if moved:
        counted = {"values": [value for value, _ in moved], "changes": [change for _, change in moved]}
        await unit.execute(QUERIES["adjust_value_counts"], counted)


async def find_values(reading: ReadTransaction, pairs: Sequence[tuple[str, str]]) -> list[RegisterValue]:
    """The registered values among (facet, value) pairs, in any case and width."""
    return await reading.all(QUERIES["find_values"], _pair_parameters(pairs), into=RegisterValue)


async def find_values_to_list(unit: Unit, pairs: Sequence[tuple[str, str]]) -> list[RegisterValue]:
    """The same before `list_rows` in this transaction, which needs planner options that are set here."""
    return await unit.all(QUERIES["find_values_to_list"], _pair_parameters(pairs), into=RegisterValue)


def _pair_parameters(pairs: Sequence[tuple[str, str]]) -> dict[str, list[str]]:
    return {"facets": [facet for facet, _ in pairs], "folded": [fold_value(value) for _, value in pairs]}


async def count_by_value(reading: ReadTransaction, pairs: Sequence[tuple[str, str]]) -> dict[str, int]:
    """How many articles have each value, by facet; at most one value per facet may be given."""
    return {value.facet: value.articles for value in await find_values(reading, pairs)}


async def list_rows(unit: Unit, listing: RegisterListing, *, limit: int) -> list[RegisterRow]:
    """The articles of a listing in its order."""
    several = len(listing.values) > 1
    name = f"list_{'newest' if listing.newest else 'oldest'}{'_any' if several else ''}"
    params = {"wanted": listing.wanted, "above": listing.above, "below": listing.below, "limit": limit}
    chosen = {"values": list(listing.values)} if several else {"value": listing.values[0]}
    return await unit.all(QUERIES[name], {**params, **chosen}, into=RegisterRow)


async def list_cards(unit: Unit, rows: Sequence[RegisterRow]) -> list[object]:
    """The cards of articles, in the order of the rows."""
    card_rows = await unit.all(QUERIES["list_cards"], {"numbers": [row.number for row in rows]})
    by_number = {card_row["number"]: card_row["card"] for card_row in card_rows}
    return [by_number[row.number] for row in rows]


async def name_values(unit: Unit, ids: Iterable[int]) -> dict[int, tuple[Facet, str]]:
    """The facet and the spelling to show of values, by their numbers."""
    rows = await unit.all(QUERIES["name_values"], {"ids": list(ids)})
    return {row["id"]: (row["facet"], _preferred_spelling(row["spellings"])) for row in rows}


async def suggest_values(
    reading: ReadTransaction, beginning: str, facets: Sequence[Facet], *, limit: int
) -> list[FacetValue]:
    """Values that begin with a text in any case and width, the most frequent first."""
    params = {"beginning": fold_value(beginning).translate(_LIKE) + "%", "facets": list(facets), "limit": limit}
    rows = await reading.all(QUERIES["suggest_values"], params)
    return [FacetValue(row["facet"], _preferred_spelling(row["spellings"]), row["articles"]) for row in rows]


def _preferred_spelling(spellings: Sequence[str]) -> str:
    """The spelling to show: ordinary width before wide, capitals first."""
    return min(spellings, key=lambda spelling: (unicodedata.normalize("NFKC", spelling) != spelling, spelling))


async def registered_version(unit: Unit, article_id: str) -> int:
    """The registered version of an article, or 0."""
    return int(await unit.value(QUERIES["get_registered_version"], {"id": article_id}) or 0)


async def registered_versions(reading: ReadTransaction, ids: Sequence[str]) -> dict[str, int]:
    """The registered versions of articles by id; those that aren't registered are left out."""
    if not ids:
        return {}
    return {
        row["id"]: row["version"] for row in await reading.all(QUERIES["list_registered_versions"], {"ids": list(ids)})
    }


async def count_articles(unit: Unit) -> int:
    """How many articles are registered."""
    return int(await unit.value(QUERIES["count_articles"]) or 0)


def facet_codes(facets: Iterable[Facet]) -> set[int]:
    """The codes of facets, which are the upper bits of their values' numbers."""
    return {_CODES[facet] for facet in facets}
