"""Finds English statements whose hedge was dropped or put in: may, plans to, on suspicion of, denied, up to."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from almanac.kit.lazy import lazy_regex
from almanac.verify.alignment import Alignment
from almanac.verify.dates.moments import Moment
from almanac.verify.facts import SentenceFacts
from almanac.verify.model import ClaimFinding
from almanac.verify.quantities.quantity import Quantity, quantities_match
from almanac.verify.reasons import uncertain_difference
from almanac.verify.sources import SourceSentence, irregular_verbs, stem_word
from almanac.verify.statements.english_words import english_pattern
from almanac.verify.statements.negation import NEGATION_WORDS
from almanac.verify.statements.parallels import stated_words
from almanac.verify.words.model import ContentWord

_WILL = lazy_regex(r"(?i)\b(?:will|shall|going to|to be|is to|are to)\b|'ll\b")
_DONE = lazy_regex(r"(?i)\b(?:has|have|had|was|were|is|are|been|being)(?: [a-z]+ly| been| now| already| not)* $")
_NOUN_BEFORE = lazy_regex(
    r"(?i)\b(?:the|an?|of|its|their|his|her|to|for|this|that|these|those|no|any|in|by|with|on)(?: [a-z]+ly)* $"
)
_SCOPE_END = lazy_regex(
    r"[.;:]|, (?:and|but|while|whereas|although|said|he|she|they|it)\b| (?:but|while|whereas|although)\b"
)
_CLOSE_COPY = 0.7
_BELIEF = lazy_regex(r"(?i), (?:[a-z]+ ){1,4}(?:believe|suspect|think|allege|claim|fear)s?\W*$")
_DENIED = lazy_regex(r"(?i)\b(?P<subject>[a-z]+) (?:is|are|was|were|does|do|did|has|have|will|can) not(?=[.,;]|$)")
_REACH, _CLAUSE_REACH = 3, 6
_BOUND = lazy_regex(
    r"(?i)\b(?:up to|at (?:least|most)|(?:no|not) (?:more|less|fewer) than|(?:fewer|less) than|not exceeding"
    r"|(?:a |the )?(?:maximum|minimum)(?: of)?|as (?:much|many|few|little) as)(?: the| a| an| about)? ?[$€£¥]?$"
)


@dataclass(frozen=True, slots=True)
class _HedgedWords:
    """The words that follow a hedge of a source, the first of which is usually the verb."""

    hedge: str
    is_future: bool
    is_clause: bool
    words: tuple[ContentWord, ...]


def check_hedges(facts: SentenceFacts, alignment: Alignment) -> list[ClaimFinding]:
    """What the source hedges and the claim doesn't, or the reverse."""
    difference = (
        _find_dropped_hedge(facts, alignment)
        or _find_dropped_ending(facts, alignment)
        or _find_hedged_fact(facts, alignment)
        or _find_dropped_bound(facts, alignment)
        or _find_added_hedge(facts, alignment)
    )
    return [] if difference is None else [uncertain_difference(*difference)]


def _find_dropped_hedge(facts: SentenceFacts, alignment: Alignment) -> tuple[str, str] | None:
    if english_pattern("open").search(facts.text):
        return None
    scopes = [(sentence, hedged) for sentence in alignment.sentences for hedged in _hedged_words(sentence)]
    if not scopes:
        return None
    hedged_words = {id(word) for _, hedged in scopes for word in hedged.words}
    plain = {
        stem_word(word.text.casefold())
        for sentence in alignment.sentences
        for word in stated_words(sentence.facts)
        if id(word) not in hedged_words
    }
    words = stated_words(facts)
    for sentence, hedged in scopes:
        shared = [word for word in words if any(word.keys & other.carries for other in hedged.words)]
        stated = [
            word
            for word in shared
            if stem_word(word.text.casefold()) not in plain
            and (hedged.is_clause or word.keys & hedged.words[0].carries)
            and _is_stated(facts.text, word, hedged)
        ]
        if stated and (not hedged.is_clause or len(shared) > 1):
            return stated[0].text, _excerpt(sentence.facts.text, hedged)
    return None


def _find_dropped_ending(facts: SentenceFacts, alignment: Alignment) -> tuple[str, str] | None:
    """A claim that leaves out `police believe` at the end, or affirms the subject of `equipment is not`."""
    text = alignment.best.facts.text
    belief, denied = _BELIEF.search(text), _DENIED.search(text)
    is_open = english_pattern("open").search(facts.text)
    if belief is not None and not is_open and alignment.best_coverage >= _CLOSE_COPY:
        return facts.text, belief[0].strip(" ,.")
    negated = any(word.key in NEGATION_WORDS or word.key.endswith("n't") for word in facts.words)
    if denied is not None and not negated and denied["subject"].casefold() in facts.word_keys:
        return facts.text, denied[0]
    return None


def _hedged_words(sentence: SourceSentence) -> Iterator[_HedgedWords]:
    text = sentence.facts.text
    content = stated_words(sentence.facts)
    for name in ("doubted", "future"):
        for match in english_pattern(name).finditer(text):
            end = _SCOPE_END.search(text, match.end())
            stop = end.start() if end else len(text)
            is_clause = bool(english_pattern("before-clause").fullmatch(match[0]))
            words = [word for word in content if match.end() <= word.start < stop]
            if words:
                reach = _CLAUSE_REACH if is_clause else _REACH
                yield _HedgedWords(match[0], name == "future", is_clause, tuple(words[:reach]))


def _is_stated(text: str, word: ContentWord, hedged: _HedgedWords) -> bool:
    """Whether the claim has the word as something that is so, or was done where the source only looks ahead."""
    before = text[: word.start]
    if _DONE.search(before):
        return True
    if _NOUN_BEFORE.search(before) or _WILL.search(text):
        return False
    return not (hedged.is_future or hedged.is_clause) or _is_past(word.text.casefold())


def _is_past(word: str) -> bool:
    return word.endswith("ed") or word in irregular_verbs()


def _excerpt(text: str, hedged: _HedgedWords) -> str:
    start = max(0, text.rfind(hedged.hedge, 0, hedged.words[0].start))
    return text[start : hedged.words[-1].end]


def _find_hedged_fact(facts: SentenceFacts, alignment: Alignment) -> tuple[str, str] | None:
    """A figure or date told as past that the source has only after a hedge, as March in `expected in March`."""
    words = stated_words(facts)
    is_told_as_past = any(_is_past(word.text.casefold()) for word in words)
    if not is_told_as_past or english_pattern("open").search(facts.text) or _WILL.search(facts.text):
        return None
    for claimed in facts.measured:
        places = [
            (sentence, sourced.start, sourced.end)
            for sentence in alignment.sentences
            for sourced in sentence.facts.measured
            if _is_same_fact(claimed, sourced)
        ]
        hedges = [_hedge_before(sentence.facts.text, start) for sentence, start, _ in places]
        if places and all(hedge is not None for hedge in hedges):
            sentence, _, end = places[0]
            return claimed.text, sentence.facts.text[hedges[0] or 0 : end]
    return None


def _is_same_fact(claimed: Quantity | Moment, sourced: Quantity | Moment) -> bool:
    if isinstance(claimed, Quantity) and isinstance(sourced, Quantity):
        return quantities_match(claimed, sourced)
    return isinstance(claimed, Moment) and isinstance(sourced, Moment) and bool(claimed.dates & sourced.dates)


def _hedge_before(text: str, start: int) -> int | None:
    """Where the hedge starts that a fact is in the scope of; None without one."""
    for name in ("doubted", "future"):
        for match in english_pattern(name).finditer(text, 0, start):
            if not _SCOPE_END.search(text, match.end(), start):
                return match.start()
    return None


def _find_dropped_bound(facts: SentenceFacts, alignment: Alignment) -> tuple[str, str] | None:
    """A figure stated as it is where the source has `up to` or `at least` before it."""
    if english_pattern("bounded").search(facts.text):
        return None
    for claimed in facts.quantities:
        places = [
            (sentence.facts.text, sourced)
            for sentence in alignment.sentences
            for sourced in sentence.facts.quantities
            if quantities_match(claimed, sourced)
        ]
        bounds = [_BOUND.search(text[: sourced.start]) for text, sourced in places]
        if places and all(bounds):
            text, sourced = places[0]
            return claimed.text, text[_start_of(bounds[0]) : sourced.end]
    return None


def _start_of(match: re.Match[str] | None) -> int:
    return match.start() if match else 0


def _find_added_hedge(facts: SentenceFacts, alignment: Alignment) -> tuple[str, str] | None:
    match = english_pattern("soft").search(facts.masked_text)
    if match is None or any(
        english_pattern("open").search(sentence.facts.text) or _WILL.search(sentence.facts.text)
        for sentence in alignment.sentences
    ):
        return None
    return match[0], alignment.best.facts.text
