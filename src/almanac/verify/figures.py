"""Checks the figures of a claim: numbers, amounts, percentages, units and codes."""

import re
from collections.abc import Sequence
from difflib import get_close_matches

from almanac.verify.alignment import Alignment
from almanac.verify.facts import Facts
from almanac.verify.hedges import Hedge, contradicts
from almanac.verify.measures import MONEY
from almanac.verify.model import Finding, FindingKind
from almanac.verify.neighbours import beside
from almanac.verify.quantities import Quantity, same_value, says_same
from almanac.verify.reasons import other_direction, other_in_source, other_unit
from almanac.verify.sources import SourceSentence, SourceText, all_moments, all_quantities

_SMALL = 3
_VERBATIM = 0.8
_FIRST_YEAR = 1900
_DAY = 86_400


def check_codes(facts: Facts, sources: Sequence[SourceText]) -> list[Finding]:
    """Invoice numbers and their like stand in the source letter by letter, or are wrong."""
    folded = " ".join(source.folded for source in sources)
    known = [code.text for source in sources for sentence in source.sentences for code in sentence.facts.codes]
    findings = []
    for code in facts.codes:
        if not re.search(rf"(?<![\w-]){re.escape(code.text.casefold())}(?![\w-])", folded):
            expected = next(iter(get_close_matches(code.text, known, n=1, cutoff=0.6)), None)
            findings.append(other_in_source(FindingKind.NUMBER, code.text, expected))
    return findings


def check_quantities(facts: Facts, alignment: Alignment, sources: Sequence[SourceText]) -> list[Finding]:
    """Each quantity of the claim against the sentences it comes from, and only then against the rest."""
    near = all_quantities(alignment.chosen)
    everywhere = [sentence for source in sources for sentence in source.sentences]
    free = [meant for meant in near if not any(says_same(said, meant) for said in facts.quantities)]
    findings: list[Finding] = []
    for said in facts.quantities:
        displaced = _displaced(said, facts, alignment, free)
        finding = _check(said, near, free, alignment.chosen, everywhere, displaced)
        if finding is not None:
            findings.append(finding)
    return findings or _repeated(facts, alignment)


def _repeated(facts: Facts, alignment: Alignment) -> list[Finding]:
    """The same figure twice where the source has two: one of them was put in the other's place."""
    there = alignment.best.facts.quantities
    if alignment.nearness < _VERBATIM or len(facts.quantities) != len(there):
        return []
    for said, meant in zip(facts.quantities, there, strict=True):
        twins = [other for other in facts.quantities if says_same(other, said)]
        originals = [other for other in all_quantities(alignment.chosen) if says_same(said, other)]
        if not says_same(said, meant) and _rivals(said, meant) and len(twins) > len(originals):
            return [other_in_source(said.kind, said.text, meant.text)]
    return []


def _check(
    said: Quantity,
    near: list[Quantity],
    free: list[Quantity],
    chosen: Sequence[SourceSentence],
    everywhere: list[SourceSentence],
    displaced: list[Quantity],
) -> Finding | None:
    same = [meant for meant in near if says_same(said, meant)]
    if same:
        return _direction(said, same)
    if _is_dated(said, chosen) or _is_idle(said):
        return None
    rivals = [meant for meant in free if _rivals(said, meant)] or displaced
    other = next((meant for meant in near if _differs_in_unit(said, meant)), None)
    if other is not None:
        assert said.measure is not None, "a unit can only differ where there is one"
        kind = FindingKind.AMOUNT if said.measure.dimension == MONEY else FindingKind.UNIT
        return other_unit(kind, said.text, other.text)
    elsewhere = any(says_same(said, meant) for meant in all_quantities(everywhere)) or _is_dated(said, everywhere)
    if not rivals and (elsewhere or _is_literal(said, chosen) or _is_small(said)):
        return None
    return other_in_source(said.kind, said.text, _nearest(said, rivals))


def _displaced(said: Quantity, facts: Facts, alignment: Alignment, free: list[Quantity]) -> list[Quantity]:
    """What stands in the very place of this quantity in a sentence that is else the source's, whatever it measures."""
    if alignment.nearness < _VERBATIM:
        return []
    there = alignment.best.facts
    place = beside(facts.text, said.start, said.end)
    return [meant for meant in there.quantities if meant in free and place & beside(there.text, meant.start, meant.end)]


def _direction(said: Quantity, same: list[Quantity]) -> Finding | None:
    """The same figure, but above it where the source is below it."""
    if not all(contradicts(said.hedge, meant.hedge) for meant in same):
        return None
    meant = same[0]
    return other_direction(said.text, said.hedge.value, meant.text, meant.hedge.value)


def _rivals(said: Quantity, meant: Quantity) -> bool:
    """Whether what is said may have been put in the place of this."""
    if said.ordinal != meant.ordinal or (said.kind is FindingKind.PERCENTAGE) != (meant.kind is FindingKind.PERCENTAGE):
        return False
    if said.measure and meant.measure:
        return said.measure.dimension == meant.measure.dimension
    return said.kind is meant.kind or said.measure is None or meant.measure is None


def _differs_in_unit(said: Quantity, meant: Quantity) -> bool:
    measured = said.measure is not None and meant.measure is not None
    if not measured or not same_value(said, meant):
        return False
    assert said.measure is not None
    assert meant.measure is not None
    return not said.measure.fits(meant.measure) or said.measure.factor != meant.measure.factor


def _is_idle(said: Quantity) -> bool:
    """`one` is more often a pronoun than a number."""
    return said.in_words and said.measure is None and said.values == {1}


def _is_small(said: Quantity) -> bool:
    """A person counts two bills where the source names them; that is reading, not inventing."""
    return said.in_words and said.measure is None and max(said.values) <= _SMALL and said.hedge is Hedge.EXACT


def _is_dated(said: Quantity, chosen: Sequence[SourceSentence]) -> bool:
    """`the 12th`, `3日`, 2026: a number that the source writes as part of a date."""
    moments = all_moments(chosen)
    if any(part.day in said.values for moment in moments if moment.text.endswith("号") for part in moment.dates):
        return True  # 台風14号, a number and no day
    parts = [part for moment in moments for part in moment.dates]
    if said.measure and said.measure.dimension == "time" and said.measure.factor % _DAY == 0:
        lone = {part.day * _DAY for part in parts if part.day and part.month is None}
        if lone & said.scaled:
            return True  # 21日 is three weeks where it is no day of a month
    if said.ordinal or (said.measure and "day" in said.measure.symbols):
        return any(part.day in said.values for part in parts)
    return said.measure is None and min(said.values) >= _FIRST_YEAR and any(part.year in said.values for part in parts)


def _is_literal(said: Quantity, chosen: Sequence[SourceSentence]) -> bool:
    """A form that was read in one place and not in another is no fault of the text."""
    pattern = re.compile(rf"(?<![\w.,]){re.escape(said.text.casefold())}(?![\w]|[.,]\w)")
    return any(pattern.search(sentence.facts.text.casefold()) for sentence in chosen)


def _nearest(said: Quantity, rivals: list[Quantity]) -> str | None:
    """The rival that looks most like what is said: a changed digit leaves the rest."""
    close = get_close_matches(said.text, [meant.text for meant in rivals], n=1, cutoff=0)
    return close[0] if close else None
