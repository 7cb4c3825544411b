"""Lists of words that stand for something, such as a country or a tag, and how often a text says one of them."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files

_TITLE_COUNTS_AS, _LONGEST_PHRASE = 3, 4
_LAST_ALPHABET = "\u2e7f"
_WORD = re.compile(r"[a-zA-Z0-9\u00c0-\u024f]+(?:[.-][a-zA-Z0-9\u00c0-\u024f]+)*")


class WordFinder:
    """Finds listed words in a text: whole words of alphabetic scripts, anywhere for Chinese."""

    def __init__(self, lists: Mapping[str, Iterable[str]], *, as_written: bool = False) -> None:
        self._as_written = as_written
        self._words: dict[tuple[str, ...], str] = {}
        self._characters: dict[str, str] = {}
        for name, listed in lists.items():
            for word in listed:
                if word[0] > _LAST_ALPHABET:
                    self._characters.setdefault(word, name)
                else:
                    plain = word if as_written else word.casefold()
                    self._words.setdefault(tuple(plain.split("_")), name)
        self._beginnings = {words[0] for words in self._words}

    def count(self, title: str, text: str) -> Counter[str]:
        """How often each name is meant; what the title says counts three times."""
        found: Counter[str] = Counter()
        for words, weight in ((title, _TITLE_COUNTS_AS), (text, 1)):
            for name in self._named(words if self._as_written else words.casefold()):
                found[name] += weight
            for word, name in self._characters.items():
                if times := words.count(word):
                    found[name] += weight * times
        return found

    def _named(self, text: str) -> Iterator[str]:
        words = _WORD.findall(text)
        for at, word in enumerate(words):
            if word in self._beginnings:
                phrases = (tuple(words[at : at + length]) for length in range(_LONGEST_PHRASE, 0, -1))
                if name := next((self._words[phrase] for phrase in phrases if phrase in self._words), None):
                    yield name


@cache
def data_lines(name: str) -> tuple[str, ...]:
    """The lines of a list."""
    text = files(__package__).joinpath("data", f"{name}.txt").read_text(encoding="utf-8")
    return tuple(line for line in text.splitlines() if line.strip())
