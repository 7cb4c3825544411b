"""Loads the word lists in `data/`."""

from almanac.language import word_lists


def read_lines(name: str) -> list[str]:
    """The lines of a list that has several columns."""
    return list(word_lists.read_lines(__package__, name))


def read_words(name: str) -> frozenset[str]:
    """The words of a list."""
    return word_lists.read_words(__package__, name)


def any_word_pattern(name: str) -> str:
    """A pattern that matches any word of a list, the longest first."""
    return "|".join(sorted(read_words(name), key=lambda word: (-len(word), word)))
