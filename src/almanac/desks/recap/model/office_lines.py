"""What a speaker was on a day as one line, joined as the script of the record joins."""

from collections.abc import Iterable

from almanac.language.scripts import is_cjk


def join_offices(offices: Iterable[str | None]) -> str:
    """The offices and groups that are given: 国務大臣・みらい会, or Secretary of State, Labour."""
    given = [office for office in offices if office]
    wide = any(is_cjk(character) for office in given for character in office)
    return ("・" if wide else ", ").join(given)
