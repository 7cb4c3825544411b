"""Search within the documentation: sections that have every word, or words that begin so; typing errors are forgiven.

The documentation is small, so its text is looked through as it is, and no index has to be kept.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from almanac.help.library import HelpLibrary, HelpPage, HelpSection
from almanac.language.terms import fold_word
from almanac.search.corrections import allowed_edits, edit_distance

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
# What helps to do something comes before what explains it, and that before what is looked up.
_ORDER = ("how-to", "tutorial", "deploy", "explanation", "tablature")
_LOOKED_UP = ("reference", "adr")
_WHOLE_TITLE, _TITLE, _HEADING, _TEXT = 100_000, 100, 30, 1
_SNIPPET = 160


@dataclass(frozen=True, slots=True)
class HelpHit:
    """A section that was found."""

    title: str
    heading: str
    href: str
    snippet: str


@dataclass(frozen=True, slots=True)
class _Entry:
    """A section with its words folded, a space before each of them."""

    page: HelpPage
    section: HelpSection
    title: str
    heading: str
    text: str

    def score(self, words: Sequence[str]) -> int:
        """0 unless every word begins one of the section's."""
        scores = [
            _TITLE * (f" {word}" in self.title)
            + _HEADING * (f" {word}" in self.heading)
            + _TEXT * min(9, self.text.count(f" {word}"))
            for word in words
        ]
        if not all(scores):
            return 0
        is_title = self.title == "".join(f" {word}" for word in words)
        return sum(scores) + _WHOLE_TITLE * is_title

    def rank(self, score: int) -> tuple[bool, int, bool, int, int]:
        """Its place among what was found: a whole title first, then guides, reference and records of decisions; among
        guides those where the words are prominent, then those that help to do something.
        """
        folder = self.page.name.partition("/")[0]
        place = _ORDER.index(folder) if folder in _ORDER else len(_ORDER)
        looked_up = _LOOKED_UP.index(folder) + 1 if folder in _LOOKED_UP else 0
        return score < _WHOLE_TITLE, looked_up, score < _HEADING, place, -score


class HelpFinder:
    """Finds sections of a library; read once, when somebody searches for the first time."""

    def __init__(self, library: HelpLibrary) -> None:
        self._library = library

    def find(self, query: str, limit: int = 20) -> list[HelpHit]:
        """The sections that have the words of a query, best first, of each page the best one."""
        words = [self._correct(fold_word(word)) for word in _WORD.findall(query)]
        if not words:
            return []
        scored = [(entry.score(words), entry) for entry in self._entries]
        scored = [(score, entry) for score, entry in scored if score]
        best: dict[str, tuple[int, _Entry]] = {}
        for score, entry in scored:
            if entry.page.name not in best or score > best[entry.page.name][0]:
                best[entry.page.name] = (score, entry)
        ordered = sorted(best.values(), key=lambda item: item[1].rank(item[0]))
        return [_hit(entry, words) for _, entry in ordered[:limit]]

    @cached_property
    def _entries(self) -> list[_Entry]:
        pages = [self._library.page(name) for name in sorted(self._library.names)]
        return [
            _Entry(page, section, _fold(page.title), _fold(section.heading.text), _fold(section.text))
            for page in pages
            for section in page.sections
        ]

    @cached_property
    def _vocabulary(self) -> frozenset[str]:
        return frozenset(word for entry in self._entries for word in entry.text.split())

    def _correct(self, word: str) -> str:
        """The word, or the nearest one that occurs if none begins so."""
        edits = allowed_edits(word)
        if not edits or any(f" {word}" in entry.text or f" {word}" in entry.title for entry in self._entries):
            return word
        near = [(edit_distance(word, other, edits), other) for other in self._vocabulary if other[:1] == word[:1]]
        distance, nearest = min(near, default=(edits + 1, word))
        return nearest if distance <= edits else word


def _fold(text: str) -> str:
    return "".join(f" {fold_word(word)}" for word in _WORD.findall(text))


def _hit(entry: _Entry, words: Sequence[str]) -> HelpHit:
    section = entry.section
    href = entry.page.href + (f"#{section.heading.anchor}" if section.heading.level > 1 else "")
    heading = section.heading.text if section.heading.level > 1 else ""
    return HelpHit(entry.page.title, heading, href, _snippet(section.text, words[0]))


def _snippet(text: str, word: str) -> str:
    """Some of the text around a word, or its beginning."""
    at = max(0, text.casefold().find(word) - _SNIPPET // 4)
    start = text.rfind(" ", 0, at) + 1 if at else 0
    part = text[start : start + _SNIPPET].strip()
    return ("…" if start else "") + part + ("…" if start + _SNIPPET < len(text) else "")
