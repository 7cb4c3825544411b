"""Turns text into lexemes with positions, the same way for documents and queries.

A plain lexeme is a term of the language. Marked ones: `+term` is prominent in the document, as in its title;
`name=value` is a facet; `@2026-01` is a year, month or day. Terms contain no marks, so they never collide.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import NamedTuple

from almanac.kit.text import one_line
from almanac.language.scripts import is_cjk
from almanac.language.spellings import spell_out_umlauts
from almanac.language.terms import fold_word, index_terms, stem
from almanac.search.model import SearchDocument
from almanac.search.query import QueryText

PROMINENT, DAY = "+", "@"
KIND, LANGUAGE = "kind", "lang"
SEPARATOR = "\x1f"
FACET_NAME = re.compile(r"[a-z][a-z0-9_-]*")

_GAP = 10
_PROMINENT_FROM, _MOST_PROMINENT = 3, 50
_LONGEST_VALUE, _LONGEST_SHOWN = 200, 500
_SPACES = re.compile(r"\s+")


# Endings that the stemmer removes: what is typed of a word may already reach into its ending.
_ENDINGS = ("s", "es", "ies", "ed", "ied", "er", "ers", "ly", "ing", "ings", "ment", "ments", "ation", "ations", "ness")
_SHORTEST_WORD, _LONGEST_WORD = 4, 32


class Spelling(NamedTuple):
    """A lexeme to look for; a beginning stands for every lexeme that starts with it."""

    lexeme: str
    is_beginning: bool = False


@dataclass(frozen=True, slots=True)
class PhrasePart:
    """A word of a phrase at its distance from the first, in each of the spellings that count as this word."""

    spellings: tuple[Spelling, ...]
    offset: int


Phrase = tuple[PhrasePart, ...]


@dataclass(frozen=True, slots=True)
class Lexemes:
    """The lexemes of a document: positions in title and body, marked lexemes, facets, and words as they are spelled."""

    title: Mapping[str, list[int]]
    body: Mapping[str, list[int]]
    marked: frozenset[str]
    facets: Mapping[str, tuple[str, ...]]
    vocabulary: frozenset[str] = frozenset()

    @property
    def words(self) -> int:
        return sum(map(len, self.title.values())) + sum(map(len, self.body.values()))


def parse_phrase(text: str, *, is_beginning: bool = False) -> Phrase:
    """The words that must follow each other; empty when the text has no word. The last one may be a beginning."""
    pieces: dict[int, tuple[Spelling, ...]] = {}
    end, last = 0, None
    for term in index_terms(text):
        # The last character of a CJK run is indexed by itself, and is within the pair before it already.
        if not (term.is_lone_character and term.start < end) or term.position in pieces:
            pieces[term.position] = (*pieces.get(term.position, ()), Spelling(term.text, term.is_lone_character))
        end, last = term.end, term
    if is_beginning and last is not None and not is_cjk(text[last.end - 1]):
        pieces[last.position] = _beginning_spellings(text[last.start : last.end])
    first = next(iter(pieces), 0)
    return tuple(PhrasePart(spellings, position - first) for position, spellings in pieces.items())


def text_phrase(text: QueryText) -> Phrase:
    """The words that a text of a query asks for."""
    return parse_phrase(text.text, is_beginning=text.is_beginning)


def similar_phrases(text: str) -> list[Phrase]:
    """What a run of Chinese or Japanese characters may be meant for: one is wrong, missing, too many, or swapped."""
    phrases = [parse_phrase(text[:at] + text[at + 1 :]) for at in range(len(text))]
    phrases += [parse_phrase(text[:at] + text[at + 1] + text[at] + text[at + 2 :]) for at in range(len(text) - 1)]
    phrases += [_with_gap(text[:at], text[at + 1 :], at + 1) for at in range(1, len(text) - 1)]
    phrases += [_with_gap(text[:at], text[at:], at + 1) for at in range(1, len(text))]
    return list(dict.fromkeys(phrases))


def _with_gap(before: str, after: str, offset: int) -> Phrase:
    return (
        *parse_phrase(before),
        *(PhrasePart(part.spellings, part.offset + offset) for part in parse_phrase(after)),
    )


def _beginning_spellings(written: str) -> tuple[Spelling, ...]:
    """What a word that begins so is indexed as: by its beginning, or by a stem that is shorter than what is written."""
    beginnings = [fold_word(word) for word in (written, spell_out_umlauts(written)) if word]
    stems = [
        stem(beginning.removesuffix(ending[:length]) + ending)
        for beginning in beginnings
        for ending in _ENDINGS
        for length in range(1, len(ending) + 1)
        if beginning.endswith(ending[:length])
    ]
    shorter = {
        lexeme
        for lexeme in stems
        if len(lexeme) >= _SHORTEST_WORD - 1 and not any(lexeme.startswith(beginning) for beginning in beginnings)
    }
    return (*(Spelling(beginning, True) for beginning in beginnings), *map(Spelling, sorted(shorter)))


def extract_lexemes(document: SearchDocument) -> Lexemes:
    """The lexemes of a document. Body positions start after the title's, so that no phrase spans both."""
    vocabulary: set[str] = set()
    title, last = _positions(document.title, 1, vocabulary)
    body, _ = _positions(document.body, last + _GAP, vocabulary)
    facets = collect_facets(document)
    marked = [PROMINENT + lexeme for lexeme in _prominent(title, body)]
    marked += [facet_lexeme(name, value) for name, values in facets.items() for value in values]
    return Lexemes(title, body, frozenset([*marked, *day_lexemes(document.date)]), facets, frozenset(vocabulary))


def _positions(text: str, first: int, vocabulary: set[str]) -> tuple[dict[str, list[int]], int]:
    places: dict[str, list[int]] = {}
    last = first
    for lexeme, position, start, end in index_terms(text):
        last = first + position
        if lexeme in places:
            places[lexeme].append(last)
        else:
            places[lexeme] = [last]
            if end - start >= _SHORTEST_WORD and is_correctable(word := fold_word(text[start:end])):
                vocabulary.add(word)
    return places, last


@lru_cache(maxsize=20_000)
def is_correctable(word: str) -> bool:
    """Whether a folded word is one that typing errors are looked for in: letters only, neither short nor very long."""
    return _SHORTEST_WORD <= len(word) <= _LONGEST_WORD and word.isalpha() and not is_cjk(word[0])


def _prominent(title: Mapping[str, list[int]], body: Mapping[str, list[int]]) -> set[str]:
    """The terms of the title, and those that the body repeats most."""
    repeated = Counter({lexeme: len(at) for lexeme, at in body.items() if len(at) >= _PROMINENT_FROM})
    return {*title, *(lexeme for lexeme, _ in repeated.most_common(_MOST_PROMINENT))}


def collect_facets(document: SearchDocument) -> dict[str, tuple[str, ...]]:
    """A document's facets, with its kind and language."""
    facets: dict[str, tuple[str, ...]] = {KIND: (document.kind,)}
    if document.language:
        facets[LANGUAGE] = (document.language,)
    for name, values in document.facets.items():
        if not FACET_NAME.fullmatch(name):
            raise ValueError(f"A facet's name is small letters and digits, not {name!r}.")
        facets[name] = tuple(dict.fromkeys(clean for value in values if (clean := _clean_value(value))))
    return facets


@lru_cache(maxsize=4096)
def _clean_value(value: str) -> str:
    """A facet value as shown, limited in length, because counts are stored by value."""
    return one_line(value)[:_LONGEST_SHOWN].rstrip()


@lru_cache(maxsize=4096)
def facet_lexeme(name: str, value: str) -> str:
    """A facet value normalized in width, case and white space."""
    return f"{name}={_SPACES.sub(' ', unicodedata.normalize('NFKC', value)).strip().casefold()[:_LONGEST_VALUE]}"


def day_lexemes(date: datetime | None) -> tuple[str, ...]:
    """The year, month and day of a moment in UTC; empty for None."""
    if date is None:
        return ()
    day = date.astimezone(UTC).date().isoformat()
    return DAY + day[:4], DAY + day[:7], DAY + day
