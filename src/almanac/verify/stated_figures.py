"""Checks that a text adds no figures: every code, amount, number and date must be stated in its sources.

Used for letters about money. Wording and names are free.
"""

from collections.abc import Iterable, Sequence

from almanac.verify.dates.moments import NO_DATE_CONTEXT, Moment, MomentKind, moments_match
from almanac.verify.facts import IdentifierCode, SentenceFacts, read_facts
from almanac.verify.model import ClaimFinding, FindingKind
from almanac.verify.quantities.quantity import Quantity
from almanac.verify.reasons import fact_not_in_source

_COUNTED_IN_WORDS = 3
_CALENDAR = frozenset({MomentKind.DATE, MomentKind.WEEKDAY, MomentKind.TIME})


def check_stated_figures(text: str, stated: Iterable[str]) -> list[ClaimFinding]:
    """The figures and dates of a text that none of the `stated` texts has, in order. Rounding isn't allowed."""
    stated_facts = [read_facts(line) for source in stated for line in source.splitlines()]
    return [finding for line in text.splitlines() for finding in _unstated(read_facts(line), stated_facts)]


def _unstated(claimed: SentenceFacts, stated_facts: Sequence[SentenceFacts]) -> list[ClaimFinding]:
    codes = [code for code in claimed.codes if not _code_stated(code, stated_facts)]
    quantities = [quantity for quantity in claimed.quantities if not _quantity_stated(quantity, stated_facts)]
    moments = [moment for moment in claimed.moments if not _moment_stated(moment, stated_facts)]
    return [
        *(fact_not_in_source(FindingKind.NUMBER, code.text, None) for code in codes),
        *(fact_not_in_source(quantity.kind, quantity.text, None) for quantity in quantities),
        *(fact_not_in_source(FindingKind.DATE, moment.text, None) for moment in moments),
    ]


def _code_stated(code: IdentifierCode, stated_facts: Sequence[SentenceFacts]) -> bool:
    return any(code.text.casefold() == other.text.casefold() for facts in stated_facts for other in facts.codes)


def _quantity_stated(claimed: Quantity, stated_facts: Sequence[SentenceFacts]) -> bool:
    if claimed.in_words and claimed.measure is None and max(claimed.values) <= _COUNTED_IN_WORDS:
        return True
    return any(_same(claimed, sourced) for facts in stated_facts for sourced in facts.quantities)


def _same(claimed: Quantity, sourced: Quantity) -> bool:
    """The same figure and unit; a bare number may omit the unit of its source."""
    if claimed.measure is None:
        return bool(claimed.values & sourced.values)
    return (
        sourced.measure is not None
        and claimed.measure.is_compatible(sourced.measure)
        and bool(claimed.scaled & sourced.scaled)
    )


def _moment_stated(claimed: Moment, stated_facts: Sequence[SentenceFacts]) -> bool:
    """Words such as `today` depend on the day of reading and need no source."""
    if claimed.kind not in _CALENDAR:
        return True
    return any(moments_match(claimed, sourced, NO_DATE_CONTEXT) for facts in stated_facts for sourced in facts.moments)
