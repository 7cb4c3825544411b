"""Stores the rules that include, exclude or tag articles."""

from dataclasses import asdict
from datetime import datetime
from typing import Any

from almanac.desks.news.model.rules import NewsRule, RuleAction, RuleFields
from almanac.desks.news.store.rows import QUERIES
from almanac.relational import Unit


async def list_rules(unit: Unit) -> list[NewsRule]:
    return await unit.all(QUERIES["list_rules"], into=_rule)


async def find_rule(unit: Unit, rule_id: int) -> NewsRule | None:
    return await unit.one(QUERIES["find_rule"], {"id": rule_id}, into=_rule)


async def add_rule(unit: Unit, rule: RuleFields, now: datetime) -> int:
    """Add a rule; a name that is taken is a Duplicate."""
    return int(await unit.value(QUERIES["add_rule"], {**asdict(rule), "now": now}))


async def edit_rule(unit: Unit, rule_id: int, rule: RuleFields, *, expected: int) -> bool:
    """Change a rule if nobody else did meanwhile."""
    return await unit.execute(QUERIES["edit_rule"], {**asdict(rule), "id": rule_id, "expected": expected}) == 1


async def delete_rule(unit: Unit, rule_id: int) -> bool:
    return await unit.execute(QUERIES["delete_rule"], {"id": rule_id}) == 1


def _rule(*, action: str, **row: Any) -> NewsRule:
    return NewsRule(action=RuleAction(action), **row)
