"""Checks the figures of a claim: numbers, amounts, percentages, units and codes."""

import re
from collections.abc import Sequence
from difflib import get_close_matches

from almanac.verify.alignment import Alignment
from almanac.verify.facts import SentenceFacts
from almanac.verify.model import ClaimFinding, FindingKind
from almanac.verify.names.mentions import adjacent_tokens
from almanac.verify.quantities.quantity import Quantity, quantities_match, same_figure
from almanac.verify.quantities.rounding import Rounding, roundings_contradict
from almanac.verify.quantities.units import MONEY
from almanac.verify.reasons import fact_not_in_source, rounding_differs, unit_differs
from almanac.verify.sources import SourceSentence, SourceText, collect_moments, collect_quantities

_SMALL_COUNT = 3
_NEAR_COPY = 0.8
_FIRST_YEAR = 1900
_DAY = 86_400


def check_codes(facts: SentenceFacts, sources: Sequence[SourceText]) -> list[ClaimFinding]:
    """Invoice numbers and their like stand in the source letter by letter, or are wrong."""
    folded = " ".join(source.casefolded for source in sources)
    known = [code.text for source in sources for sentence in source.sentences for code in sentence.facts.codes]
    findings = []
    for code in facts.codes:
        if not re.search(rf"(?<![\w-]){re.escape(code.text.casefold())}(?![\w-])", folded):
            expected = next(iter(get_close_matches(code.text, known, n=1, cutoff=0.6)), None)
            findings.append(fact_not_in_source(FindingKind.NUMBER, code.text, expected))
    return findings


def check_quantities(facts: SentenceFacts, alignment: Alignment, sources: Sequence[SourceText]) -> list[ClaimFinding]:
    """Each quantity of the claim against the sentences it comes from, and only then against the rest."""
    near = collect_quantities(alignment.sentences)
    everywhere = [sentence for source in sources for sentence in source.sentences]
    free = [meant for meant in near if not any(quantities_match(said, meant) for said in facts.quantities)]
    findings: list[ClaimFinding] = []
    for said in facts.quantities:
        displaced = _find_displaced(said, facts, alignment, free)
        finding = _check_quantity(said, near, free, alignment.sentences, everywhere, displaced)
        if finding is not None:
            findings.append(finding)
    return findings or _check_repeated(facts, alignment)


def _check_repeated(facts: SentenceFacts, alignment: Alignment) -> list[ClaimFinding]:
    """The same figure twice where the source has two: one of them was put in the other's place."""
    there = alignment.best.facts.quantities
    if alignment.best_coverage < _NEAR_COPY or len(facts.quantities) != len(there):
        return []
    for said, meant in zip(facts.quantities, there, strict=True):
        twins = [other for other in facts.quantities if quantities_match(other, said)]
        originals = [other for other in collect_quantities(alignment.sentences) if quantities_match(said, other)]
        if not quantities_match(said, meant) and _may_replace(said, meant) and len(twins) > len(originals):
            return [fact_not_in_source(said.kind, said.text, meant.text)]
    return []


def _check_quantity(
    said: Quantity,
    near: list[Quantity],
    free: list[Quantity],
    chosen: Sequence[SourceSentence],
    everywhere: list[SourceSentence],
    displaced: list[Quantity],
) -> ClaimFinding | None:
    same = [meant for meant in near if quantities_match(said, meant)]
    if same:
        return _check_rounding(said, same)
    if _is_part_of_date(said, chosen) or _is_pronoun_one(said):
        return None
    rivals = [meant for meant in free if _may_replace(said, meant)] or displaced
    other = next((meant for meant in near if _differs_in_unit(said, meant)), None)
    if other is not None:
        assert said.measure is not None, "a unit can only differ where there is one"
        kind = FindingKind.AMOUNT if said.measure.dimension == MONEY else FindingKind.UNIT
        return unit_differs(kind, said.text, other.text)
    elsewhere = any(quantities_match(said, meant) for meant in collect_quantities(everywhere)) or _is_part_of_date(
        said, everywhere
    )
    if not rivals and (elsewhere or _is_verbatim(said, chosen) or _is_small_count(said)):
        return None
    return fact_not_in_source(said.kind, said.text, _nearest(said, rivals))


def _find_displaced(said: Quantity, facts: SentenceFacts, alignment: Alignment, free: list[Quantity]) -> list[Quantity]:
    """What stands in the very place of this quantity in a sentence that is else the source's, whatever it measures."""
    if alignment.best_coverage < _NEAR_COPY:
        return []
    there = alignment.best.facts
    place = adjacent_tokens(facts.text, said.start, said.end)
    return [
        meant
        for meant in there.quantities
        if meant in free and place & adjacent_tokens(there.text, meant.start, meant.end)
    ]


def _check_rounding(said: Quantity, same: list[Quantity]) -> ClaimFinding | None:
    """The same figure, but above it where the source is below it."""
    if not all(roundings_contradict(said.rounding, meant.rounding) for meant in same):
        return None
    meant = same[0]
    return rounding_differs(said.text, said.rounding.value, meant.text, meant.rounding.value)


def _may_replace(said: Quantity, meant: Quantity) -> bool:
    """Whether what is said may have been put in the place of this."""
    if said.ordinal != meant.ordinal or (said.kind is FindingKind.PERCENTAGE) != (meant.kind is FindingKind.PERCENTAGE):
        return False
    if said.measure and meant.measure:
        return said.measure.dimension == meant.measure.dimension
    return said.kind is meant.kind or said.measure is None or meant.measure is None


def _differs_in_unit(said: Quantity, meant: Quantity) -> bool:
    measured = said.measure is not None and meant.measure is not None
    if not measured or not same_figure(said, meant):
        return False
    assert said.measure is not None
    assert meant.measure is not None
    return not said.measure.is_compatible(meant.measure) or said.measure.factor != meant.measure.factor


def _is_pronoun_one(said: Quantity) -> bool:
    """`one` is more often a pronoun than a number."""
    return said.in_words and said.measure is None and said.values == {1}


def _is_small_count(said: Quantity) -> bool:
    """A person counts two bills where the source names them; that is reading, not inventing."""
    return (
        said.in_words and said.measure is None and max(said.values) <= _SMALL_COUNT and said.rounding is Rounding.EXACT
    )


def _is_part_of_date(said: Quantity, chosen: Sequence[SourceSentence]) -> bool:
    """`the 12th`, `3日`, 2026: a number that the source writes as part of a date."""
    moments = collect_moments(chosen)
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


def _is_verbatim(said: Quantity, chosen: Sequence[SourceSentence]) -> bool:
    """A form that was read in one place and not in another is no fault of the text."""
    pattern = re.compile(rf"(?<![\w.,]){re.escape(said.text.casefold())}(?![\w]|[.,]\w)")
    return any(pattern.search(sentence.facts.text.casefold()) for sentence in chosen)


def _nearest(said: Quantity, rivals: list[Quantity]) -> str | None:
    """The rival that looks most like what is said: a changed digit leaves the rest."""
    close = get_close_matches(said.text, [meant.text for meant in rivals], n=1, cutoff=0)
    return close[0] if close else None
