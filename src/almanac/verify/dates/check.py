"""Checks the moments of a claim: dates, weekdays, times and relative days."""

from collections.abc import Iterator, Sequence

from almanac.verify.alignment import Alignment
from almanac.verify.dates.moments import DateContext, Moment, MomentKind, moments_match
from almanac.verify.facts import SentenceFacts
from almanac.verify.model import ClaimFinding, FindingKind
from almanac.verify.quantities.quantity import Quantity, quantities_match
from almanac.verify.reasons import fact_not_in_source
from almanac.verify.sources import SourceSentence, SourceText, collect_moments, collect_quantities
from almanac.verify.statements.clauses import Clause, clause_index, split_clauses


def check_moments(facts: SentenceFacts, alignment: Alignment, sources: Sequence[SourceText]) -> list[ClaimFinding]:
    """Each moment of the claim against the sentences it comes from, then against the rest where nothing rivals it."""
    everywhere = [moment for source in sources for moment in collect_moments(source.sentences)]
    around = DateContext.from_moments(everywhere)
    near = collect_moments(alignment.sentences)
    free = [meant for meant in near if not any(moments_match(said, meant, around) for said in facts.moments)]
    findings = []
    for said in facts.moments:
        if any(moments_match(said, meant, around) for meant in near) or _is_plain_number(said, alignment, sources):
            continue
        rivals = [meant for meant in free if _may_replace(said, meant)]
        if not rivals and any(moments_match(said, meant, around) for meant in everywhere):
            continue
        findings.append(fact_not_in_source(FindingKind.DATE, said.text, rivals[0].text if rivals else None))
    return findings


def _may_replace(said: Moment, meant: Moment) -> bool:
    """Whether both name the same sort of moment, as finely."""
    if said.kind is not meant.kind:
        return False
    return said.kind is not MomentKind.DATE or date_precision(said) == date_precision(meant)


def date_precision(moment: Moment) -> str:
    """Whether a date names a day, a month, a part of a year or a year."""
    parts = next(iter(moment.dates))
    return "day" if parts.day is not None else "month" if parts.month is not None else "part" if parts.part else "year"


def _is_plain_number(said: Moment, alignment: Alignment, sources: Sequence[SourceText]) -> bool:
    """2050 farmers, 3日: a number that looked like a year or a day."""
    lone = {part.year or part.day for part in said.dates if part.month is None and part.part is None}
    if said.kind is not MomentKind.DATE or not lone:
        return said.kind is MomentKind.TIME and any(said.text.casefold() in source.casefolded for source in sources)
    return any(
        value in lone
        for quantity in collect_quantities(alignment.sentences)
        if quantity.measure is None or "day" in quantity.measure.symbols
        for value in quantity.values
    )


_MAX_FACTS = 16  # a row of a table rather than a sentence


def check_dated_figures(facts: SentenceFacts, alignment: Alignment) -> list[ClaimFinding]:
    """The first date of a clause with a figure, where the source has that figure only with another date as fine."""
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
    """Whether the claim has this date, too: then nothing says which belongs to what."""
    return any(moments_match(moment, date, around) for moment in facts.moments)


def _find_source_date(figure: Quantity, said: Moment, alignment: Alignment, around: DateContext) -> Moment | None:
    """The one date that the source has with a figure, if it is another than said wherever the figure stands."""
    found: list[Moment] = []
    for sentence, clause in _figure_clauses(figure, alignment):
        dates = [
            each for each in sentence.facts.moments if clause.contains(each.start) and each.kind is MomentKind.DATE
        ]
        if len(dates) != 1 or date_precision(dates[0]) != date_precision(said) or moments_match(said, dates[0], around):
            return None
        found += dates
    return found[0] if found else None


def _belongs_to_other_figures(said: Moment, figure: Quantity, alignment: Alignment, around: DateContext) -> bool:
    """Whether the source has the date, and only with other figures of this sort: `in May 12 were sold, in June 30`."""
    homes = [
        (sentence.facts, split_clauses(sentence.facts)[clause_index(sentence.facts, meant.start)])
        for sentence in alignment.sentences
        for meant in sentence.facts.moments
        if moments_match(said, meant, around)
    ]
    return bool(homes) and all(
        any(clause.contains(other.start) and _is_other_value(figure, other) for other in there.quantities)
        for there, clause in homes
    )


def _is_other_value(figure: Quantity, other: Quantity) -> bool:
    """Another value of the same sort."""
    if figure.measure is None or other.measure is None:
        return figure.measure is other.measure and not quantities_match(figure, other)
    return figure.measure.is_compatible(other.measure) and not quantities_match(figure, other)


def _figure_clauses(figure: Quantity, alignment: Alignment) -> Iterator[tuple[SourceSentence, Clause]]:
    for sentence in alignment.sentences:
        for meant in sentence.facts.quantities:
            if quantities_match(figure, meant):
                yield sentence, split_clauses(sentence.facts)[clause_index(sentence.facts, meant.start)]
