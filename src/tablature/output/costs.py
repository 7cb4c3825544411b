"""What verbs, patterns and the actions of people are expected to cost, as rows and as text."""

from dataclasses import asdict, dataclass
from typing import Any

from tablature.design.estimates import VerbCost, collection_rcu, other_verb_costs, pattern_rcu, verb_costs
from tablature.design.model import Design, UserAction
from tablature.errors import InputError


@dataclass(frozen=True, slots=True)
class CapacityPrice:
    """Units of one verb, one page of a pattern, or one action."""

    name: str
    rcu: float
    wcu: float


@dataclass(frozen=True)
class DesignCosts:
    """All prices of a design."""

    verbs: tuple[CapacityPrice, ...]
    patterns: tuple[CapacityPrice, ...]
    collections: tuple[CapacityPrice, ...]
    actions: tuple[CapacityPrice, ...]


def costs(design: Design) -> DesignCosts:
    """Expected units, for items of a typical size and full pages."""
    verbs = tuple(_price(cost) for entity in design.entities for cost in verb_costs(entity))
    further = tuple(_price(cost) for entity in design.entities for cost in other_verb_costs(entity))
    patterns = tuple(CapacityPrice(pattern.name, pattern_rcu(pattern), 0) for pattern in design.patterns)
    collections = tuple(CapacityPrice(f"{c.name}.collect", collection_rcu(c), 0) for c in design.collections)
    known = {price.name: price for price in (*verbs, *further, *patterns, *collections)}
    return DesignCosts(verbs, patterns, collections, tuple(_action(action, known) for action in design.actions))


def _price(cost: VerbCost) -> CapacityPrice:
    return CapacityPrice(f"{cost.entity}.{cost.verb}", cost.rcu, cost.wcu)


def _action(action: UserAction, known: dict[str, CapacityPrice]) -> CapacityPrice:
    for step in action.steps:
        if step not in known:
            raise InputError(
                f"The action {action.name!r} has a step {step!r}, which is no verb, pattern or collection."
            )
    steps = [known[step] for step in action.steps]
    return CapacityPrice(action.name, sum(step.rcu for step in steps), sum(step.wcu for step in steps))


def costs_text(found: DesignCosts) -> str:
    """One table per group, with one line per price."""
    groups = {
        "Verbs": found.verbs,
        "Patterns, a page": found.patterns,
        "Collections": found.collections,
        "Actions": found.actions,
    }
    width = max((len(price.name) for prices in groups.values() for price in prices), default=0)
    parts = []
    for title, prices in groups.items():
        if prices:
            lines = [f"  {price.name:{width}}  {price.rcu:6g} RCU  {price.wcu:6g} WCU" for price in prices]
            parts.append("\n".join([title, *lines]))
    return "\n\n".join(parts) + "\n"


def costs_data(found: DesignCosts) -> dict[str, Any]:
    groups = {
        "verbs": found.verbs,
        "patterns": found.patterns,
        "collections": found.collections,
        "actions": found.actions,
    }
    return {group: [asdict(price) for price in prices] for group, prices in groups.items()}
