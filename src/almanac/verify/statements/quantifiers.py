"""Finds quantifiers that differ: all where the source says some, none where it says few."""

from functools import cache

from almanac.verify.alignment import Alignment
from almanac.verify.facts import SentenceFacts
from almanac.verify.model import ClaimFinding
from almanac.verify.reasons import uncertain_difference
from almanac.verify.sources import CJK_LANGUAGES
from almanac.verify.word_lists import read_lines


def check_quantifiers(facts: SentenceFacts, alignment: Alignment, language: str) -> list[ClaimFinding]:
    """A finding where claim and closest source sentence each have a quantifier, of different strength."""
    claimed = _read(facts, language)
    sourced = _read(alignment.best.facts, language)
    strange = set(claimed) - set(sourced)
    if not strange or not sourced:
        return []
    strength = min(strange)
    return [uncertain_difference(claimed[strength], next(iter(sourced.values())))]


def _read(facts: SentenceFacts, language: str) -> dict[str, str]:
    """The strengths of the quantifiers of a sentence, with the word of each."""
    text = facts.masked_text.casefold()
    words = text if language in CJK_LANGUAGES else facts.word_keys
    return {strength: word for strength, word in _quantifiers(language) if word in words}


@cache
def _quantifiers(language: str) -> tuple[tuple[str, str], ...]:
    rows = (line.split() for line in read_lines("quantifiers.txt"))
    return tuple((row[1], word) for row in rows if row[0] == language for word in row[2:])
