"""Finds one thing put for another of its kind: maize for sorghum, lamps for chairs.

`kinds.txt` has a kind on each line, its things apart by a bar and the words of one thing by a slash.
A word for the whole kind, such as grain, is in no list and so never a fault.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Self

from almanac.verify.alignment import Alignment
from almanac.verify.facts import SentenceFacts
from almanac.verify.model import ClaimFinding
from almanac.verify.reasons import thing_replaced
from almanac.verify.sources import SourceText
from almanac.verify.word_lists import read_lines

_FAITHFUL = 0.5

ThingForms = tuple[str, ...]


def check_substitutions(
    facts: SentenceFacts, alignment: Alignment, sources: Sequence[SourceText]
) -> list[ClaimFinding]:
    """A thing that no source mentions, while the claim's sentence has another of its kind that the claim lacks."""
    if alignment.best_coverage < _FAITHFUL:
        return []
    here, best = _TextWords.of(facts), _TextWords.of(alignment.best.facts)
    for things in _read_kinds():
        for said in things:
            put = here.mention_of(said)
            if put is None or any(_TextWords(source.normalized, source.words).mention_of(said) for source in sources):
                continue
            gone = [best.mention_of(other) for other in things if not here.mention_of(other)]
            expected = next((word for word in gone if word), None)
            if expected is not None:
                return [thing_replaced(put, expected)]
    return []


@cache
def _read_kinds() -> list[list[ThingForms]]:
    return [[tuple(thing.split("/")) for thing in line.split("|")] for line in read_lines("kinds.txt")]


@dataclass(frozen=True, slots=True)
class _TextWords:
    """A text and its words in Latin letters."""

    text: str
    words: frozenset[str]

    @classmethod
    def of(cls, facts: SentenceFacts) -> Self:
        return cls(facts.text, facts.word_keys)

    def mention_of(self, thing: ThingForms) -> str | None:
        """The word by which the text mentions a thing: a whole word in Latin letters, any part elsewhere."""
        return next((form for form in thing if (form in self.words if form.isascii() else form in self.text)), None)
