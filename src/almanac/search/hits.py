"""Builds hits: snippets where the query's words are closest together, with matches marked, and grouped facets."""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from almanac.language.scripts import is_cjk
from almanac.language.spellings import character_variants
from almanac.language.terms import index_terms
from almanac.search.model import FacetCount, SearchDocument, SearchHit, Snippet, SnippetSpan
from almanac.search.query import SearchQuery, query_texts
from almanac.search.terms import KIND, LANGUAGE, facet_lexeme, text_phrase

SNIPPET_LENGTH = 220
# Taking every word of a text apart would take longer than finding it, so a plain search for how the words begin names
# the places worth a closer look.
_SHORTEST_BEGINNING = 3
_BETWEEN_LETTERS = "['’\u0300-\u036f]*"
_TAIL = r"[A-Za-z0-9]*(?:[.,'][A-Za-z0-9]+)*"
_PLACES = 400
_READ_AROUND = 2 * SNIPPET_LENGTH
_ELLIPSIS = "…"
_SPACES = re.compile(r"\s+")
# Japanese and Chinese put no space between sentences, so the end of a paragraph leaves none.
_SPACES_AFTER_SENTENCE = re.compile(r"(?<=[。！？」』）〕])\s+")


@dataclass(frozen=True, slots=True)
class MatchMarker:
    """The words of a query to mark: whole lexemes, and beginnings of others."""

    lexemes: frozenset[str]
    beginnings: tuple[str, ...]
    looks_like: re.Pattern[str] | None
    plain_words: re.Pattern[str] | None

    def marks(self, lexeme: str) -> str | None:
        """The query word that a lexeme matches; None if it matches none."""
        if lexeme in self.lexemes:
            return lexeme
        return next((beginning for beginning in self.beginnings if lexeme.startswith(beginning)), None)


@dataclass(frozen=True, slots=True)
class _Match:
    """A place in a text that matches a word of the query."""

    start: int
    end: int
    word: str


def build_marker(query: SearchQuery) -> MatchMarker:
    """What to mark for a query: the words it asks for, none that it excludes."""
    phrases = [text_phrase(text) for text in query_texts(query.root)]
    spellings = [spelling for phrase in phrases for part in phrase for spelling in part.spellings]
    beginnings = tuple(spelling.lexeme for spelling in spellings if spelling.is_beginning)
    lexemes = frozenset(spelling.lexeme for spelling in spellings if not spelling.is_beginning)
    looks = "|".join(sorted({_surface(lexeme) for lexeme in (*lexemes, *beginnings)}))
    if not looks:
        return MatchMarker(lexemes, beginnings, None, None)
    whole_words = re.compile(rf"(?<![A-Za-z0-9])(?:{looks}){_TAIL}", re.IGNORECASE)
    return MatchMarker(lexemes, beginnings, re.compile(looks, re.IGNORECASE), whole_words)


def _surface(lexeme: str) -> str:
    """A pattern for the beginning of words with this stem; digits may be grouped, accents and apostrophes may occur."""
    if lexeme[0].isdigit():
        return ",?".join(map(re.escape, lexeme))
    if is_cjk(lexeme[0]):
        return "".join(f"[{re.escape(character_variants(character))}]" for character in lexeme)
    return _BETWEEN_LETTERS.join(map(re.escape, lexeme[: max(_SHORTEST_BEGINNING, len(lexeme) - 2)]))


def mark_matches(text: str, marker: MatchMarker) -> Snippet:
    """A short text with every match marked."""
    return tuple(_split_spans(text, _matches(text, marker)))


def build_snippet(text: str, marker: MatchMarker, length: int = SNIPPET_LENGTH) -> Snippet:
    """About `length` characters around the most different words, or else the beginning."""
    start, end = _part_to_read(text, marker, length)
    part = text[start:end]
    matches = _matches(part, marker)
    first, last = _window(part, matches, length)
    first, last = _snap_to_words(part, first, last)
    inside = [_Match(m.start - first, m.end - first, m.word) for m in matches if first <= m.start and m.end <= last]
    spans = list(_split_spans(part[first:last], inside))
    return tuple(_with_ellipses(spans, cut_before=start + first > 0, cut_after=start + last < len(text.rstrip())))


def _part_to_read(text: str, marker: MatchMarker, length: int) -> tuple[int, int]:
    """The span where the words seem to be closest together, by their beginnings."""
    places = [] if marker.looks_like is None else _first_places(text, marker.looks_like)
    if not places:
        return 0, min(len(text), _READ_AROUND)
    starts = [start for start, _ in places]
    best = max(
        range(len(places)),
        key=lambda i: (_count_different_words(places, i, bisect_left(starts, starts[i] + length)), -i),
    )
    return max(0, starts[best] - length), min(len(text), starts[best] + _READ_AROUND)


def _first_places(text: str, pattern: re.Pattern[str]) -> list[tuple[int, str]]:
    places: list[tuple[int, str]] = []
    for match in pattern.finditer(text if text.isascii() else text.translate(_plain_letters())):
        places.append((match.start(), match[0].casefold()))
        if len(places) == _PLACES:
            break
    return places


@cache
def _plain_letters() -> dict[int, int]:
    """Letters without accent or in normal width, one for one, so that offsets stay."""
    latin = (*range(0xC0, 0x250), *range(0x1E00, 0x1F00), *range(0xFF01, 0xFF5F))
    plain = {letter: unicodedata.normalize("NFKD", chr(letter))[0] for letter in latin}
    return {letter: ord(base) for letter, base in plain.items() if base.isascii() and base.isalnum()}


def _count_different_words(places: Sequence[tuple[int, str]], first: int, last: int) -> int:
    return len({word for _, word in places[first:last]})


def _matches(text: str, marker: MatchMarker) -> list[_Match]:
    if marker.plain_words is None:
        return []
    # Other letters than these have forms that only taking the text apart brings together.
    if not text.isascii():
        return list(_marked_terms(text, 0, marker))
    words = marker.plain_words.finditer(text)
    return [match for word in words for match in _marked_terms(word[0], word.start(), marker)]


def _marked_terms(text: str, offset: int, marker: MatchMarker) -> Iterator[_Match]:
    for term in index_terms(text):
        if (word := marker.marks(term.text)) is not None:
            yield _Match(offset + term.start, offset + term.end, word)


def _window(text: str, matches: Sequence[_Match], length: int) -> tuple[int, int]:
    """The span with the most different words, with a little before its first match."""
    if not matches:
        return 0, min(len(text), length)
    best = max(range(len(matches)), key=lambda i: (len(_words_within(matches, i, length)), -i))
    first = max(0, min(matches[best].start - length // 4, len(text) - length))
    return first, min(len(text), first + length)


def _words_within(matches: Sequence[_Match], first: int, length: int) -> Collection[str]:
    reach = matches[first].start + length * 3 // 4
    return {match.word for match in matches[first:] if match.end <= reach}


def _snap_to_words(text: str, first: int, last: int) -> tuple[int, int]:
    """Move the ends inwards to spaces nearby; text without spaces is cut anywhere."""
    if first > 0 and (space := text.find(" ", first, first + 20)) >= 0:
        first = space + 1
    if last < len(text) and first < (space := text.rfind(" ", last - 20, last)):
        last = space
    return first, last


def _split_spans(text: str, matches: Sequence[_Match]) -> Iterator[SnippetSpan]:
    """The text in spans; matches that touch or overlap become one."""
    done, open_until, opened = 0, -1, 0
    for match in matches:
        if match.start > open_until:
            if open_until >= 0:
                yield SnippetSpan(text[opened:open_until], marked=True)
                done = open_until
            if match.start > done:
                yield SnippetSpan(text[done : match.start])
            opened = match.start
        open_until = max(open_until, match.end)
    if open_until >= 0:
        yield SnippetSpan(text[opened:open_until], marked=True)
        done = open_until
    if done < len(text):
        yield SnippetSpan(text[done:])


def _with_ellipses(spans: Sequence[SnippetSpan], *, cut_before: bool, cut_after: bool) -> Iterator[SnippetSpan]:
    """The spans on one line, with an ellipsis where text was left out."""
    if cut_before:
        yield SnippetSpan(_ELLIPSIS)
    for span in spans:
        yield SnippetSpan(_SPACES.sub(" ", _SPACES_AFTER_SENTENCE.sub("", span.text)), span.marked)
    if cut_after and spans:
        yield SnippetSpan(_ELLIPSIS)


MAX_FACET_VALUES = 100
_SCORE_SCALE = 1_000_000


def build_hit(document: SearchDocument, score: int, marker: MatchMarker) -> SearchHit:
    """What is shown of a document; scores are stored as integers, so that they can be paged by."""
    return SearchHit(
        kind=document.kind,
        id=document.id,
        title=document.title,
        path=document.path,
        language=document.language,
        date=document.date,
        facets=document.facets,
        fields=document.fields,
        score=score / _SCORE_SCALE,
        marked_title=mark_matches(document.title, marker),
        snippet=build_snippet(document.body, marker),
    )


def build_bare_hit(kind: str, document_id: str, score: int) -> SearchHit:
    """A hit without anything to show, for whoever reads that elsewhere."""
    return SearchHit(
        kind=kind,
        id=document_id,
        title="",
        path="",
        language="",
        date=None,
        facets={},
        fields={},
        score=score / _SCORE_SCALE,
        marked_title=(),
        snippet=(),
    )


def parse_facets(joined: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Facets by name, without those that every document has."""
    facets: dict[str, tuple[str, ...]] = {}
    for name, _, value in (facet.partition("=") for facet in joined):
        if name not in (KIND, LANGUAGE):
            facets[name] = (*facets.get(name, ()), value)
    return facets


def group_facets(names: Iterable[str], counted: Iterable[tuple[str, str, int]]) -> dict[str, list[FacetCount]]:
    """Counts by facet, most frequent first. Values that differ only in case or width are merged."""
    words: dict[str, dict[str, str]] = {name: {} for name in names}
    counts: dict[str, dict[str, int]] = {name: {} for name in words}
    for name, value, count in sorted(counted, key=lambda row: (-row[2], row[1])):
        if name in words:
            alike = facet_lexeme(name, value)
            words[name].setdefault(alike, value)
            counts[name][alike] = counts[name].get(alike, 0) + count
    return {
        name: [
            FacetCount(words[name][alike], count)
            for alike, count in sorted(counts[name].items(), key=lambda item: (-item[1], item[0]))[:MAX_FACET_VALUES]
        ]
        for name in words
    }
