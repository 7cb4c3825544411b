"""Deletes and scans whole tables, and builds the request that creates one."""

from __future__ import annotations

from typing import Any

from tablature.errors import InputError, TableMissing
from tablature.expressions.builder import ExpressionBuilder
from tablature.expressions.conditions import Condition
from tablature.operations.context import OperationContext
from tablature.operations.deserialization import deserialize_all, visible_items
from tablature.operations.effects import Parallel, Steps, call
from tablature.schema.model import EntitySchema, Index, Table
from tablature.wire import Item, Request

_NAME = "admin"
_MAX_SEGMENTS = 1000


def creation_request(table: Table, physical_name: str) -> Request:
    """The CreateTable request for a table, billed per request."""
    request: Request = {
        "TableName": physical_name,
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": key_schema(table.pk, table.sk),
        "AttributeDefinitions": [
            {"AttributeName": name, "AttributeType": kind} for name, kind in table.attribute_types().items()
        ],
    }
    for member, local in (("GlobalSecondaryIndexes", False), ("LocalSecondaryIndexes", True)):
        indexes = [index_request(index) for index in table.indexes if index.local is local]
        if indexes:
            request[member] = indexes
    if table.stream is not None:
        request["StreamSpecification"] = {"StreamEnabled": True, "StreamViewType": table.stream}
    return request


def key_schema(pk: str, sk: str | None) -> list[dict[str, str]]:
    keys = [{"AttributeName": pk, "KeyType": "HASH"}]
    return keys if sk is None else [*keys, {"AttributeName": sk, "KeyType": "RANGE"}]


def index_request(index: Index) -> dict[str, Any]:
    projection: dict[str, Any] = {"ProjectionType": index.projection}
    if isinstance(index.projection, tuple):
        projection = {"ProjectionType": "INCLUDE", "NonKeyAttributes": list(index.projection)}
    return {"IndexName": index.name, "KeySchema": key_schema(index.pk, index.sk), "Projection": projection}


def delete_table(context: OperationContext, table: Table, *, if_exists: bool) -> Steps[bool]:
    """Delete the table with all its items. False if it didn't exist."""
    try:
        yield from call(_NAME, "DeleteTable", {"TableName": context.physical(table)})
    except TableMissing:
        if if_exists:
            return False
        raise
    return True


def scan(
    context: OperationContext, schema: EntitySchema, *, segments: int, where: Condition | None
) -> Steps[list[Any]]:
    """Every entity of this kind, in no particular order. Reads the whole table."""
    if not 1 <= segments <= _MAX_SEGMENTS:
        raise InputError(f"A scan has 1 to {_MAX_SEGMENTS} segments, not {segments}.")
    request = scan_request(context, schema, where)
    parts = yield Parallel(tuple(_scan_segment(context, schema, request, at, segments) for at in range(segments)))
    return [entity for part in parts for entity in part]


def scan_request(context: OperationContext, schema: EntitySchema, where: Condition | None) -> Request:
    request: Request = {"TableName": context.physical(schema.table), "ReturnConsumedCapacity": "TOTAL"}
    expressions = ExpressionBuilder()
    return expressions.into(request, FilterExpression=None if where is None else where.render(expressions))


def _scan_segment(
    context: OperationContext, schema: EntitySchema, request: Request, segment: int, segments: int
) -> Steps[list[Any]]:
    request = {**request, "Segment": segment, "TotalSegments": segments} if segments > 1 else dict(request)
    entities: list[Any] = []
    while True:
        response = yield from call(f"{schema.name}.scan", "Scan", request)
        items: list[Item] = visible_items(context, schema, response["Items"])
        entities += yield from deserialize_all(context, schema, items)
        if "LastEvaluatedKey" not in response:
            return entities
        request["ExclusiveStartKey"] = response["LastEvaluatedKey"]
