"""What verbs, patterns and the actions of people are expected to cost, as rows and as text."""

from dataclasses import dataclass
from typing import Any

from tablature.design.declared import UserAction
from tablature.design.module import Design
from tablature.design.sizes import pattern_rcu, verb_costs
from tablature.errors import InputError


@dataclass(frozen=True, slots=True)
class Price:
    """Units of one verb, one page of a pattern, or one action."""

    name: str
    rcu: float
    wcu: float


@dataclass(frozen=True)
class Costs:
    """All prices of a design."""

    verbs: tuple[Price, ...]
    patterns: tuple[Price, ...]
    actions: tuple[Price, ...]


def costs(design: Design) -> Costs:
    """Expected units, for items of a typical size and full pages."""
    verbs = tuple(
        Price(f"{cost.entity}.{cost.verb}", cost.rcu, cost.wcu) for e in design.entities for cost in verb_costs(e)
    )
    patterns = tuple(Price(pattern.name, pattern_rcu(pattern), 0) for pattern in design.patterns)
    known = {price.name: price for price in (*verbs, *patterns)}
    return Costs(verbs, patterns, tuple(_action(action, known) for action in design.actions))


def _action(action: UserAction, known: dict[str, Price]) -> Price:
    for step in action.steps:
        if step not in known:
            raise InputError(f"The action {action.name!r} has a step {step!r}, which is no verb or pattern.")
    steps = [known[step] for step in action.steps]
    return Price(action.name, sum(step.rcu for step in steps), sum(step.wcu for step in steps))


def as_text(found: Costs) -> str:
    """Three tables, with one line per price."""
    width = max((len(price.name) for price in (*found.verbs, *found.patterns, *found.actions)), default=0)
    parts = []
    for title, prices in (("Verbs", found.verbs), ("Patterns, a page", found.patterns), ("Actions", found.actions)):
        if prices:
            lines = [f"  {price.name:{width}}  {price.rcu:6g} RCU  {price.wcu:6g} WCU" for price in prices]
            parts.append("\n".join([title, *lines]))
    return "\n\n".join(parts) + "\n"


def as_data(found: Costs) -> dict[str, Any]:
    return {
        group: [{"name": price.name, "rcu": price.rcu, "wcu": price.wcu} for price in prices]
        for group, prices in (("verbs", found.verbs), ("patterns", found.patterns), ("actions", found.actions))
    }
