"""For letters about money, where no sentence may bring a figure of its own: every code, amount, number and date of a
text must be stated in what it is written from. Wording and names are free."""

from collections.abc import Iterable, Sequence

from almanac.verify.facts import Code, Facts, read_facts
from almanac.verify.model import Finding, FindingKind
from almanac.verify.moments import NOTHING_AROUND, Moment, Sort, says_same_moment
from almanac.verify.quantities import Quantity
from almanac.verify.reasons import other_in_source

_COUNTED_IN_WORDS = 3
_CALENDAR = frozenset({Sort.DATE, Sort.WEEKDAY, Sort.TIME})


def check_stated(text: str, stated: Iterable[str]) -> list[Finding]:
    """What the text says and none of the `stated` texts does, in its order. Rounding counts as another figure."""
    known = [read_facts(line) for source in stated for line in source.splitlines()]
    return [finding for line in text.splitlines() for finding in _unstated(read_facts(line), known)]


def _unstated(said: Facts, known: Sequence[Facts]) -> list[Finding]:
    codes = [code for code in said.codes if not _code_stated(code, known)]
    quantities = [quantity for quantity in said.quantities if not _quantity_stated(quantity, known)]
    moments = [moment for moment in said.moments if not _moment_stated(moment, known)]
    return [
        *(other_in_source(FindingKind.NUMBER, code.text, None) for code in codes),
        *(other_in_source(quantity.kind, quantity.text, None) for quantity in quantities),
        *(other_in_source(FindingKind.DATE, moment.text, None) for moment in moments),
    ]


def _code_stated(code: Code, known: Sequence[Facts]) -> bool:
    return any(code.text.casefold() == other.text.casefold() for facts in known for other in facts.codes)


def _quantity_stated(said: Quantity, known: Sequence[Facts]) -> bool:
    if said.in_words and said.measure is None and max(said.values) <= _COUNTED_IN_WORDS:
        return True
    return any(_same(said, meant) for facts in known for meant in facts.quantities)


def _same(said: Quantity, meant: Quantity) -> bool:
    """Exactly the same figure of the same unit; a bare number may leave out the unit of its source."""
    if said.measure is None:
        return bool(said.values & meant.values)
    return meant.measure is not None and said.measure.fits(meant.measure) and bool(said.scaled & meant.scaled)


def _moment_stated(said: Moment, known: Sequence[Facts]) -> bool:
    """Words such as `today` depend on the day of reading and state nothing."""
    if said.sort not in _CALENDAR:
        return True
    return any(says_same_moment(said, meant, NOTHING_AROUND) for facts in known for meant in facts.moments)
