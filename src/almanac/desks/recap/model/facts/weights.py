"""Which decision of a sitting weighs most: what a newspaper would lead with."""

from collections import Counter
from collections.abc import Iterable, Mapping

from almanac.desks.recap.model.facts.speakers import is_chair
from almanac.desks.recap.model.facts.titles import bill_kind
from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.model.record import AgendaItem, HouseDecision
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
# 内閣不信任決議案, 大臣問責決議案: whether the cabinet or one of its ministers may stay.
_CONFIDENCE = lazy_regex(r"(?:内閣|大臣)[^。]{0,20}(?:不?信任|問責)(?:決議|の動議)")
# What goes with another bill or concerns the state's own service.
_TECHNICAL = lazy_regex(
    r"施行に伴う[^。]{0,30}(?:整備|整理)|関係法律の整[備理]|(?:職員|裁判官|検察官|秘書)[^。]{0,10}(?:給与|報酬|俸給|定員|退職手当)"
)
_TECHNICAL_AFTER, _DEBATED_BEFORE = 0.6, 0.5


def weight_of_decision(decision: HouseDecision, debated: Mapping[str, float] | None = None) -> float:
    """What a newspaper would lead with: a prime minister, confidence, budgets, treaties and bills, then the rest.

    `debated` has each bill's share of what was said: of two bills the one that was debated longer comes first.
    """
    if PREMIER.search(decision.subject):
        return 0
    if _CONFIDENCE.search(decision.subject):
        return _AFTER_ITS_BILL
    kind = bill_kind(decision.subject) if decision.bill else "other"
    kind = "bill" if kind == "treaty" else kind
    amends = bool(_AMENDMENT.search(decision.subject))
    if amends or OWN_DRAFT.match(decision.subject) or SESSION.search(decision.subject):
        kind = "bill"
    share = (debated or {}).get(decision.bill or "", 0.0)
    technical = _TECHNICAL_AFTER if _TECHNICAL.search(decision.subject) else 0
    shifted = max(_AFTER_ITS_BILL * amends, technical) - _DEBATED_BEFORE * share
    return 1 + KINDS.index(kind) + shifted + (len(KINDS) if _is_minor(decision) else 0)


def debated_shares(meeting: Meeting, agenda: Iterable[AgendaItem]) -> dict[str, float]:
    """How much of what was said by others than the chair was about each bill; bills debated together share it."""
    length = {each.order: len(each.text) for each in meeting.spoken if not is_chair(each)}
    items = [item for item in agenda if item.bill]
    sharing = Counter(order for item in items for order in item.orders)
    whole = sum(length.values()) or 1
    spoken = ((item.bill or "", sum(length.get(each, 0) / sharing[each] for each in item.orders)) for item in items)
    return {bill: characters / whole for bill, characters in spoken}


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
