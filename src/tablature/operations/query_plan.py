"""Plans a query: one request per partition, with key condition and filter. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablature.errors import InputError
from tablature.expressions.builder import ExpressionBuilder
from tablature.expressions.conditions import Between, Comparison, Condition, FunctionCondition, all_of, equals
from tablature.operations.context import OperationContext
from tablature.records import record
from tablature.schema.fields import Field
from tablature.schema.formats import escape
from tablature.schema.model import EntitySchema, IndexPath, PathSchema, PatternSchema
from tablature.schema.patterns import Prefix, Query, Range
from tablature.schema.templates import HIGHEST, KeyPart, LiteralPart, TemplatePart, TemplateSlot
from tablature.wire import AttributeValue, Request


@record
class QueryPlan:
    """The requests of a query, one per partition, and whether a filter may drop items."""

    pattern: PatternSchema
    requests: tuple[Request, ...]
    has_filter: bool


def plan_query(context: OperationContext, query: Query[Any]) -> QueryPlan:
    pattern = query.pattern
    filtered = set(pattern.filters) - set(pattern.needed) - _sort_key_inputs(pattern.path, query.inputs)
    where = all_of(pattern.where, query.where, *_filters(pattern, query.inputs, filtered))
    sort = _sort_condition(pattern.path, {name: v for name, v in query.inputs.items() if name not in filtered})
    requests = tuple(
        _request(context, pattern, equals(pattern.path.partition.attribute, value), sort, where)
        for value in partition_keys(context, pattern.entity, pattern.path, query.inputs)
    )
    return QueryPlan(pattern, requests, has_filter=where is not None)


def partition_keys(
    context: OperationContext, schema: EntitySchema, path: PathSchema, inputs: Mapping[str, Any]
) -> list[AttributeValue]:
    """The partition key, or the keys of all its shards."""
    for name in path.partition.fields:
        if isinstance(inputs[name], Range | Prefix):
            raise InputError(f"{name!r} is part of the partition key, so it must be one value.")
    value = path.partition.value(inputs)
    assert value is not None
    if not isinstance(path, IndexPath) or context.shards_of(path) == 1:
        return [value]
    base = value["S"]
    shards: list[AttributeValue] = [{"S": f"{base}{schema.table.delimiter}{shard}"} for shard in range(path.shards)]
    return [*shards, value] if path.include_unsharded else shards


def _request(
    context: OperationContext,
    pattern: PatternSchema,
    partition: Condition,
    sort: Condition | None,
    where: Condition | None,
) -> Request:
    expressions = ExpressionBuilder()
    key = partition.render(expressions)
    if sort is not None:
        key += f" AND {sort.render(expressions)}"
    request: Request = {"TableName": context.physical(pattern.entity.table), "ReturnConsumedCapacity": "TOTAL"}
    if pattern.path.index is not None:
        request["IndexName"] = pattern.path.index
    if pattern.consistent:
        request["ConsistentRead"] = True
    if pattern.order == "descending":
        request["ScanIndexForward"] = False
    where_text = None if where is None else where.render(expressions)
    return expressions.into(request, KeyConditionExpression=key, FilterExpression=where_text)


def _sort_key_inputs(path: PathSchema, inputs: Mapping[str, Any]) -> set[str]:
    """The inputs that the sort key uses: from the left, up to the first missing one or range."""
    names: set[str] = set()
    for slot in path.sort.template.slots if path.sort is not None else ():
        if slot.field not in inputs:
            break
        names.add(slot.field)
        if isinstance(inputs[slot.field], Range | Prefix):
            break
    return names


def _filters(pattern: PatternSchema, inputs: Mapping[str, Any], filtered: set[str]) -> list[Condition]:
    conditions = []
    for name in pattern.filters:
        if name in inputs and name in filtered:
            field: Field[Any] = Field(pattern.entity.fields[name])
            conditions.append(_filter(field, inputs[name]))
    return conditions


def _filter(field: Field[Any], value: Any) -> Condition:
    if isinstance(value, Prefix):
        return field.starts_with(value.text)
    condition: Condition
    if not isinstance(value, Range):
        condition = field == value
    elif value.low is None:
        condition = field <= value.high
    else:
        condition = field >= value.low if value.high is None else field.between(value.low, value.high)
    return condition


def _sort_condition(path: PathSchema, inputs: Mapping[str, Any]) -> Condition | None:
    part = path.sort
    if part is None:
        return None
    fixed = {slot.field for slot in path.partition.template.slots if slot.format.parse}
    lossy = set(path.partition.fields) - fixed
    sort_inputs = {name: value for name, value in inputs.items() if name in part.fields and name not in lossy}
    if part.native_field is not None:
        return _native_condition(part, sort_inputs.get(part.native_field.name))
    return _text_condition(part, sort_inputs, frozenset(path.partition.fields))


def _native_condition(part: KeyPart, value: Any) -> Condition | None:
    """A condition on a sort key that is itself a field."""
    if value is None or part.native_field is None:
        return None
    encode, path = part.native_field.kind.encode, (part.attribute,)
    if isinstance(value, Prefix):
        return FunctionCondition("begins_with", path, {"S": value.text})
    if not isinstance(value, Range):
        return Comparison(path, "=", encode(value))
    if value.low is None:
        return Comparison(path, "<=", encode(value.high))
    if value.high is None:
        return Comparison(path, ">=", encode(value.low))
    return Between(path, encode(value.low), encode(value.high))


def _text_condition(part: KeyPart, sort_inputs: Mapping[str, Any], in_partition: frozenset[str]) -> Condition | None:
    """A condition on a derived sort key: a fixed prefix, then at most one range."""
    plain = {name: value for name, value in sort_inputs.items() if not isinstance(value, Range | Prefix)}
    text, rest = part.template.leading(plain)
    used = set(part.fields) - {p.field for p in rest if isinstance(p, TemplateSlot)}
    open_slot = rest[0] if rest and isinstance(rest[0], TemplateSlot) else None
    value_range = sort_inputs.get(open_slot.field) if open_slot is not None else None
    unusable = sorted(
        sort_inputs.keys() - in_partition - used - ({open_slot.field} if open_slot is not None else set())
    )
    if unusable and open_slot is not None:
        raise InputError(f"{unusable[0]!r} can narrow the order only after {open_slot.field!r} is given.")
    path = (part.attribute,)
    if open_slot is None:
        return Comparison(path, "=", {"S": text})
    if isinstance(value_range, Prefix):
        reserved = open_slot.format.reserved
        return FunctionCondition(
            "begins_with",
            path,
            {"S": text + (value_range.text if open_slot.format.is_raw else escape(value_range.text, reserved))},
        )
    if isinstance(value_range, Range):
        low, high = _bounds(text, rest, open_slot, value_range)
        return Between(path, {"S": low}, {"S": high})
    return FunctionCondition("begins_with", path, {"S": text}) if text else None


def _bounds(text: str, rest: tuple[TemplatePart, ...], open_slot: TemplateSlot, value_range: Range) -> tuple[str, str]:
    """The lowest and highest key of a range. A field may fill several slots, the finest last."""
    last = max(at for at, part in enumerate(rest) if isinstance(part, TemplateSlot) and part.field == open_slot.field)
    run, after = rest[: last + 1], rest[last + 1 :]
    finest = run[-1]
    assert isinstance(finest, TemplateSlot)
    if any(isinstance(part, TemplateSlot) and part.field != open_slot.field for part in run):
        raise InputError(f"{open_slot.field!r} can't be a range: other fields stand between its parts.")
    if not finest.format.is_ordered:
        raise InputError(f"{open_slot.field!r} can't be a range: its text isn't ordered; declare a width or precision.")

    def bound(value: Any) -> str:
        return text + "".join(p.format.render(value) if isinstance(p, TemplateSlot) else p.text for p in run)

    low = text if value_range.low is None else bound(value_range.low)
    if value_range.high is None:
        return low or " ", text + HIGHEST
    following = after[0].text + HIGHEST if after and isinstance(after[0], LiteralPart) else ""
    return low or " ", bound(value_range.high) + following
