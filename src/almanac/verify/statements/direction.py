"""Finds a rise or fall that the figures speak against: `rose to 312 from 347`, or `rose to 312` where it was 347."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from almanac.kit.lazy import lazy_regex
from almanac.verify.alignment import Alignment
from almanac.verify.facts import SentenceFacts
from almanac.verify.model import ClaimFinding
from almanac.verify.quantities.quantity import Quantity, quantities_match
from almanac.verify.reasons import opposite_meaning
from almanac.verify.statements.antonym_words import read_antonyms

_TO = lazy_regex(r"(?i)\bto (?:an? |about |around |nearly |just |over |under |only |[a-z]+ly )*[$€£¥]?$")
_FROM = lazy_regex(r"(?i)\bfrom (?:an? |about |around |nearly |just |over |under |only |[a-z]+ly )*[$€£¥]?$")
_THEN_TO = lazy_regex(r"(?i)[^.;:]{0,30}? to (?:[a-z]+ )?[$€£¥]?")
_THEN_FROM = lazy_regex(
    r"(?i)[^.;:]{0,40}? (?:from|compared with|compared to|against|versus) (?:an? |the )?(?:[a-z]+ )?[$€£¥]?"
)
_FARTHEST = 60


class _FigureChange(NamedTuple):
    """Two figures of a sentence, the earlier and the later one."""

    old: Quantity
    new: Quantity

    @property
    def is_rise(self) -> bool:
        return min(self.new.scaled) > max(self.old.scaled)

    @property
    def is_fall(self) -> bool:
        return max(self.new.scaled) < min(self.old.scaled)


def check_direction(facts: SentenceFacts, alignment: Alignment) -> list[ClaimFinding]:
    """A word of direction that the figures of the claim itself, or of the source, contradict."""
    for new in facts.quantities:
        word = _word_of_direction(facts.text, new)
        if word is None:
            continue
        changes = [*_changes(facts), *(change for each in alignment.sentences for change in _changes(each.facts))]
        for change in changes:
            if quantities_match(new, change.new) and (change.is_fall if word in _ups() else change.is_rise):
                claimed = facts.text[max(0, facts.text.casefold().rfind(word, 0, new.start)) : new.end]
                return [opposite_meaning(claimed, f"{change.new.text} from {change.old.text}")]
    return []


def is_confirmed_by_figures(word: str, facts: SentenceFacts, alignment: Alignment) -> bool:
    """Whether a word of direction follows from two figures of the source: `fell` for `312, compared with 347`."""
    key = word.casefold()
    if key not in _ups() and key not in _downs():
        return False
    changes = [change for sentence in alignment.sentences for change in _changes(sentence.facts)]
    return any(
        (change.is_rise if key in _ups() else change.is_fall) and quantities_match(new, change.new)
        for change in changes
        for new in facts.quantities
    )


def _changes(facts: SentenceFacts) -> Iterator[_FigureChange]:
    """Pairs such as `to 312 from 347`, `from 347 to 312` and `312, compared with 347`."""
    text = facts.masked_text
    for first, second in pairwise(sorted(facts.quantities, key=lambda each: each.start)):
        if (
            first.kind is not second.kind
            or first.ordinal
            or second.ordinal
            or (first.measure is None) != (second.measure is None)
        ):
            continue
        before, between = text[: first.start], text[first.end : second.start]
        if _FROM.search(before) and _THEN_TO.fullmatch(between):
            yield _FigureChange(old=first, new=second)
        elif not _FROM.search(before) and _THEN_FROM.fullmatch(between):
            yield _FigureChange(old=second, new=first)


def _word_of_direction(text: str, new: Quantity) -> str | None:
    """The last word of up or down before `to` and a figure; None without one."""
    before = text[max(0, new.start - _FARTHEST) : new.start].casefold()
    if not _TO.search(before):
        return None
    words = [word for word in before.replace(",", " ").split() if word in _ups() or word in _downs()]
    return words[-1] if words else None


def _ups() -> tuple[str, ...]:
    return read_antonyms("antonyms.txt")[0].left


def _downs() -> tuple[str, ...]:
    return read_antonyms("antonyms.txt")[0].right
