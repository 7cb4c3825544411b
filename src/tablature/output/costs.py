"""Expected cost of verbs, patterns and user actions, as data and as text."""

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
    """The costs of a design."""

    verbs: tuple[CapacityPrice, ...]
    patterns: tuple[CapacityPrice, ...]
    collections: tuple[CapacityPrice, ...]
    actions: tuple[CapacityPrice, ...]


def costs(design: Design) -> DesignCosts:
    """Expected units, for items of a typical size and full pages."""
    verbs = tuple(_price(cost) for entity in design.entities for cost in verb_costs(entity))
    other_verbs = tuple(_price(cost) for entity in design.entities for cost in other_verb_costs(entity))
    patterns = tuple(CapacityPrice(pattern.name, pattern_rcu(pattern), 0) for pattern in design.patterns)
    collections = tuple(CapacityPrice(f"{c.name}.collect", collection_rcu(c), 0) for c in design.collections)
    prices = {price.name: price for price in (*verbs, *other_verbs, *patterns, *collections)}
    return DesignCosts(verbs, patterns, collections, tuple(_action(action, prices) for action in design.actions))


def _price(cost: VerbCost) -> CapacityPrice:
    return CapacityPrice(f"{cost.entity}.{cost.verb}", cost.rcu, cost.wcu)


def _action(action: UserAction, prices: dict[str, CapacityPrice]) -> CapacityPrice:
    for step in action.steps:
        if step not in prices:
            raise InputError(
                f"The action {action.name!r} has a step {step!r}, which isn't a verb, pattern or collection."
            )
    steps = [prices[step] for step in action.steps]
    return CapacityPrice(action.name, sum(step.rcu for step in steps), sum(step.wcu for step in steps))


def costs_text(design_costs: DesignCosts) -> str:
    """One table per group, with one line per cost."""
    groups = {
        "Verbs": design_costs.verbs,
        "Patterns, a page": design_costs.patterns,
        "Collections": design_costs.collections,
        "Actions": design_costs.actions,
    }
    width = max((len(price.name) for prices in groups.values() for price in prices), default=0)
    parts = []
    for title, prices in groups.items():
        if prices:
            lines = [f"  {price.name:{width}}  {price.rcu:6g} RCU  {price.wcu:6g} WCU" for price in prices]
            parts.append("\n".join([title, *lines]))
    return "\n\n".join(parts) + "\n"


def costs_data(design_costs: DesignCosts) -> dict[str, Any]:
    groups = {
        "verbs": design_costs.verbs,
        "patterns": design_costs.patterns,
        "collections": design_costs.collections,
        "actions": design_costs.actions,
    }
    return {group: [asdict(price) for price in prices] for group, prices in groups.items()}
