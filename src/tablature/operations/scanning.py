"""Scans, which only an administrator asks for: every item of an entity, in parallel segments."""

from __future__ import annotations

from typing import Any

from tablature.errors import InputError
from tablature.expressions.builder import Expressions
from tablature.expressions.conditions import Condition
from tablature.operations.context import Context
from tablature.operations.effects import Steps, Together, call
from tablature.operations.revival import is_visible, revive_all
from tablature.schema.model import EntitySchema
from tablature.wire import Item, Request

_MOST_SEGMENTS = 1000


def scan(context: Context, schema: EntitySchema, *, segments: int, where: Condition | None) -> Steps[list[Any]]:
    """Every entity of this kind, in no order; the whole table is read to find them."""
    if not 1 <= segments <= _MOST_SEGMENTS:
        raise InputError(f"A scan has 1 to {_MOST_SEGMENTS} segments, not {segments}.")
    request = scan_request(context, schema, where)
    parts = yield Together(tuple(_segment(context, schema, request, at, segments) for at in range(segments)))
    return [entity for part in parts for entity in part]


def scan_request(context: Context, schema: EntitySchema, where: Condition | None) -> Request:
    request: Request = {"TableName": context.physical(schema.table), "ReturnConsumedCapacity": "TOTAL"}
    expressions = Expressions()
    return expressions.into(request, FilterExpression=None if where is None else where.render(expressions))


def _segment(context: Context, schema: EntitySchema, request: Request, segment: int, segments: int) -> Steps[list[Any]]:
    request = {**request, "Segment": segment, "TotalSegments": segments} if segments > 1 else dict(request)
    found: list[Any] = []
    while True:
        response = yield from call(f"{schema.name}.scan", "Scan", request)
        items: list[Item] = [item for item in response["Items"] if is_visible(context, schema, item)]
        found += yield from revive_all(context, schema, items)
        if "LastEvaluatedKey" not in response:
            return found
        request["ExclusiveStartKey"] = response["LastEvaluatedKey"]
