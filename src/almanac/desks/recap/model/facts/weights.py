"""Which decision of a sitting weighs most: what a newspaper would lead with."""

from collections.abc import Iterable

from almanac.desks.recap.model.facts.titles import bill_kind
from almanac.desks.recap.model.record import HouseDecision
from almanac.kit.lazy import lazy_regex
from almanac.language.kanji_numerals import NUMERAL_PATTERN

PREMIER = lazy_regex(r"(?:本院において)?内閣総理大臣に指名する(?:こと)?\Z")
KINDS = ("budget", "bill", "treaty", "approval", "resolution", "personnel", "petition", "other")
WEIGHTY_KINDS = KINDS[:5]
"""Business that leads a headline also where it was only explained or debated."""
SESSION = lazy_regex(rf"会期[はを][^。]{{0,20}}?(?P<days>{NUMERAL_PATTERN}日間)とす")
"""The length of a session."""
OWN_DRAFT = lazy_regex(
    r"(?P<matter>[^。]{4,80}?の件)につきまして(?:は)?、[^。]*これを(?P<draft>委員会提出の[^。、]{2,4}案)とする"
)
"""A bill that a committee introduces itself."""
_AMENDMENT = lazy_regex(r"に対する[^。]{0,60}修正案\Z")
_SUPPLEMENT = "附帯決議"
_AFTER_ITS_BILL = 0.5


def weight_of_decision(decision: HouseDecision) -> float:
    """What a newspaper would lead with: a prime minister, budgets, bills, treaties, then the rest."""
    if PREMIER.search(decision.subject):
        return 0
    kind = bill_kind(decision.subject) if decision.bill else "other"
    amends = bool(_AMENDMENT.search(decision.subject))
    if amends or OWN_DRAFT.match(decision.subject) or SESSION.search(decision.subject):
        kind = "bill"
    return 1 + KINDS.index(kind) + _AFTER_ITS_BILL * amends + (len(KINDS) if _is_minor(decision) else 0)


def is_weighty(decision: HouseDecision) -> bool:
    """Whether a newspaper would lead with it: a prime minister, a budget, a bill, a treaty, a resolution."""
    if _is_minor(decision):
        return False
    if any(each.search(decision.subject) for each in (PREMIER, OWN_DRAFT, _AMENDMENT)):
        return True
    return decision.bill is not None and bill_kind(decision.subject) in WEIGHTY_KINDS


def _is_minor(decision: HouseDecision) -> bool:
    """A supplement to a bill, or the withdrawal of a motion."""
    return _SUPPLEMENT in decision.subject or decision.outcome == "withdrawn"


def find_weightiest(decisions: Iterable[HouseDecision]) -> HouseDecision | None:
    """The decision that weighs most among those whose subject the record tells; None if there is none."""
    return min((decision for decision in decisions if decision.subject), key=weight_of_decision, default=None)
