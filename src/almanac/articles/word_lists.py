"""Lists of words that stand for something, such as a country or a tag, and how often a text says one of them."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files

_TITLE_COUNTS_AS = 3


class WordFinder:
    """Finds listed words in a text: whole words of alphabetic scripts, anywhere for Chinese."""

    def __init__(self, lists: Mapping[str, Iterable[str]], *, as_written: bool = False) -> None:
        self._as_written = as_written
        self._meaning: dict[str, str] = {}
        for name, listed in lists.items():
            for word in listed:
                plain = word.replace("_", " ")
                self._meaning.setdefault(plain if as_written else plain.casefold(), name)
        ordered = sorted(self._meaning, key=len, reverse=True)
        self._pattern = re.compile("|".join(_bounded(word) for word in ordered))

    def count(self, title: str, text: str) -> Counter[str]:
        """How often each name is meant; what the title says counts three times."""
        found: Counter[str] = Counter()
        for words, weight in ((title, _TITLE_COUNTS_AS), (text, 1)):
            plain = words if self._as_written else words.casefold()
            for match in self._pattern.finditer(plain):
                found[self._meaning[match[0]]] += weight
        return found


def _bounded(word: str) -> str:
    if not word.isascii() and not word[0].isascii():
        return re.escape(word)
    return rf"(?<![^\W_]){re.escape(word)}(?![^\W_])"


@cache
def data_lines(name: str) -> tuple[str, ...]:
    """The lines of a list."""
    text = files(__package__).joinpath("data", f"{name}.txt").read_text(encoding="utf-8")
    return tuple(line for line in text.splitlines() if line.strip())
