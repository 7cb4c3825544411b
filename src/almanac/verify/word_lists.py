"""The word lists of this package, which are data in files beside the code."""

from functools import cache
from importlib.resources import files


def read_lines(name: str) -> list[str]:
    """The lines of a list that has more than one column."""
    return files(__package__).joinpath("data", name).read_text("utf-8").splitlines()


@cache
def read_words(name: str) -> frozenset[str]:
    """The words of a list."""
    return frozenset(word for line in read_lines(name) for word in line.split())


def any_word_pattern(name: str) -> str:
    """The words of a list as alternatives of a pattern, the longest first."""
    return "|".join(sorted(read_words(name), key=lambda word: (-len(word), word)))
