"""Antonym lists, and texts with antonyms or words of direction masked.

Each line of `antonyms.txt` and `antonyms_cjk.txt` has two sides separated by a space, their words by a slash.
"""

import re
from functools import cache, lru_cache
from typing import NamedTuple

from almanac.verify.facts import SENTENCE_CACHE_SIZE
from almanac.verify.word_lists import read_lines

_UP = frozenset({"advanced", "bertambah", "增加"})

AntonymForms = tuple[str, ...]


class AntonymPair(NamedTuple):
    """Two sides with several words each. `converse` pairs describe one action from both ends: buy and sell."""

    left: AntonymForms
    right: AntonymForms
    converse: bool


@cache
def read_antonyms(name: str) -> list[AntonymPair]:
    """The pairs of a list; a third column marks converse pairs."""
    rows = (line.split(" ") for line in read_lines(name))
    return [AntonymPair(tuple(left.split("/")), tuple(right.split("/")), bool(rest)) for left, right, *rest in rows]


@cache
def _any_of(*, directions: bool) -> re.Pattern[str]:
    """A pattern for any word of the lists, or only for those of up and down."""
    latin, cjk = (
        sorted(
            {
                form
                for each in read_antonyms(name)
                if not directions or each.left[0] in _UP
                for form in each.left + each.right
            }
        )
        for name in ("antonyms.txt", "antonyms_cjk.txt")
    )
    words, characters = ("|".join(sorted(forms, key=len, reverse=True)) for forms in (latin, cjk))
    return re.compile(rf"(?i)\b(?:{words})\b|{characters}")


@lru_cache(maxsize=SENTENCE_CACHE_SIZE)
def mask_directions(text: str) -> str:
    """The text with rose, fell and similar words masked: they don't say what a figure is about."""
    return _any_of(directions=True).sub(_blank, text)


@lru_cache(maxsize=SENTENCE_CACHE_SIZE)
def mask_antonyms(text: str) -> str:
    """The text with every word that has an antonym masked."""
    return _any_of(directions=False).sub(_blank, text)


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


@lru_cache(maxsize=8192)
def are_listed_antonyms(first: str, second: str) -> bool:
    """Whether a line of `antonyms.txt` has the two words on different sides. Converse pairs don't count."""
    return any(
        (first in each.left and second in each.right) or (second in each.left and first in each.right)
        for each in read_antonyms("antonyms.txt")
        if not each.converse
    )
