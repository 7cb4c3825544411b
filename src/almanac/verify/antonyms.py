"""Words of which one says the opposite of the other, and texts without the words that say which way something went.

`antonyms.txt` and `antonyms_cjk.txt` have two sides on each line, apart by a space, their words by a slash.
"""

import re
from functools import cache, lru_cache
from typing import NamedTuple

from almanac.verify.facts import SENTENCES_KEPT
from almanac.verify.vocabulary import lines_of

_UP = frozenset({"advanced", "bertambah", "增加"})

Side = tuple[str, ...]


class Opposites(NamedTuple):
    """Two sides, several words each. Converse ones tell the same deed from its other end: who sells has a buyer."""

    one: Side
    two: Side
    converse: bool


@cache
def antonyms(name: str) -> list[Opposites]:
    """The opposites of a list; a third column says that they are converse."""
    rows = (line.split(" ") for line in lines_of(name))
    return [Opposites(tuple(one.split("/")), tuple(two.split("/")), bool(rest)) for one, two, *rest in rows]


@cache
def _any_of(*, directions: bool) -> re.Pattern[str]:
    """Any word of the lists, or those for up and down, which stand first in the lists of their language."""
    latin, cjk = (
        sorted(
            {form for each in antonyms(name) if not directions or each.one[0] in _UP for form in each.one + each.two}
        )
        for name in ("antonyms.txt", "antonyms_cjk.txt")
    )
    words, characters = ("|".join(sorted(forms, key=len, reverse=True)) for forms in (latin, cjk))
    return re.compile(rf"(?i)\b(?:{words})\b|{characters}")


@lru_cache(maxsize=SENTENCES_KEPT)
def undirected(text: str) -> str:
    """A text in which rose, fell and their like are blank: they say what happened, not of what it is told."""
    return _any_of(directions=True).sub(_blank, text)


@lru_cache(maxsize=SENTENCES_KEPT)
def unturned(text: str) -> str:
    """A text in which every word that has an antonym is blank."""
    return _any_of(directions=False).sub(_blank, text)


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])
