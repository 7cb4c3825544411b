"""Time zones as people know them: by the city and country, in each interface language.

A field shows "Tokyo, Japan" and takes that, the city alone in any of the languages, or the name in the zone database,
which is what is stored.
"""

from difflib import get_close_matches
from functools import lru_cache

from babel.core import get_global
from babel.dates import get_timezone_location

from almanac.kit.catalogs import INTERFACE_LANGUAGES, SOURCE_LANGUAGE, locale_of, nearest_language
from almanac.kit.dates import is_time_zone, time_zone_names
from almanac.kit.messages import gettext, spoken_language

UTC = "UTC"


@lru_cache(maxsize=len(INTERFACE_LANGUAGES))
def list_zones(language: str) -> dict[str, str]:
    """Zones with a city by their label, such as `Tokyo, Japan`, in the order of the labels; UTC is the first."""
    locale = locale_of(nearest_language(language))
    territories = get_global("zone_territories")
    labels = {UTC: UTC}
    for zone in time_zone_names():
        if (territory := territories.get(zone)) in (None, "001", "ZZ"):
            continue
        city = get_timezone_location(zone, locale=locale, return_city=True)
        country = locale.territories.get(territory, territory)
        labels[zone] = city if city == country else f"{city}, {country}"
    return dict(sorted(labels.items(), key=lambda item: (item[0] != UTC, item[1].casefold())))


def label_zone(zone: str, language: str | None = None) -> str:
    """What a zone is called in a language, by default the one being spoken; what has no city stays as it is."""
    return list_zones(language or spoken_language()).get(zone, zone)


def resolve_zone(text: str) -> str:
    """The zone that was typed or chosen, by its name in the database; text that names none stays as it is."""
    text = text.strip()
    if not text or is_time_zone(text):
        return text
    return _names().get(text.casefold(), text)


def describe_unknown_zone(text: str) -> str:
    """The sentence for a text that names no zone, with the nearest city if there is one."""
    near = get_close_matches(text.casefold(), _names(), n=1, cutoff=0.6)
    if not near:
        return gettext("There is no time zone “%(text)s”; type a city, such as Nairobi.", text=text[:60])
    return gettext(
        "There is no time zone “%(text)s”; did you mean %(nearest)s?",
        text=text[:60],
        nearest=label_zone(_names()[near[0]], SOURCE_LANGUAGE),
    )


@lru_cache(maxsize=1)
def _names() -> dict[str, str]:
    """Zones by everything that names them, in small letters: names of the database, labels and cities."""
    names = {zone.casefold(): zone for zone in time_zone_names()}
    names |= {zone.rpartition("/")[2].replace("_", " ").casefold(): zone for zone in time_zone_names()}
    for language in INTERFACE_LANGUAGES:
        for zone, label in list_zones(language).items():
            names[label.casefold()] = zone
            names[label.partition(",")[0].casefold()] = zone
    return names
