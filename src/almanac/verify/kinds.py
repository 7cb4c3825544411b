"""Finds one thing put for another of its kind: maize for sorghum, lamps for chairs.

`kinds.txt` has a kind on each line, its things apart by a bar and the words of one thing by a slash.
A word for the whole kind, such as grain, is in no list and so never a fault.
"""

from collections.abc import Sequence
from functools import cache

from almanac.verify.alignment import Alignment
from almanac.verify.facts import Facts
from almanac.verify.latin_names import latin_words
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
    best = alignment.best.facts.text
    for things in _kinds():
        for said in things:
            put = _mentioned(said, facts.text)
            if put is None or any(_mentioned(said, source.level) for source in sources):
                continue
            gone = [_mentioned(other, best) for other in things if not _mentioned(other, facts.text)]
            expected = next((word for word in gone if word), None)
            if expected is not None:
                return [other_thing(put, expected)]
    return []


@cache
def _kinds() -> list[list[Thing]]:
    return [[tuple(thing.split("/")) for thing in line.split("|")] for line in lines_of("kinds.txt")]


def _mentioned(thing: Thing, text: str) -> str | None:
    """The word by which a text mentions a thing: a whole word in Latin letters, any part elsewhere."""
    words = {word.key for word in latin_words(text)}
    return next((form for form in thing if (form in words if form.isascii() else form in text)), None)
