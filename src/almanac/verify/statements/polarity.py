"""Finds a claim that says the opposite of its source: a negation added or dropped, or an antonym put in."""

from almanac.kit.lazy import lazy_regex
from almanac.verify.alignment import Alignment, has_fact
from almanac.verify.facts import SentenceFacts
from almanac.verify.model import ClaimFinding
from almanac.verify.reasons import opposite_meaning, uncertain_difference
from almanac.verify.statements.antonyms import find_antonym_swap
from almanac.verify.statements.negation import (
    LONGEST_NEGATION,
    find_denial_mismatch,
    find_negation,
    find_plain_negation,
    may_be_negative,
)

_CLOSE_COPY = 0.7
_CLAUSE = lazy_regex(r"[,;] |[、，；]")


def check_polarity(facts: SentenceFacts, alignment: Alignment, language: str) -> list[ClaimFinding]:
    """Report the first negation or antonym that turns the claim round.

    Negations are compared only where the claim nearly repeats the source's sentence: elsewhere one may belong to
    what was left out.
    """
    mismatch = None if language == "ja" else _find_denial(facts, alignment, language)
    mismatch = mismatch or find_antonym_swap(facts, alignment, language)
    return [] if mismatch is None else [opposite_meaning(*mismatch)]


def _find_denial(facts: SentenceFacts, alignment: Alignment, language: str) -> tuple[str, str] | None:
    """Japanese denials are compared by its own rules."""
    is_close = alignment.best_coverage >= _CLOSE_COPY
    mismatch = find_negation(facts.text, alignment.best.facts.text, language) if is_close else None
    return mismatch or find_denial_mismatch(facts, alignment, language)


def check_translated_polarity(facts: SentenceFacts, alignment: Alignment, language: str) -> list[ClaimFinding]:
    """Report a translation with a plain negation whose source sentences contain nothing that could be negative."""
    negation = find_plain_negation(facts.text, language)
    if negation is None:
        return []
    with_facts = [each for each in alignment.sentences if any(has_fact(each, fact) for fact in facts.measured)]
    if any(may_be_negative(sentence.facts.text) for sentence in with_facts or alignment.sentences):
        return []
    denied = facts.text[negation.start() : negation.end() + LONGEST_NEGATION]
    is_simple = _CLAUSE.search(facts.text) is None
    return [(opposite_meaning if is_simple else uncertain_difference)(denied, alignment.best.text)]
