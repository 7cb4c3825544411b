"""What the texts of the record are called in the reader's language: houses and days."""

from datetime import date

from almanac.language.translations import Translator

_HOUSES = {"衆議院": "house_shugi", "参議院": "house_sangi", "両院": "house_joint"}


class HouseName:
    """A house as the reader's language calls it; the record's own name where it has no other."""

    def __init__(self, wording: Translator) -> None:
        self._wording = wording

    def __call__(self, name: str | None) -> str:
        return self._wording(_HOUSES[name]) if name in _HOUSES else name or ""


def format_day(wording: Translator, text: str | date) -> str:
    """A day as the language writes it; what is no day stays as it is."""
    if isinstance(text, date):
        return wording.day(text)
    try:
        return wording.day(date.fromisoformat(text[:10]))
    except ValueError:
        return text
