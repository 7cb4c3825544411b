"""Words of which one says the opposite of the other, and texts without the words that say which way something went.

`antonyms.txt` and `antonyms_cjk.txt` have two sides on each line, apart by a space, their words by a slash.
"""

import re
from functools import cache, lru_cache
from typing import NamedTuple

from almanac.verify.facts import SENTENCE_CACHE_SIZE
from almanac.verify.word_lists import read_lines

_UP = frozenset({"advanced", "bertambah", "增加"})

AntonymForms = tuple[str, ...]


class AntonymPair(NamedTuple):
    """Two sides, several words each. Converse ones tell the same deed from its other end: who sells has a buyer."""

    one: AntonymForms
    two: AntonymForms
    converse: bool


@cache
def read_antonyms(name: str) -> list[AntonymPair]:
    """The opposites of a list; a third column says that they are converse."""
    rows = (line.split(" ") for line in read_lines(name))
    return [AntonymPair(tuple(one.split("/")), tuple(two.split("/")), bool(rest)) for one, two, *rest in rows]


@cache
def _any_of(*, directions: bool) -> re.Pattern[str]:
    """Any word of the lists, or those for up and down, which stand first in the lists of their language."""
    latin, cjk = (
        sorted(
            {
                form
                for each in read_antonyms(name)
                if not directions or each.one[0] in _UP
                for form in each.one + each.two
            }
        )
        for name in ("antonyms.txt", "antonyms_cjk.txt")
    )
    words, characters = ("|".join(sorted(forms, key=len, reverse=True)) for forms in (latin, cjk))
    return re.compile(rf"(?i)\b(?:{words})\b|{characters}")


@lru_cache(maxsize=SENTENCE_CACHE_SIZE)
def mask_directions(text: str) -> str:
    """A text in which rose, fell and their like are blank: they say what happened, not of what it is told."""
    return _any_of(directions=True).sub(_blank, text)


@lru_cache(maxsize=SENTENCE_CACHE_SIZE)
def mask_antonyms(text: str) -> str:
    """A text in which every word that has an antonym is blank."""
    return _any_of(directions=False).sub(_blank, text)


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])
