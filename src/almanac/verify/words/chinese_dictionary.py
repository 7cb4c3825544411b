"""Splits Chinese into words by the frequencies of jieba's dictionary.

Only its list of words is read, and of that the common ones: jieba itself takes several times the memory, and reads a
cache from the shared temporary folder, where anybody may put another file in its place.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from math import log
from pathlib import Path

_LONGEST_WORD = 4
# jieba's sum of all frequencies: the logarithm of a word's share is what a path through a sentence adds up.
_NAME_TAGS = frozenset({"nr", "ns", "nt", "nrt", "nrfg"})
_LOG_TOTAL = log(60_101_967)


def split_words(run: str) -> Iterator[tuple[int, int]]:
    """The offsets of the words in a run of Han characters; a character of no listed word is a word by itself."""
    weights = _word_weights()
    length = len(run)
    routes: list[tuple[float, int]] = [(0.0, length)] * (length + 1)
    for start in range(length - 1, -1, -1):
        routes[start] = max(
            (weights.get(run[start:end], -_LOG_TOTAL) + routes[end][0], end)
            for end in range(start + 1, min(start + _LONGEST_WORD, length) + 1)
            if end == start + 1 or run[start:end] in weights
        )
    start = 0
    while start < length:
        end = routes[start][1]
        yield start, end
        start = end


def is_listed(word: str) -> bool:
    """Whether the dictionary has a word."""
    return word in _word_weights()


def may_be_name(word: str) -> bool:
    """Whether the dictionary has a word as a name of a person, place or organization, or doesn't have it."""
    return len(word) > 1 and (word in _names() or not is_listed(word))


@cache
def _word_weights() -> Mapping[str, float]:
    return {
        word: log(int(frequency)) - _LOG_TOTAL
        for word, frequency, _ in _entries()
        if len(word) <= _LONGEST_WORD and len(frequency) > 1
    }


@cache
def _names() -> frozenset[str]:
    return frozenset(word for word, _, tag in _entries() if tag in _NAME_TAGS)


def _entries() -> Iterator[list[str]]:
    """The words of jieba's dictionary with their frequency and part of speech."""
    spec = find_spec("jieba")
    assert spec is not None
    assert spec.origin is not None
    with (Path(spec.origin).parent / "dict.txt").open(encoding="utf-8") as lines:
        yield from (line.split() for line in lines)
