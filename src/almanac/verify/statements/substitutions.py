"""Finds a thing replaced by another of the same kind: maize for sorghum, lamps for chairs.

`kinds.txt` has a kind on each line, its things separated by bars and the words of a thing by slashes. Words for the
whole kind, such as grain, aren't listed and so never reported.
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
    """Report a thing that no source mentions, where the aligned sentence has another of its kind instead."""
    if alignment.best_coverage < _FAITHFUL:
        return []
    here, best = _TextWords.of(facts), _TextWords.of(alignment.best.facts)
    for things in _read_kinds():
        for claimed in things:
            put = here.mention_of(claimed)
            if put is None or any(
                _TextWords(source.normalized, source.words).mention_of(claimed) for source in sources
            ):
                continue
            gone = [best.mention_of(other) for other in things if not here.mention_of(other)]
            expected = next((word for word in gone if word), None)
            if expected is not None:
                return [thing_replaced(put, expected)]
    return []


@cache
def _read_kinds() -> list[list[ThingForms]]:
    return [[tuple(forms.split("/")) for forms in line.split("|")] for line in read_lines("kinds.txt")]


@dataclass(frozen=True, slots=True)
class _TextWords:
    """A text and its words in Latin letters."""

    text: str
    words: frozenset[str]

    @classmethod
    def of(cls, facts: SentenceFacts) -> Self:
        return cls(facts.text, facts.word_keys)

    def mention_of(self, forms: ThingForms) -> str | None:
        """The form by which the text mentions a thing: a whole word in Latin letters, any substring otherwise."""
        return next((form for form in forms if (form in self.words if form.isascii() else form in self.text)), None)
