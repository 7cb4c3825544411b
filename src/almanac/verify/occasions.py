"""Checks the moments of a claim: dates, weekdays, times and relative days."""

from collections.abc import Sequence

from almanac.verify.alignment import Alignment
from almanac.verify.facts import Facts
from almanac.verify.model import Finding, FindingKind
from almanac.verify.moments import Moment, Sort, Surroundings, says_same_moment
from almanac.verify.reasons import other_in_source
from almanac.verify.sources import SourceText, all_moments, all_quantities


def check_moments(facts: Facts, alignment: Alignment, sources: Sequence[SourceText]) -> list[Finding]:
    """Each moment of the claim against the sentences it comes from, then against the rest where nothing rivals it."""
    everywhere = [moment for source in sources for moment in all_moments(source.sentences)]
    around = Surroundings.of(everywhere)
    near = all_moments(alignment.chosen)
    free = [meant for meant in near if not any(says_same_moment(said, meant, around) for said in facts.moments)]
    findings = []
    for said in facts.moments:
        if any(says_same_moment(said, meant, around) for meant in near) or _is_number(said, alignment, sources):
            continue
        rivals = [meant for meant in free if _rivals(said, meant)]
        if not rivals and any(says_same_moment(said, meant, around) for meant in everywhere):
            continue
        findings.append(other_in_source(FindingKind.DATE, said.text, rivals[0].text if rivals else None))
    return findings


def _rivals(said: Moment, meant: Moment) -> bool:
    """Whether both name the same sort of moment, as finely."""
    if said.sort is not meant.sort:
        return False
    return said.sort is not Sort.DATE or fineness(said) == fineness(meant)


def fineness(moment: Moment) -> str:
    """Whether a date names a day, a month, a part of a year or a year."""
    parts = next(iter(moment.dates))
    return "day" if parts.day is not None else "month" if parts.month is not None else "part" if parts.part else "year"


def _is_number(said: Moment, alignment: Alignment, sources: Sequence[SourceText]) -> bool:
    """2050 farmers, 3日: a number that looked like a year or a day."""
    lone = {part.year or part.day for part in said.dates if part.month is None and part.part is None}
    if said.sort is not Sort.DATE or not lone:
        return said.sort is Sort.TIME and any(said.text.casefold() in source.folded for source in sources)
    return any(
        value in lone
        for quantity in all_quantities(alignment.chosen)
        if quantity.measure is None or "day" in quantity.measure.symbols
        for value in quantity.values
    )
