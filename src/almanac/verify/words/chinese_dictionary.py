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


@cache
def _word_weights() -> Mapping[str, float]:
    spec = find_spec("jieba")
    assert spec is not None
    assert spec.origin is not None
    weights = {}
    with (Path(spec.origin).parent / "dict.txt").open(encoding="utf-8") as lines:
        for line in lines:
            word, frequency, _ = line.split(" ")
            if len(word) <= _LONGEST_WORD and len(frequency) > 1:
                weights[word] = log(int(frequency)) - _LOG_TOTAL
    return weights
