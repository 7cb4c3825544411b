"""Creating and removing the tables themselves."""

from __future__ import annotations

from typing import Any

from tablature.errors import ServiceError, TableMissing
from tablature.operations.context import Context
from tablature.operations.effects import Steps, Wait, call
from tablature.schema.model import Index, Table
from tablature.wire import Request

_NAME = "admin"
_MOST_LOOKS = 120


def creation_request(table: Table, physical_name: str) -> Request:
    """The CreateTable request for a table, billed per request."""
    request: Request = {
        "TableName": physical_name,
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": _key_schema(table.pk, table.sk),
        "AttributeDefinitions": [
            {"AttributeName": name, "AttributeType": kind} for name, kind in table.attribute_types().items()
        ],
    }
    for member, local in (("GlobalSecondaryIndexes", False), ("LocalSecondaryIndexes", True)):
        found = [_index_request(index) for index in table.indexes if index.local is local]
        if found:
            request[member] = found
    return request


def _key_schema(pk: str, sk: str | None) -> list[dict[str, str]]:
    keys = [{"AttributeName": pk, "KeyType": "HASH"}]
    return keys if sk is None else [*keys, {"AttributeName": sk, "KeyType": "RANGE"}]


def _index_request(index: Index) -> dict[str, Any]:
    projection: dict[str, Any] = {"ProjectionType": index.projection}
    if isinstance(index.projection, tuple):
        projection = {"ProjectionType": "INCLUDE", "NonKeyAttributes": list(index.projection)}
    return {"IndexName": index.name, "KeySchema": _key_schema(index.pk, index.sk), "Projection": projection}


def create_table(context: Context, table: Table, *, if_missing: bool) -> Steps[bool]:
    """Create the table and wait until it can be used; False where it was there already."""
    name = context.physical(table)
    try:
        yield from call(_NAME, "CreateTable", creation_request(table, name))
    except ServiceError as error:
        if if_missing and error.code == "ResourceInUseException":
            return False
        raise
    yield from _wait_until_active(name)
    if table.ttl is not None:
        setting = {"Enabled": True, "AttributeName": table.ttl}
        request: Request = {"TableName": name, "TimeToLiveSpecification": setting}
        yield from call(_NAME, "UpdateTimeToLive", request)
    return True


def _wait_until_active(name: str) -> Steps[None]:
    for _ in range(_MOST_LOOKS):
        described = yield from call(_NAME, "DescribeTable", {"TableName": name})
        table = described["Table"]
        indexes = table.get("GlobalSecondaryIndexes", [])
        if all(part.get("TableStatus", part.get("IndexStatus")) == "ACTIVE" for part in (table, *indexes)):
            return
        yield Wait(0.5)


def delete_table(context: Context, table: Table, *, if_exists: bool) -> Steps[bool]:
    """Remove the table with everything in it; False where there was none."""
    try:
        yield from call(_NAME, "DeleteTable", {"TableName": context.physical(table)})
    except TableMissing:
        if if_exists:
            return False
        raise
    return True
