"""Labels of an article by the words it uses: its country and its tags. Word lists are in `data/`."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from almanac.language.word_lists import read_lines

_FEWEST, _MOST_TAGS = 2, 5
_ENDINGS_OF_NO_COUNTRY = frozenset({"io", "ai", "co", "tv", "me", "fm", "cc", "ws", "to", "ly", "gg"})
_ENDING_TO_CODE = {"uk": "GB"}
_READ = 12_000
# What a list under this name holds means nothing, whatever its parts mean: the Paris Agreement is not about France.
NOTHING = "-"
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
        self._longest_first = sorted(self._characters, key=len, reverse=True)

    def count(self, title: str, text: str) -> Counter[str]:
        """How often each name is meant; what the title says counts three times."""
        counts: Counter[str] = Counter()
        for words, weight in ((title, _TITLE_COUNTS_AS), (text, 1)):
            for name in self._named(words if self._as_written else words.casefold()):
                counts[name] += weight
            for name, times in self._written(words):
                counts[name] += weight * times
        del counts[NOTHING]
        return counts

    def _written(self, text: str) -> Iterator[tuple[str, int]]:
        """How often names are meant in Chinese; long words use theirs up, as Indonesia's begins with India's."""
        for word in self._longest_first:
            if times := text.count(word):
                yield self._characters[word], times
                text = text.replace(word, " ")

    def _named(self, text: str) -> Iterator[str]:
        """The names of the phrases in a text; of those that begin at one word the longest, which uses its words up."""
        words, at = _WORD.findall(text), 0
        while at < len(words):
            length = self._longest_phrase(words, at) if words[at] in self._beginnings else 0
            if length:
                yield self._words[tuple(words[at : at + length])]
            at += length or 1

    def _longest_phrase(self, words: Sequence[str], at: int) -> int:
        lengths = range(_LONGEST_PHRASE, 0, -1)
        return next((length for length in lengths if tuple(words[at : at + length]) in self._words), 0)


@cache
def _country_finder() -> WordFinder:
    lists = {line.split()[0]: line.split()[1:] for line in data_lines("countries")}
    return WordFinder(lists, as_written=True)


@cache
def country_codes() -> frozenset[str]:
    """The countries that can be told apart."""
    return frozenset(line.split()[0] for line in data_lines("countries")) - {NOTHING}


def find_country(title: str, text: str, host: str) -> str | None:
    """The two-letter code of the country named most; the site's own country where no place is named twice.

    None where two are named equally often: a guess between them would be wrong every other time.
    """
    named = _country_finder().count(title, text[:_READ])
    home = _home_of(host)
    # A country's own sites name it less often than others do.
    most = max(((times + (code == home), code) for code, times in named.items()), default=(0, ""))
    if not named or (named[most[1]] < _FEWEST and home is not None):
        return home
    rivals = [code for code, times in named.items() if times + (code == home) == most[0]]
    return most[1] if len(rivals) == 1 else None


def _home_of(host: str) -> str | None:
    ending = host.partition(":")[0].rsplit(".", maxsplit=1)[-1].lower()
    if len(ending) != 2 or ending in _ENDINGS_OF_NO_COUNTRY or not ending.isalpha():
        return None
    code = _ENDING_TO_CODE.get(ending, ending.upper())
    return code if code in country_codes() else None


@cache
def _tag_lists() -> dict[str, list[str]]:
    return {name: words.split() for name, _, words in (line.partition(":") for line in data_lines("tags"))}


@cache
def _tag_finder() -> WordFinder:
    return WordFinder(_tag_lists())


@cache
def allowed_tags() -> tuple[str, ...]:
    """Every tag that is given without a rule."""
    return tuple(_tag_lists())


def find_tags(title: str, text: str) -> tuple[str, ...]:
    """The tags whose words an article says at least twice, the most frequent first."""
    counts = _tag_finder().count(title, text[:_READ])
    return tuple(name for name, times in counts.most_common(_MOST_TAGS) if times >= _FEWEST)


def data_lines(name: str) -> tuple[str, ...]:
    """The lines of a list."""
    return read_lines(__package__, f"{name}.txt")
