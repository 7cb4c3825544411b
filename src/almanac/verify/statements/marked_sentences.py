"""Sentences with the words that open, limit, deny or explain what they say, by class, and the words these govern.

The classes and their words are in `data/meaning_<language>.txt`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

from almanac.kit.lazy import lazy_regex
from almanac.verify.facts import SENTENCE_CACHE_SIZE, SentenceFacts
from almanac.verify.word_lists import read_lines
from almanac.verify.words.content import content_words
from almanac.verify.words.model import ContentWord

_CLAUSE_END = {
    "ms": lazy_regex(
        r"(?i)[,;:.?!]|\b(?:tetapi|namun|manakala|sementara|sedangkan|walaupun|meskipun|tapi|kendati|serta|dan)\b"
    ),
    "zh": lazy_regex("[,;:。?!、]|但|而(?!且)"),
}


class Marker(NamedTuple):
    """A word or phrase of a class with its offsets."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class MarkedClause:
    """A part of a sentence between its commas and conjunctions."""

    start: int
    end: int
    words: tuple[ContentWord, ...]

    def contains(self, start: int) -> bool:
        return self.start <= start < self.end


@dataclass(frozen=True)
class MarkedSentence:
    """A sentence with its content words, which are read from the text with figures and dates masked."""

    text: str
    masked_text: str
    language: str

    @cached_property
    def words(self) -> tuple[ContentWord, ...]:
        return tuple(word for word in content_words(self.masked_text, self.language) if word.keys)

    @cached_property
    def keys(self) -> frozenset[str]:
        """All keys under which its words may be found."""
        return frozenset[str]().union(*(word.keys for word in self.words))

    @cached_property
    def clauses(self) -> tuple[MarkedClause, ...]:
        """Its clauses; those without content words join the next."""
        clauses: list[MarkedClause] = []
        begin = 0
        for end in [*(match.end() for match in _CLAUSE_END[self.language].finditer(self.masked_text)), len(self.text)]:
            words = tuple(word for word in self.words if begin <= word.start < end)
            if words:
                clauses.append(MarkedClause(begin, end, words))
                begin = end
        return tuple(clauses)

    def markers(self, kind: str) -> tuple[Marker, ...]:
        """The words of a class, in order."""
        return _find_markers(self.text, self.language, kind)

    def has(self, *kinds: str) -> bool:
        """Whether it has a word of any of these classes."""
        return any(self.markers(kind) for kind in kinds)

    def words_after(self, marker: Marker, limit: int) -> list[ContentWord]:
        """The next content words of the clause in which a marker stands, or of the next one if it ends a clause."""
        for clause in (clause for clause in self.clauses if clause.end > marker.end):
            governed = [word for word in clause.words if word.start >= marker.end]
            if governed and "|" not in self.masked_text[marker.end : clause.start]:
                return governed[:limit]
            if "|" in self.masked_text[marker.end : clause.end]:
                return []
        return []

    def clause_of(self, start: int) -> MarkedClause | None:
        """The clause at an offset; None where it has no content word."""
        return next((clause for clause in self.clauses if clause.contains(start)), None)


def mark_sentence(facts: SentenceFacts, language: str) -> MarkedSentence:
    """The sentence of these facts, to be read as Malay (also Indonesian) or Chinese."""
    return _mark(facts.text, facts.masked_text, language)


@lru_cache(maxsize=SENTENCE_CACHE_SIZE)
def _mark(text: str, masked_text: str, language: str) -> MarkedSentence:
    return MarkedSentence(text, masked_text, language)


@lru_cache(maxsize=16 * SENTENCE_CACHE_SIZE)
def _find_markers(text: str, language: str, kind: str) -> tuple[Marker, ...]:
    pattern = _patterns(language)[kind]
    return tuple(Marker(*match.span(), match[0]) for match in pattern.finditer(text))


@cache
def _patterns(language: str) -> dict[str, re.Pattern[str]]:
    return {kind: re.compile(pattern) for kind, pattern in _read_classes(language)}


def _read_classes(language: str) -> Iterator[tuple[str, str]]:
    for line in read_lines(f"meaning_{language}.txt"):
        kind, pattern = line.split(" ", 1)
        yield kind, rf"(?i)(?<![\w-])(?:{pattern})(?![\w-])" if language == "ms" else pattern
