"""Checks the figures of a claim: numbers, amounts, percentages, units and identifier codes."""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from itertools import combinations, pairwise

from almanac.kit.lazy import lazy_regex
from almanac.verify.alignment import Alignment
from almanac.verify.facts import SentenceFacts
from almanac.verify.model import ClaimFinding, FindingKind
from almanac.verify.names.mentions import adjacent_tokens
from almanac.verify.quantities.quantity import Quantity, is_age, quantities_match, same_figure
from almanac.verify.quantities.rounding import Rounding, roundings_contradict
from almanac.verify.quantities.units import MONEY
from almanac.verify.reasons import fact_in_doubt, fact_may_differ, fact_not_in_source, rounding_differs, unit_differs
from almanac.verify.sources import SourceSentence, SourceText, collect_moments, collect_quantities

_SMALL_COUNT = 3
_NEAR_COPY = 0.8
_FAITHFUL_COPY = 0.6
_FIRST_YEAR = 1900
_DAY = 86_400
_FIRST = lazy_regex(r"(?i)\bfirst\b|\bpertama\b|[首初]")
_MOST_TERMS = 12


def check_codes(facts: SentenceFacts, sources: Sequence[SourceText]) -> list[ClaimFinding]:
    """Report codes that the sources don't contain exactly; one that resembles none of theirs is in doubt."""
    if not facts.codes:
        return []
    folded = " ".join(source.casefolded for source in sources)
    source_codes = [code.text for source in sources for sentence in source.sentences for code in sentence.facts.codes]
    compact_codes = {_compact_code(code) for code in source_codes}
    findings = []
    for code in facts.codes:
        pattern = rf"(?<![\w-]){re.escape(code.text.casefold())}(?![\w-]|(?<=[0-9])[.,]?[0-9])"
        if _compact_code(code.text) in compact_codes or re.search(pattern, folded):
            continue
        expected = next(iter(get_close_matches(code.text, source_codes, n=1, cutoff=0.6)), None)
        if expected is None:
            findings.append(fact_in_doubt(FindingKind.NUMBER, code.text))
        else:
            findings.append(fact_not_in_source(FindingKind.NUMBER, code.text, expected))
    return findings


def _compact_code(code: str) -> str:
    """COVID-19 and Covid19 are the same code."""
    return re.sub(r"[-/_]", "", code).casefold()


def check_quantities(facts: SentenceFacts, alignment: Alignment, sources: Sequence[SourceText]) -> list[ClaimFinding]:
    """Compare each quantity with the aligned sentences first, then with the rest of the sources."""
    near = collect_quantities(alignment.sentences)
    everywhere = [sentence for source in sources for sentence in source.sentences]
    free = [sourced for sourced in near if not any(quantities_match(claimed, sourced) for claimed in facts.quantities)]
    findings: list[ClaimFinding] = []
    for claimed in facts.quantities:
        displaced = _find_displaced(claimed, facts, alignment, free)
        is_copy = alignment.best_coverage >= _FAITHFUL_COPY
        finding = _check_quantity(claimed, near, free, alignment.sentences, everywhere, displaced, is_copy=is_copy)
        if finding is not None:
            findings.append(finding)
    return findings or _check_repeated(facts, alignment)


def _check_repeated(facts: SentenceFacts, alignment: Alignment) -> list[ClaimFinding]:
    """Report a figure that the claim repeats where the source has two different ones."""
    source_quantities = alignment.best.facts.quantities
    if alignment.best_coverage < _NEAR_COPY or len(facts.quantities) != len(source_quantities):
        return []
    for claimed, sourced in zip(facts.quantities, source_quantities, strict=True):
        twins = [other for other in facts.quantities if quantities_match(other, claimed)]
        originals = [other for other in collect_quantities(alignment.sentences) if quantities_match(claimed, other)]
        if not quantities_match(claimed, sourced) and _may_replace(claimed, sourced) and len(twins) > len(originals):
            return [fact_not_in_source(claimed.kind, claimed.text, sourced.text)]
    return []


def _check_quantity(
    claimed: Quantity,
    near: list[Quantity],
    free: list[Quantity],
    chosen: Sequence[SourceSentence],
    everywhere: list[SourceSentence],
    displaced: list[Quantity],
    *,
    is_copy: bool,
) -> ClaimFinding | None:
    same = [sourced for sourced in near if quantities_match(claimed, sourced)]
    if same and not _replaces_bound(claimed, same, displaced):
        return _check_rounding(claimed, same)
    if _is_part_of_date(claimed, chosen) or _is_pronoun_one(claimed) or _is_stated_otherwise(claimed, chosen):
        return None
    rivals = [sourced for sourced in free if _may_replace(claimed, sourced)] or displaced
    other = next((sourced for sourced in near if _differs_in_unit(claimed, sourced)), None)
    if other is None and claimed.kind is FindingKind.PERCENTAGE:
        everywhere_points = (
            sourced for sourced in collect_quantities(everywhere) if _differs_in_unit(claimed, sourced)
        )
        other = next((sourced for sourced in everywhere_points if _is_of_points(sourced)), None)
    if other is not None:
        assert claimed.measure is not None, "a unit can only differ where there is one"
        kind = FindingKind.AMOUNT if claimed.measure.dimension == MONEY else FindingKind.UNIT
        return unit_differs(kind, claimed.text, other.text)
    elsewhere = any(
        quantities_match(claimed, sourced) for sourced in collect_quantities(everywhere)
    ) or _is_part_of_date(claimed, everywhere)
    if not rivals and (elsewhere or _is_verbatim(claimed, chosen)):
        return None
    if elsewhere and not is_copy:
        rivals = [sourced for sourced in rivals if not any(is_age(sourced, each.facts.text) for each in chosen)]
        return fact_may_differ(claimed.kind, claimed.text, rivals[0].text) if rivals else None
    return _report_missing(claimed, near, rivals)


def _report_missing(claimed: Quantity, near: list[Quantity], rivals: list[Quantity]) -> ClaimFinding | None:
    """A figure that no source has: in doubt where it may follow from the source's figures or count its things."""
    if not rivals and _is_small_count(claimed):
        return fact_in_doubt(claimed.kind, claimed.text) if claimed.ordinal or not claimed.in_words else None
    derived = next((sourced for sourced in rivals if _follows_from_bound(claimed, sourced)), None)
    if derived is not None:
        return fact_may_differ(claimed.kind, claimed.text, derived.text)
    terms = _find_terms(claimed, near)
    if terms is not None:
        return fact_may_differ(claimed.kind, claimed.text, " and ".join(each.text for each in terms))
    return fact_not_in_source(claimed.kind, claimed.text, _nearest(claimed, rivals))


def _follows_from_bound(claimed: Quantity, sourced: Quantity) -> bool:
    """Whether a far bound is still true: `more than 20` for 67."""
    if sourced.rounding not in {Rounding.EXACT, Rounding.ABOUT}:
        return False
    if claimed.rounding is Rounding.OVER:
        return max(claimed.scaled) < min(sourced.scaled)
    return claimed.rounding is Rounding.UNDER and min(claimed.scaled) > max(sourced.scaled)


def _find_terms(claimed: Quantity, near: list[Quantity]) -> tuple[Quantity, Quantity] | None:
    """Two figures of the source whose sum or difference the claim states; None if there are none."""
    if claimed.ordinal or len(near) > _MOST_TERMS:
        return None
    terms = [
        other
        for other in near
        if not other.ordinal and _may_replace(claimed, other) and (other.measure is None) is (claimed.measure is None)
    ]
    for first, second in combinations(terms, 2):
        values = {
            value for left in first.scaled for right in second.scaled for value in (left + right, abs(left - right))
        }
        if values & claimed.scaled:
            return first, second
    return None


def _find_displaced(
    claimed: Quantity, facts: SentenceFacts, alignment: Alignment, free: list[Quantity]
) -> list[Quantity]:
    """The source's quantity in the same place of a near copy, whatever it measures."""
    if alignment.best_coverage < _NEAR_COPY:
        return []
    source_quantities = alignment.best.facts
    place = adjacent_tokens(facts.text, claimed.start, claimed.end)
    return [
        sourced
        for sourced in source_quantities.quantities
        if sourced in free and place & adjacent_tokens(source_quantities.text, sourced.start, sourced.end)
    ]


def _replaces_bound(claimed: Quantity, same: list[Quantity], displaced: list[Quantity]) -> bool:
    """Whether `more than 50` fits another figure only as a bound, and the source has another bound in its place."""
    if claimed.rounding is Rounding.EXACT or any(claimed.scaled & sourced.scaled for sourced in same):
        return False
    return any(sourced.rounding is claimed.rounding and _may_replace(claimed, sourced) for sourced in displaced)


def _check_rounding(claimed: Quantity, same: list[Quantity]) -> ClaimFinding | None:
    """Report the same figure as a lower bound where the source has an upper bound, or the reverse."""
    if not all(roundings_contradict(claimed.rounding, sourced.rounding) for sourced in same):
        return None
    sourced = same[0]
    return rounding_differs(claimed.text, claimed.rounding.value, sourced.text, sourced.rounding.value)


def _may_replace(claimed: Quantity, sourced: Quantity) -> bool:
    """Whether the claimed quantity may have replaced this one."""
    if claimed.ordinal != sourced.ordinal or (claimed.kind is FindingKind.PERCENTAGE) != (
        sourced.kind is FindingKind.PERCENTAGE
    ):
        return False
    if claimed.measure and sourced.measure:
        return claimed.measure.dimension == sourced.measure.dimension or claimed.measure.is_compatible(sourced.measure)
    return claimed.kind is sourced.kind or claimed.measure is None or sourced.measure is None


def _differs_in_unit(claimed: Quantity, sourced: Quantity) -> bool:
    measured = claimed.measure is not None and sourced.measure is not None
    if not measured or not same_figure(claimed, sourced):
        return False
    assert claimed.measure is not None
    assert sourced.measure is not None
    return not claimed.measure.is_compatible(sourced.measure) or claimed.measure.factor != sourced.measure.factor


def _is_of_points(quantity: Quantity) -> bool:
    return quantity.measure is not None and quantity.measure.dimension == "percentage-points"


def _is_pronoun_one(claimed: Quantity) -> bool:
    """`one` is more often a pronoun than a number."""
    return claimed.in_words and claimed.measure is None and claimed.values == {1} and not claimed.ordinal


def _is_first_in_words(claimed: Quantity, chosen: Sequence[SourceSentence]) -> bool:
    """第一次 where the source has 首次."""
    return claimed.ordinal and claimed.values == {1} and any(_FIRST.search(sentence.facts.text) for sentence in chosen)


def _is_stated_otherwise(claimed: Quantity, chosen: Sequence[SourceSentence]) -> bool:
    return _is_first_in_words(claimed, chosen) or _is_run(claimed, chosen) or _is_margin(claimed, chosen)


def _is_run(claimed: Quantity, chosen: Sequence[SourceSentence]) -> bool:
    """连跌五周 where the source has 连续第五周下跌."""
    return any(f"第{claimed.text}" in each.facts.text and "连" in each.facts.text for each in chosen)


def _is_margin(claimed: Quantity, chosen: Sequence[SourceSentence]) -> bool:
    """Four goals behind where the source has the score, 22-26."""
    if claimed.measure is not None or claimed.ordinal:
        return False
    for sentence in chosen:
        for first, second in pairwise(sentence.facts.quantities):
            is_score = sentence.facts.text[first.end : second.start] == "-"
            if is_score and {abs(left - right) for left in first.values for right in second.values} & claimed.values:
                return True
    return False


def _is_small_count(claimed: Quantity) -> bool:
    """Whether it may count things that the source names without a number."""
    return (
        (claimed.measure is None or claimed.measure.dimension == "people")
        and max(claimed.values) <= _SMALL_COUNT
        and claimed.rounding is Rounding.EXACT
    )


def _is_part_of_date(claimed: Quantity, chosen: Sequence[SourceSentence]) -> bool:
    """Whether the source has the number as part of a date: `the 12th`, `3日`, 2026."""
    moments = collect_moments(chosen)
    if any(part.day in claimed.values for moment in moments if moment.text.endswith("号") for part in moment.dates):
        return True  # 台風14号 has a number, not a day
    parts = [part for moment in moments for part in moment.dates]
    if claimed.measure and claimed.measure.dimension == "time" and claimed.measure.factor % _DAY == 0:
        lone = {part.day * _DAY for part in parts if part.day and part.month is None}
        if lone & claimed.scaled:
            return True  # 21日 means three weeks unless it is a day of a month
    if claimed.ordinal or (claimed.measure and "day" in claimed.measure.symbols):
        return any(part.day in claimed.values for part in parts)
    return (
        claimed.measure is None
        and min(claimed.values) >= _FIRST_YEAR
        and any(part.year in claimed.values for part in parts)
    )


def _is_verbatim(claimed: Quantity, chosen: Sequence[SourceSentence]) -> bool:
    """Whether the source has the same characters, parsed differently."""
    pattern = re.compile(rf"(?<![\w.,]){re.escape(claimed.text.casefold())}(?![\w]|[.,]\w)")
    return any(pattern.search(sentence.facts.text.casefold()) for sentence in chosen)


def _nearest(claimed: Quantity, rivals: list[Quantity]) -> str | None:
    """The competing quantity that is written most similarly; None where there is none."""
    close = get_close_matches(claimed.text, [sourced.text for sourced in rivals], n=1, cutoff=0)
    return close[0] if close else None
