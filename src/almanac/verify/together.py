"""Finds a date beside a figure of another clause: each is the source's, but it has another date with that figure."""

from collections.abc import Iterator

from almanac.verify.alignment import Alignment
from almanac.verify.clauses import Clause, clause_at, clauses_of
from almanac.verify.facts import Facts
from almanac.verify.model import Finding, FindingKind
from almanac.verify.moments import Moment, Sort, Surroundings, says_same_moment
from almanac.verify.occasions import fineness
from almanac.verify.quantities import Quantity, says_same
from almanac.verify.reasons import other_in_source
from almanac.verify.sources import SourceSentence, all_moments

_MOST_FACTS = 16  # a row of a table rather than a sentence


def check_together(facts: Facts, alignment: Alignment) -> list[Finding]:
    """The first date of a clause with a figure, where the source has that figure only with another date as fine."""
    if len(facts.measured) > _MOST_FACTS:
        return []
    around = Surroundings.of(all_moments(alignment.chosen))
    for clause in clauses_of(facts):
        moments = [each for each in facts.moments if clause.holds(each.start) and each.sort is Sort.DATE]
        figures = [each for each in facts.quantities if clause.holds(each.start)]
        if len(moments) != 1 or not figures:
            continue
        dates = [_date_with(figure, moments[0], alignment, around) for figure in figures]
        taken = all(_is_taken(moments[0], figure, alignment, around) for figure in figures)
        if taken and all(dates) and not any(_is_said(date, facts, around) for date in dates if date):
            return [other_in_source(FindingKind.DATE, moments[0].text, next(date.text for date in dates if date))]
    return []


def _is_said(date: Moment, facts: Facts, around: Surroundings) -> bool:
    """Whether the claim has this date, too: then nothing says which belongs to what."""
    return any(says_same_moment(moment, date, around) for moment in facts.moments)


def _date_with(figure: Quantity, said: Moment, alignment: Alignment, around: Surroundings) -> Moment | None:
    """The one date that the source has with a figure, if it is another than said wherever the figure stands."""
    found: list[Moment] = []
    for sentence, clause in _homes(figure, alignment):
        dates = [each for each in sentence.facts.moments if clause.holds(each.start) and each.sort is Sort.DATE]
        if len(dates) != 1 or fineness(dates[0]) != fineness(said) or says_same_moment(said, dates[0], around):
            return None
        found += dates
    return found[0] if found else None


def _is_taken(said: Moment, figure: Quantity, alignment: Alignment, around: Surroundings) -> bool:
    """Whether the source has the date, and only with other figures of this sort: `in May 12 were sold, in June 30`."""
    homes = [
        (sentence.facts, clauses_of(sentence.facts)[clause_at(sentence.facts, meant.start)])
        for sentence in alignment.chosen
        for meant in sentence.facts.moments
        if says_same_moment(said, meant, around)
    ]
    return bool(homes) and all(
        any(clause.holds(other.start) and _is_rival(figure, other) for other in there.quantities)
        for there, clause in homes
    )


def _is_rival(figure: Quantity, other: Quantity) -> bool:
    """Another value of the same sort."""
    if figure.measure is None or other.measure is None:
        return figure.measure is other.measure and not says_same(figure, other)
    return figure.measure.fits(other.measure) and not says_same(figure, other)


def _homes(figure: Quantity, alignment: Alignment) -> Iterator[tuple[SourceSentence, Clause]]:
    for sentence in alignment.chosen:
        for meant in sentence.facts.quantities:
            if says_same(figure, meant):
                yield sentence, clauses_of(sentence.facts)[clause_at(sentence.facts, meant.start)]
