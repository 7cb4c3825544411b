"""Finds one thing put for another of its kind: maize for sorghum, lamps for chairs.

`kinds.txt` has a kind on each line, its things apart by a bar and the words of one thing by a slash.
A word for the whole kind, such as grain, is in no list and so never a fault.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Self

from almanac.verify.alignment import Alignment
from almanac.verify.facts import Facts
from almanac.verify.model import Finding
from almanac.verify.reasons import other_thing
from almanac.verify.sources import SourceText
from almanac.verify.vocabulary import lines_of

_FAITHFUL = 0.5

Thing = tuple[str, ...]


def check_kinds(facts: Facts, alignment: Alignment, sources: Sequence[SourceText]) -> list[Finding]:
    """A thing that no source mentions, while the claim's sentence has another of its kind that the claim lacks."""
    if alignment.nearness < _FAITHFUL:
        return []
    here, best = _Wording.of(facts), _Wording.of(alignment.best.facts)
    for things in _kinds():
        for said in things:
            put = here.mention_of(said)
            if put is None or any(_Wording(source.level, source.words).mention_of(said) for source in sources):
                continue
            gone = [best.mention_of(other) for other in things if not here.mention_of(other)]
            expected = next((word for word in gone if word), None)
            if expected is not None:
                return [other_thing(put, expected)]
    return []


@cache
def _kinds() -> list[list[Thing]]:
    return [[tuple(thing.split("/")) for thing in line.split("|")] for line in lines_of("kinds.txt")]


@dataclass(frozen=True, slots=True)
class _Wording:
    """A text and its words in Latin letters."""

    text: str
    words: frozenset[str]

    @classmethod
    def of(cls, facts: Facts) -> Self:
        return cls(facts.text, facts.keys)

    def mention_of(self, thing: Thing) -> str | None:
        """The word by which the text mentions a thing: a whole word in Latin letters, any part elsewhere."""
        return next((form for form in thing if (form in self.words if form.isascii() else form in self.text)), None)
