"""The word lists of this package, which are data: words apart by spaces, in files beside the code."""

from functools import cache
from importlib.resources import files


@cache
def words_of(name: str) -> frozenset[str]:
    """The words of a list."""
    return frozenset(files(__package__).joinpath("data", name).read_text("utf-8").split())


def one_of(name: str) -> str:
    """The words of a list as alternatives of a pattern, the longest first."""
    return "|".join(sorted(words_of(name), key=lambda word: (-len(word), word)))
