"""Names that are the same in several languages: places, organisations, and family names with their readings."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from almanac.verify.plain import level
from almanac.verify.vocabulary import lines_of

Forms = frozenset[str]


@lru_cache(maxsize=1)
def known_forms() -> Mapping[str, Forms]:
    """Each form of a well-known place or organisation, in lower case, with all its forms."""
    table: dict[str, Forms] = {}
    for line in [*lines_of("countries.txt"), *lines_of("places.txt")]:
        forms = frozenset(form.casefold() for form in line.split("|"))
        table |= {form: table.get(form, frozenset()) | forms for form in forms}
    return table


@lru_cache(maxsize=1)
def country_forms() -> Forms:
    """Every form of the name of a country, in lower case."""
    return frozenset(form.casefold() for line in lines_of("countries.txt") for form in line.split("|"))


@lru_cache(maxsize=1)
def family_names() -> Mapping[str, str]:
    """Japanese family names with their reading in Latin letters, in lower case."""
    pairs = [pair.split(" ") for line in lines_of("surnames_ja.txt") for pair in line.split("|")]
    return {name: reading.casefold() for name, reading in pairs}


@lru_cache(maxsize=1)
def readings_of_family_names() -> Mapping[str, Forms]:
    """Each reading with the family names that are read so."""
    table: dict[str, Forms] = {}
    for name, reading in family_names().items():
        table[reading] = table.get(reading, frozenset()) | {name}
    return table


def other_forms(name: str, given: Mapping[str, Sequence[str]] | None = None) -> Forms:
    """Every known form of a name besides itself, those that the caller gave included."""
    key = level(name).casefold()
    forms = set(known_forms().get(key, ()))
    for known, others in (given or {}).items():
        group = {level(form).casefold() for form in (known, *others)}
        if key in group:
            forms |= group
    return frozenset(forms - {key})
