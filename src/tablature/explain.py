"""Explains a query or a write before it runs: its requests, expected cost, and warnings."""

from __future__ import annotations

from typing import Any

from tablature.operations.actions import MAX_ACTIONS
from tablature.operations.context import OperationContext
from tablature.operations.cost import action_size, read_units, write_units
from tablature.operations.plan import ObservedItem, plan_write
from tablature.operations.query_plan import QueryPlan, plan_query
from tablature.operations.writes import Write
from tablature.records import record
from tablature.schema.fields import FieldSchema
from tablature.schema.model import EntitySchema, FanoutPath, IndexPath, PatternSchema
from tablature.schema.patterns import Query
from tablature.wire import Request

_TYPICAL_SIZES = {"S": 24, "N": 6, "B": 64, "BOOL": 1, "L": 120, "M": 120, "SS": 60, "NS": 24, "BS": 64, "*": 40}


@record
class Explanation:
    """What a query or a write would do. `reads_first` means that a write reads the stored item before it is planned,
    so its requests are those for an item that is not there yet."""

    pattern: str
    requests: tuple[Request, ...]
    rcu: float
    findings: tuple[str, ...]
    wcu: float = 0.0
    reads_first: bool = False

    def __str__(self) -> str:
        units = f"{self.wcu:g} WCU" if self.wcu else f"{self.rcu:g} RCU a page"
        lines = [f"{self.pattern}: {len(self.requests)} request(s), about {units}"]
        return "\n".join([*lines, *(f"- {finding}" for finding in self.findings)])


def explain(subject: Query[Any] | Write[Any], context: OperationContext | None = None) -> Explanation:
    """Explain a query or a write without sending it."""
    context = context or OperationContext()
    if isinstance(subject, Write):
        return _explain_write(subject, context)
    plan, pattern = plan_query(context, subject), subject.pattern
    return Explanation(pattern.name, plan.requests, expected_rcu(pattern, plan), findings(pattern, plan))


def _explain_write(write: Write[Any], context: OperationContext) -> Explanation:
    planned = plan_write(context, write, None if write.last_read is None else ObservedItem(write.last_read))
    reads_first = planned is None
    planned = planned or plan_write(context, write, ObservedItem(None))
    assert planned is not None
    actions = planned.actions
    factor = 1 if len(actions) == 1 else 2
    wcu = factor * sum(write_units(action_size(action.request)) for action in actions)
    notes = []
    if reads_first:
        notes.append("the stored item is read first, because copies, constraints or keys depend on it")
    if len(actions) > MAX_ACTIONS:
        notes.append(f"{len(actions)} actions do not fit one transaction, so the copies are staged")
    requests = tuple({str(action.kind): action.request} for action in actions)
    return Explanation(write.name, requests, 1.0 if reads_first else 0.0, tuple(notes), wcu, reads_first)


def expected_rcu(pattern: PatternSchema, plan: QueryPlan) -> float:
    """Read units of one full page of typical items."""
    share = -(-pattern.page // len(plan.requests))
    return len(plan.requests) * read_units(share * typical_size(pattern), consistent=pattern.consistent)


def typical_size(pattern: PatternSchema) -> int:
    """The estimated size of an item in bytes, from its declaration."""
    schema: EntitySchema = pattern.entity
    fields = list(schema.fields.values())
    if isinstance(pattern.path, FanoutPath):
        fields = [schema.fields[name] for name in pattern.path.fields]
    keys = sum(len(part.attribute) + len(part.template.source) for part in pattern.path.parts)
    return keys + sum(map(_field_size, fields))


def _field_size(field: FieldSchema) -> int:
    longest = field.options.longest
    typical = _TYPICAL_SIZES.get(field.kind.wire, 40)
    return len(field.attribute) + (typical if longest is None else min(typical, longest))


def findings(pattern: PatternSchema, plan: QueryPlan) -> tuple[str, ...]:
    """Warnings about the design of a pattern."""
    path, sentences = pattern.path, []
    if plan.has_filter:
        sentences.append(
            "items are read before the filter drops them; a sort key that starts with the filter's field is free"
        )
    if isinstance(path, IndexPath) and path.shards > 1:
        sentences.append(f"every page asks {len(plan.requests)} partitions and merges them")
    if path.partition.template.is_constant and not (isinstance(path, IndexPath) and path.shards > 1):
        sentences.append("all items share one partition; shards would spread them")
    if path.index is not None and pattern.entity.table.index(path.index).projection != "ALL":
        sentences.append("the index holds only part of each item, so the items themselves are fetched as well")
    if not pattern.doc:
        sentences.append("the pattern has no doc")
    return tuple(sentences)
