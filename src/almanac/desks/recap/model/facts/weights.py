"""Which decision of a sitting weighs most: what a newspaper would lead with."""

from collections.abc import Iterable

from almanac.desks.recap.model.facts.titles import bill_kind
from almanac.desks.recap.model.record import HouseDecision
from almanac.kit.lazy import lazy_regex

PREMIER = lazy_regex(r"(?:本院において)?内閣総理大臣に指名する(?:こと)?\Z")
KINDS = ("budget", "bill", "treaty", "approval", "resolution", "personnel", "petition", "other")


def weight_of_decision(decision: HouseDecision) -> int:
    """What a newspaper would lead with: a prime minister, budgets, bills, treaties, then the rest."""
    if PREMIER.search(decision.subject):
        return 0
    kind = bill_kind(decision.subject) if decision.bill else "other"
    return 1 + KINDS.index(kind) + (len(KINDS) if "附帯決議" in decision.subject else 0)


def find_weightiest(decisions: Iterable[HouseDecision]) -> HouseDecision | None:
    """The decision that weighs most among those whose subject the record tells; None if there is none."""
    return min((decision for decision in decisions if decision.subject), key=weight_of_decision, default=None)
