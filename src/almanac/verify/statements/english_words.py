"""Patterns of English words that decide what a sentence says, from `meaning_en.txt`."""

import re
from collections import defaultdict
from functools import cache

from almanac.verify.word_lists import read_lines


def english_pattern(name: str) -> re.Pattern[str]:
    """The pattern of a name, for whole words in any case."""
    return _patterns()[name]


@cache
def names_of(prefix: str) -> tuple[str, ...]:
    """The names that follow a prefix such as `degree:`, in the order of the file."""
    return tuple(name.removeprefix(prefix) for name in _patterns() if name.startswith(prefix))


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    alternatives: defaultdict[str, list[str]] = defaultdict(list)
    for line in read_lines("meaning_en.txt"):
        name, _, words = line.partition(" ")
        alternatives[name].append(words)
    return {name: re.compile(rf"(?i)\b(?:{'|'.join(parts)})\b") for name, parts in alternatives.items()}
