"""A table at the service as the request that would create it again, and the settings that are not part of that."""

from __future__ import annotations

from typing import Any

from tablature.errors import Retryable, ServiceError
from tablature.operations.effects import Steps, call
from tablature.wire import Request

NAME = "transfer"
_INDEX_MEMBERS = ("IndexName", "KeySchema", "Projection")
_UNITS = ("ReadCapacityUnits", "WriteCapacityUnits")
_ON = frozenset({"ENABLED", "ENABLING"})


def creation_from(description: dict[str, Any]) -> Request:
    """The CreateTable request of a described table."""
    request: Request = {
        "TableName": description["TableName"],
        "KeySchema": description["KeySchema"],
        "AttributeDefinitions": description["AttributeDefinitions"],
        "BillingMode": "PAY_PER_REQUEST",
    }
    units = _units_of(description)
    if units is not None:
        request |= {"BillingMode": "PROVISIONED", "ProvisionedThroughput": units}
    for member in ("GlobalSecondaryIndexes", "LocalSecondaryIndexes"):
        indexes = [_index_from(index) for index in description.get(member) or []]
        if indexes:
            request[member] = indexes
    if (description.get("StreamSpecification") or {}).get("StreamEnabled"):
        request["StreamSpecification"] = description["StreamSpecification"]
    return request


def _index_from(description: dict[str, Any]) -> Request:
    index: Request = {member: description[member] for member in _INDEX_MEMBERS}
    units = _units_of(description)
    return index if units is None else index | {"ProvisionedThroughput": units}


def _units_of(description: dict[str, Any]) -> dict[str, int] | None:
    units = description.get("ProvisionedThroughput") or {}
    return {unit: units[unit] for unit in _UNITS} if units.get("WriteCapacityUnits") else None


def read_ttl(table: str) -> Steps[str | None]:
    """The attribute by which the table's items expire; None also if the service knows no expiry."""
    response = yield from _ask("DescribeTimeToLive", table)
    described = response.get("TimeToLiveDescription", {})
    return described.get("AttributeName") if described.get("TimeToLiveStatus") in _ON else None


def read_recovery(table: str) -> Steps[bool]:
    """Whether point-in-time recovery is on; False also if the service has none."""
    response = yield from _ask("DescribeContinuousBackups", table)
    described = response.get("ContinuousBackupsDescription", {}).get("PointInTimeRecoveryDescription", {})
    return described.get("PointInTimeRecoveryStatus") in _ON


def _ask(operation: str, table: str) -> Steps[dict[str, Any]]:
    try:
        return (yield from call(NAME, operation, {"TableName": table}))
    except Retryable:
        raise
    except ServiceError:
        return {}
