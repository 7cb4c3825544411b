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

from almanac.kit.text import one_line
from almanac.language.terms import index_terms
from almanac.search.model import SearchDocument

PROMINENT, DAY = "+", "@"
KIND, LANGUAGE = "kind", "lang"
SEPARATOR = "\x1f"
FACET_NAME = re.compile(r"[a-z][a-z0-9_-]*")

_GAP = 10
_PROMINENT_FROM, _MOST_PROMINENT = 3, 50
_LONGEST_VALUE, _LONGEST_SHOWN = 200, 500
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class PhrasePart:
    """A lexeme of a phrase at its distance from the first; a beginning matches every lexeme that starts with it."""

    lexeme: str
    offset: int
    is_beginning: bool = False


Phrase = tuple[PhrasePart, ...]


@dataclass(frozen=True, slots=True)
class Lexemes:
    """The lexemes of a document: positions in title and body, marked lexemes, and facets."""

    title: Mapping[str, list[int]]
    body: Mapping[str, list[int]]
    marked: frozenset[str]
    facets: Mapping[str, tuple[str, ...]]

    @property
    def words(self) -> int:
        return sum(map(len, self.title.values())) + sum(map(len, self.body.values()))


def parse_phrase(text: str) -> Phrase:
    """The lexemes that must follow each other; empty when the text has no word."""
    pieces: list[PhrasePart] = []
    end = 0
    for term in index_terms(text):
        # The last character of a CJK run is indexed by itself, and is within the pair before it already.
        if not (term.is_lone_character and term.start < end):
            pieces.append(PhrasePart(term.text, term.position, term.is_lone_character))
        end = term.end
    first = pieces[0].offset if pieces else 0
    return tuple(PhrasePart(piece.lexeme, piece.offset - first, piece.is_beginning) for piece in pieces)


def extract_lexemes(document: SearchDocument) -> Lexemes:
    """The lexemes of a document. Body positions start after the title's, so that no phrase spans both."""
    title, last = _positions(document.title, 1)
    body, _ = _positions(document.body, last + _GAP)
    facets = collect_facets(document)
    marked = [PROMINENT + lexeme for lexeme in _prominent(title, body)]
    marked += [facet_lexeme(name, value) for name, values in facets.items() for value in values]
    return Lexemes(title, body, frozenset([*marked, *day_lexemes(document.date)]), facets)


def _positions(text: str, first: int) -> tuple[dict[str, list[int]], int]:
    places: dict[str, list[int]] = {}
    last = first
    for lexeme, position, _, _ in index_terms(text):
        last = first + position
        places.setdefault(lexeme, []).append(last)
    return places, last


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
