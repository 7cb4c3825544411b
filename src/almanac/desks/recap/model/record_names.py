"""What the texts of the record are called in the reader's language, and which language they are in themselves."""

from datetime import date

from almanac.desks.recap.model.category_names import CATEGORY_NAMES
from almanac.desks.recap.model.houses import HOUSES
from almanac.desks.recap.model.parliaments.registry import PARLIAMENTS
from almanac.kit.messages import day_text
from almanac.language.scripts import is_cjk

_LANGUAGES = {house: parliament.language for parliament in PARLIAMENTS for house in parliament.houses}


def house_name(name: str | None) -> str:
    """A house as the reader's language calls it; the record's own name where it has no other."""
    return HOUSES.get(name, name) if name else ""


def record_language(house: str | None) -> str:
    """The language in which the record of a house is written; that of the first parliament where it is unknown."""
    return _LANGUAGES.get(house or "", PARLIAMENTS[0].language)


def category_name(name: str) -> str:
    """A subject as the reader's language calls it; one of another program's stays as it is."""
    return CATEGORY_NAMES.get(name, name)


def language_of(text: str | None) -> str:
    """The language of a name or title of some record, for `lang`; empty where its script doesn't tell."""
    return "ja" if any(is_cjk(character) for character in text or "") else ""


def format_day(text: str | date) -> str:
    """A day as the reader's language writes it; what is no day stays as it is."""
    if isinstance(text, date):
        return day_text(text, "weekday")
    try:
        return day_text(date.fromisoformat(text[:10]), "weekday")
    except ValueError:
        return text
