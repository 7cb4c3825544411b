"""Known names in several languages: places, organizations, and Japanese family names with their readings."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from almanac.verify.normalization import normalize_text
from almanac.verify.word_lists import read_lines

NameForms = frozenset[str]
NameAliases = Mapping[str, Sequence[str]]


@lru_cache(maxsize=1)
def known_name_forms() -> Mapping[str, NameForms]:
    """All forms of each known place or organization, by every form, casefolded."""
    table: dict[str, NameForms] = {}
    for line in [*read_lines("countries.txt"), *read_lines("places.txt")]:
        forms = frozenset(form.casefold() for form in line.split("|"))
        table |= {form: table.get(form, frozenset()) | forms for form in forms}
    return table


@lru_cache(maxsize=1)
def country_forms() -> NameForms:
    """All forms of country names, casefolded."""
    return frozenset(form.casefold() for line in read_lines("countries.txt") for form in line.split("|"))


@lru_cache(maxsize=1)
def _cities_by_country() -> Mapping[str, NameForms]:
    """All forms of the cities and regions of a country, by every form of its name, casefolded."""
    table: dict[str, NameForms] = {}
    for country, *cities in (line.casefold().split("|") for line in read_lines("cities.txt")):
        forms = frozenset(form for city in cities for form in (city, *known_name_forms().get(city, ())))
        table |= dict.fromkeys(known_name_forms().get(country, frozenset({country})), forms)
    return table


def implying_places(country: str) -> NameForms:
    """The cities and regions that imply a country, casefolded; empty if it isn't a country or none are listed."""
    return _cities_by_country().get(country, frozenset())


@lru_cache(maxsize=1)
def japanese_family_names() -> Mapping[str, str]:
    """Japanese family names with their reading in Latin letters, casefolded."""
    pairs = [pair.split(" ") for line in read_lines("surnames_ja.txt") for pair in line.split("|")]
    return {name: reading.casefold() for name, reading in pairs}


@lru_cache(maxsize=1)
def family_names_by_reading() -> Mapping[str, NameForms]:
    """Japanese family names by their reading."""
    table: dict[str, NameForms] = {}
    for name, reading in japanese_family_names().items():
        table[reading] = table.get(reading, frozenset()) | {name}
    return table


def other_name_forms(name: str, given: NameAliases | None = None) -> NameForms:
    """The other known forms of a name, including those given by the caller."""
    key = normalize_text(name).casefold()
    forms = set(known_name_forms().get(key, ()))
    for name_given, others in (given or {}).items():
        group = {normalize_text(form).casefold() for form in (name_given, *others)}
        if key in group:
            forms |= group
    return frozenset(forms - {key})


def contains_form(form: str, text: str) -> bool:
    """Whether a casefolded text has a form of a name: as a whole word in Latin letters, anywhere in other scripts."""
    return bool(re.search(rf"\b{re.escape(form)}\b", text)) if form.isascii() else form in text
