"""The requests that a query becomes: one per partition, with its key condition and filter; pure."""

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
    """A query made concrete: the requests of its partitions, and whether items may be dropped after reading."""

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
    """The partition, or all of its shards."""
    for name in path.partition.fields:
        if isinstance(inputs[name], Range | Prefix):
            raise InputError(f"{name!r} names the partition, so it must be one value.")
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
    """The inputs that the sort key can use: from the left, up to the first that is missing or a span."""
    found: set[str] = set()
    for slot in path.sort.template.slots if path.sort is not None else ():
        if slot.field not in inputs:
            break
        found.add(slot.field)
        if isinstance(inputs[slot.field], Range | Prefix):
            break
    return found


def _filters(pattern: PatternSchema, inputs: Mapping[str, Any], filtered: set[str]) -> list[Condition]:
    found = []
    for name in pattern.filters:
        if name in inputs and name in filtered:
            field: Field[Any] = Field(pattern.entity.fields[name])
            found.append(_filter(field, inputs[name]))
    return found


def _filter(field: Field[Any], value: Any) -> Condition:
    if isinstance(value, Prefix):
        return field.starts_with(value.text)
    found: Condition
    if not isinstance(value, Range):
        found = field == value
    elif value.low is None:
        found = field <= value.high
    else:
        found = field >= value.low if value.high is None else field.between(value.low, value.high)
    return found


def _sort_condition(path: PathSchema, inputs: Mapping[str, Any]) -> Condition | None:
    part = path.sort
    if part is None:
        return None
    fixed = {slot.field for slot in path.partition.template.slots if slot.format.parse}
    lossy = set(path.partition.fields) - fixed
    given = {name: value for name, value in inputs.items() if name in part.fields and name not in lossy}
    if part.native_field is not None:
        return _native_condition(part, given.get(part.native_field.name))
    return _text_condition(part, given, frozenset(path.partition.fields))


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


def _text_condition(part: KeyPart, given: Mapping[str, Any], in_partition: frozenset[str]) -> Condition | None:
    """A condition on a derived sort key: fixed from the left, then perhaps one span."""
    plain = {name: value for name, value in given.items() if not isinstance(value, Range | Prefix)}
    text, rest = part.template.leading(plain)
    used = set(part.fields) - {p.field for p in rest if isinstance(p, TemplateSlot)}
    opener = rest[0] if rest and isinstance(rest[0], TemplateSlot) else None
    span = given.get(opener.field) if opener is not None else None
    stranded = sorted(given.keys() - in_partition - used - ({opener.field} if opener is not None else set()))
    if stranded and opener is not None:
        raise InputError(f"{stranded[0]!r} can narrow the order only after {opener.field!r} is given.")
    path = (part.attribute,)
    if opener is None:
        return Comparison(path, "=", {"S": text})
    if isinstance(span, Prefix):
        reserved = opener.format.reserved
        return FunctionCondition(
            "begins_with", path, {"S": text + (span.text if opener.format.is_raw else escape(span.text, reserved))}
        )
    if isinstance(span, Range):
        low, high = _bounds(text, rest, opener, span)
        return Between(path, {"S": low}, {"S": high})
    return FunctionCondition("begins_with", path, {"S": text}) if text else None


def _bounds(text: str, rest: tuple[TemplatePart, ...], opener: TemplateSlot, span: Range) -> tuple[str, str]:
    """The lowest and highest key of a span; several slots of one field count together, the finest last."""
    last = max(at for at, part in enumerate(rest) if isinstance(part, TemplateSlot) and part.field == opener.field)
    run, after = rest[: last + 1], rest[last + 1 :]
    finest = run[-1]
    assert isinstance(finest, TemplateSlot)
    if any(isinstance(part, TemplateSlot) and part.field != opener.field for part in run):
        raise InputError(f"{opener.field!r} can't be a span: other fields stand between its parts.")
    if not finest.format.is_ordered:
        raise InputError(f"{opener.field!r} can't be a span: its text is not in order; declare a width or precision.")

    def bound(value: Any) -> str:
        return text + "".join(p.format.render(value) if isinstance(p, TemplateSlot) else p.text for p in run)

    low = text if span.low is None else bound(span.low)
    if span.high is None:
        return low or " ", text + HIGHEST
    following = after[0].text + HIGHEST if after and isinstance(after[0], LiteralPart) else ""
    return low or " ", bound(span.high) + following
