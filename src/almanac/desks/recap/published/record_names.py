"""What the texts of the record are called in the reader's language: houses and days."""

from datetime import date

from almanac.desks.recap.model.houses import HOUSES
from almanac.kit.messages import day_text


def house_name(name: str | None) -> str:
    """A house as the reader's language calls it; the record's own name where it has no other."""
    return HOUSES.get(name, name) if name else ""


def format_day(text: str | date) -> str:
    """A day as the reader's language writes it; what is no day stays as it is."""
    if isinstance(text, date):
        return day_text(text, "weekday")
    try:
        return day_text(date.fromisoformat(text[:10]), "weekday")
    except ValueError:
        return text
