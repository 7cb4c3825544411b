"""Finds an English claim that goes further than its source: all, only, must or the first, put in or exchanged."""

from collections.abc import Iterator
from functools import lru_cache

from almanac.verify.alignment import Alignment
from almanac.verify.facts import SENTENCE_CACHE_SIZE, SentenceFacts
from almanac.verify.model import ClaimFinding
from almanac.verify.reasons import uncertain_difference
from almanac.verify.statements.english_words import english_pattern, names_of
from almanac.verify.statements.parallels import ParallelClauses, find_parallels

_SHARE = 0.5
# Words that are so common in other senses that only a rival of the source makes them say something.
_QUIET = frozenset({"some", "third", "second", "for", "against"})
_RIVALS = {
    "all": ("most", "few", "some"),
    "most": ("all", "few", "some"),
    "few": ("all", "most"),
    "some": ("all", "most"),
    "first": ("second", "third", "last"),
    "second": ("first", "third", "last"),
    "third": ("first", "second", "last"),
    "last": ("first", "second"),
    "for": ("against",),
    "against": ("for",),
}


def check_extent(facts: SentenceFacts, alignment: Alignment) -> list[ClaimFinding]:
    """The first word of degree that the source clause has otherwise, or that no aligned sentence has."""
    everywhere = [sentence.facts.text for sentence in alignment.sentences]
    for parallel in find_parallels(facts, alignment):
        if any(parallel.claimed.text.strip(" ,.;") in text for text in everywhere):
            continue
        for name, word in _degrees(parallel.claimed.text).items():
            if word not in facts.content_text:
                continue  # `at least` belongs to its figure and is checked with it
            rival = _find_rival(name, parallel)
            if rival is not None:
                return [uncertain_difference(word, rival)]
            if parallel.share and name not in _QUIET and not any(_carries(name, text) for text in everywhere):
                return [uncertain_difference(word, alignment.best.facts.text)]
    return []


def _find_rival(name: str, parallel: ParallelClauses) -> str | None:
    """The word of the parallel source clause that says another degree of the same kind."""
    if parallel.share < _SHARE or name in _degrees(parallel.sourced.text):
        return None
    sourced = _degrees(parallel.sourced.text)
    return next((sourced[other] for other in _RIVALS.get(name, ()) if other in sourced), None)


def _carries(name: str, text: str) -> bool:
    if name in _degrees(text):
        return True
    return name in names_of("implies:") and bool(
        english_pattern(f"implies:{name}").search(text.replace("%", " percent"))
    )


@lru_cache(maxsize=4 * SENTENCE_CACHE_SIZE)
def _degrees(text: str) -> dict[str, str]:
    """The degrees that a text has, each with the first word that says so."""
    return dict(_read_degrees(text))


def _read_degrees(text: str) -> Iterator[tuple[str, str]]:
    """What an earlier degree reads is hidden from later ones: `nearly all` isn't `all`."""
    for name in names_of("degree:"):
        pattern = english_pattern(f"degree:{name}")
        match = pattern.search(text)
        if match is not None:
            yield name, match[0]
            text = pattern.sub(lambda word: "|" * len(word[0]), text)
