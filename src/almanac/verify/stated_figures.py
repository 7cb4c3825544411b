"""For letters about money, where no sentence may bring a figure of its own: every code, amount, number and date of a
text must be stated in what it is written from. Wording and names are free."""

from collections.abc import Iterable, Sequence

from almanac.verify.dates.moments import NO_DATE_CONTEXT, Moment, MomentKind, moments_match
from almanac.verify.facts import IdentifierCode, SentenceFacts, read_facts
from almanac.verify.model import ClaimFinding, FindingKind
from almanac.verify.quantities.quantity import Quantity
from almanac.verify.reasons import fact_not_in_source

_COUNTED_IN_WORDS = 3
_CALENDAR = frozenset({MomentKind.DATE, MomentKind.WEEKDAY, MomentKind.TIME})


def check_stated_figures(text: str, stated: Iterable[str]) -> list[ClaimFinding]:
    """What the text says and none of the `stated` texts does, in its order. Rounding counts as another figure."""
    known = [read_facts(line) for source in stated for line in source.splitlines()]
    return [finding for line in text.splitlines() for finding in _unstated(read_facts(line), known)]


def _unstated(said: SentenceFacts, known: Sequence[SentenceFacts]) -> list[ClaimFinding]:
    codes = [code for code in said.codes if not _code_stated(code, known)]
    quantities = [quantity for quantity in said.quantities if not _quantity_stated(quantity, known)]
    moments = [moment for moment in said.moments if not _moment_stated(moment, known)]
    return [
        *(fact_not_in_source(FindingKind.NUMBER, code.text, None) for code in codes),
        *(fact_not_in_source(quantity.kind, quantity.text, None) for quantity in quantities),
        *(fact_not_in_source(FindingKind.DATE, moment.text, None) for moment in moments),
    ]


def _code_stated(code: IdentifierCode, known: Sequence[SentenceFacts]) -> bool:
    return any(code.text.casefold() == other.text.casefold() for facts in known for other in facts.codes)


def _quantity_stated(said: Quantity, known: Sequence[SentenceFacts]) -> bool:
    if said.in_words and said.measure is None and max(said.values) <= _COUNTED_IN_WORDS:
        return True
    return any(_same(said, meant) for facts in known for meant in facts.quantities)


def _same(said: Quantity, meant: Quantity) -> bool:
    """Exactly the same figure of the same unit; a bare number may leave out the unit of its source."""
    if said.measure is None:
        return bool(said.values & meant.values)
    return meant.measure is not None and said.measure.is_compatible(meant.measure) and bool(said.scaled & meant.scaled)


def _moment_stated(said: Moment, known: Sequence[SentenceFacts]) -> bool:
    """Words such as `today` depend on the day of reading and state nothing."""
    if said.kind not in _CALENDAR:
        return True
    return any(moments_match(said, meant, NO_DATE_CONTEXT) for facts in known for meant in facts.moments)
