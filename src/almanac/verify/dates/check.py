"""Checks the dates, weekdays, times and relative days of a claim, and dates attached to the wrong figure."""

from collections.abc import Iterator, Sequence

from almanac.verify.alignment import Alignment
from almanac.verify.dates.moments import POINTS_BACK, DateContext, Moment, MomentKind, moments_match, with_context_years
from almanac.verify.facts import SentenceFacts
from almanac.verify.model import ClaimFinding, FindingKind
from almanac.verify.quantities.quantity import Quantity, quantities_match
from almanac.verify.reasons import fact_in_doubt, fact_may_differ, fact_not_in_source
from almanac.verify.sources import SourceSentence, SourceText, collect_moments, collect_quantities
from almanac.verify.statements.clauses import Clause, clause_index, split_clauses

_COMPARED = {"上月": ("环比", "按月"), "上个月": ("环比", "按月"), "去年": ("同比", "按年"), "上年": ("同比", "按年")}


_FAITHFUL_COPY = 0.6


def check_moments(facts: SentenceFacts, alignment: Alignment, sources: Sequence[SourceText]) -> list[ClaimFinding]:
    """Compare each moment with the aligned sentences first, then with the rest of the sources."""
    everywhere = [moment for source in sources for moment in collect_moments(source.sentences)]
    around = DateContext.from_moments(everywhere)
    near = collect_moments(alignment.sentences)
    free = [
        sourced for sourced in near if not any(moments_match(claimed, sourced, around) for claimed in facts.moments)
    ]
    findings = []
    for claimed in facts.moments:
        if claimed.word == POINTS_BACK or any(moments_match(claimed, sourced, around) for sourced in near):
            continue
        if _is_plain_number(claimed, alignment, sources) or _is_comparison(claimed, alignment):
            continue
        rivals = [sourced for sourced in free if _may_replace(claimed, sourced)]
        is_elsewhere = any(moments_match(claimed, sourced, around) for sourced in everywhere)
        if is_elsewhere and not rivals:
            continue
        if is_elsewhere and alignment.best_coverage < _FAITHFUL_COPY:
            findings.append(fact_may_differ(FindingKind.DATE, claimed.text, rivals[0].text))
            continue
        if not rivals and not _is_certain(claimed, near, around):
            findings.append(fact_in_doubt(FindingKind.DATE, claimed.text))
        else:
            findings.append(fact_not_in_source(FindingKind.DATE, claimed.text, rivals[0].text if rivals else None))
    return findings


def _is_certain(claimed: Moment, near: Sequence[Moment], around: DateContext) -> bool:
    """Whether a moment that no source has is wrong: a date is, a weekday if the source's date falls on another one."""
    if claimed.kind is MomentKind.WEEKDAY:
        return any(with_context_years(sourced, around) for sourced in near)
    return claimed.kind is MomentKind.DATE


def _is_comparison(claimed: Moment, alignment: Alignment) -> bool:
    """Whether the source compares with it by a word of its own: 环比 is 较上月, 同比 is 较去年同期."""
    words = next((words for text, words in _COMPARED.items() if claimed.text.startswith(text)), ())
    return any(word in sentence.facts.text for word in words for sentence in alignment.sentences)


def _may_replace(claimed: Moment, sourced: Moment) -> bool:
    """Whether both are the same kind of moment with the same precision."""
    if claimed.kind is not sourced.kind:
        return False
    return claimed.kind is not MomentKind.DATE or date_precision(claimed) == date_precision(sourced)


def date_precision(moment: Moment) -> str:
    """Whether a date names a day, a month, a part of a year, or only a year."""
    parts = next(iter(moment.dates))
    return "day" if parts.day is not None else "month" if parts.month is not None else "part" if parts.part else "year"


def _is_plain_number(claimed: Moment, alignment: Alignment, sources: Sequence[SourceText]) -> bool:
    """Whether it is a number that only looked like a year or a day: 2050 farmers, 3日."""
    lone = {part.year or part.day for part in claimed.dates if part.month is None and part.part is None}
    if claimed.kind is not MomentKind.DATE or not lone:
        return claimed.kind is MomentKind.TIME and any(
            claimed.text.casefold() in source.casefolded for source in sources
        )
    return any(
        value in lone
        for quantity in collect_quantities(alignment.sentences)
        if quantity.measure is None or "day" in quantity.measure.symbols
        for value in quantity.values
    )


_MAX_FACTS = 16  # a row of a table rather than a sentence


def check_dated_figures(facts: SentenceFacts, alignment: Alignment) -> list[ClaimFinding]:
    """Find the first date beside a figure that the source has only with another date of the same precision."""
    if len(facts.measured) > _MAX_FACTS:
        return []
    around = DateContext.from_moments(collect_moments(alignment.sentences))
    for clause in split_clauses(facts):
        moments = [each for each in facts.moments if clause.contains(each.start) and each.kind is MomentKind.DATE]
        figures = [each for each in facts.quantities if clause.contains(each.start)]
        if len(moments) != 1 or not figures:
            continue
        dates = [_find_source_date(figure, moments[0], alignment, around) for figure in figures]
        taken = all(_belongs_to_other_figures(moments[0], figure, alignment, around) for figure in figures)
        if taken and all(dates) and not any(_claim_has_date(date, facts, around) for date in dates if date):
            return [fact_not_in_source(FindingKind.DATE, moments[0].text, next(date.text for date in dates if date))]
    return []


def _claim_has_date(date: Moment, facts: SentenceFacts, around: DateContext) -> bool:
    """Whether the claim also has this date; then nothing says which date belongs to which figure."""
    return any(moments_match(moment, date, around) for moment in facts.moments)


def _find_source_date(figure: Quantity, claimed: Moment, alignment: Alignment, around: DateContext) -> Moment | None:
    """The date that the source has with a figure; None unless it always differs from the claimed one."""
    source_dates: list[Moment] = []
    for sentence, clause in _figure_clauses(figure, alignment):
        dates = [
            each for each in sentence.facts.moments if clause.contains(each.start) and each.kind is MomentKind.DATE
        ]
        if (
            len(dates) != 1
            or date_precision(dates[0]) != date_precision(claimed)
            or moments_match(claimed, dates[0], around)
        ):
            return None
        source_dates += dates
    return source_dates[0] if source_dates else None


def _belongs_to_other_figures(claimed: Moment, figure: Quantity, alignment: Alignment, around: DateContext) -> bool:
    """Whether the source has the date only with other values: `in May 12 were sold, in June 30`."""
    homes = [
        (sentence.facts, split_clauses(sentence.facts)[clause_index(sentence.facts, sourced.start)])
        for sentence in alignment.sentences
        for sourced in sentence.facts.moments
        if moments_match(claimed, sourced, around)
    ]
    return bool(homes) and all(
        any(clause.contains(other.start) and _is_other_value(figure, other) for other in there.quantities)
        for there, clause in homes
    )


def _is_other_value(figure: Quantity, other: Quantity) -> bool:
    """Whether it is another value of the same unit."""
    if figure.measure is None or other.measure is None:
        return figure.measure is other.measure and not quantities_match(figure, other)
    return figure.measure.is_compatible(other.measure) and not quantities_match(figure, other)


def _figure_clauses(figure: Quantity, alignment: Alignment) -> Iterator[tuple[SourceSentence, Clause]]:
    for sentence in alignment.sentences:
        for sourced in sentence.facts.quantities:
            if quantities_match(figure, sourced):
                yield sentence, split_clauses(sentence.facts)[clause_index(sentence.facts, sourced.start)]
