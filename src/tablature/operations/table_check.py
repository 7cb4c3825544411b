"""Compares a declared table with the one at the service: one sentence for each difference, with what to do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from tablature.errors import Retryable, ServiceError, TableMissing
from tablature.operations.context import OperationContext
from tablature.operations.effects import Steps, call
from tablature.operations.tables import index_request, key_schema
from tablature.records import record
from tablature.schema.model import Index, Table
from tablature.wire import Request

_NAME = "admin"
Aspect = Literal["table", "key", "index", "projection", "ttl", "stream", "recovery", "billing"]
_ON = frozenset({"ENABLED", "ENABLING"})
_BY_HAND = "The service can't change that in place"


@record
class TableProblem:
    """How a table at the service differs from its declaration.

    `sentence` says it without an end mark; `ensure_table` can repair what is `repairable`, and for the rest the
    sentence says what to do.
    """

    table: str
    aspect: Aspect
    sentence: str
    repairable: bool = False
    index: str | None = None


def check_table(context: OperationContext, table: Table) -> Steps[list[TableProblem]]:
    """Every difference between the declaration and the service; none if the table is as declared."""
    name = context.physical(table)
    try:
        described = yield from call(_NAME, "DescribeTable", {"TableName": name})
    except TableMissing:
        return [TableProblem(name, "table", f"The table {name} is missing", repairable=True)]
    problems = [*_compare_description(table, name, described["Table"])]
    if table.ttl is not None:
        problems += yield from _check_ttl(name, table.ttl)
    if table.recovery:
        problems += yield from _check_recovery(name)
    return problems


def _compare_description(table: Table, name: str, actual: dict[str, Any]) -> Iterator[TableProblem]:
    if actual.get("TableStatus", "ACTIVE") == "DELETING":
        yield TableProblem(name, "table", f"The table {name} is being deleted; wait until it is gone")
        return
    types = {each["AttributeName"]: each["AttributeType"] for each in actual.get("AttributeDefinitions", [])}
    wanted = _key_text(key_schema(table.pk, table.sk), dict(table.attribute_types()))
    present = _key_text(actual["KeySchema"], types)
    if wanted != present:
        sentence = f"The table {name} has the key {present} instead of {wanted}. {_BY_HAND}: export its items, "
        yield TableProblem(name, "key", sentence + "delete it, let it be created again and import them")
    for index in table.indexes:
        yield from _compare_index(table, name, index, actual, types)
    yield from _compare_stream(table, name, actual)
    yield from _compare_billing(name, actual)


def _compare_index(
    table: Table, name: str, index: Index, actual: dict[str, Any], types: dict[str, str]
) -> Iterator[TableProblem]:
    member = "LocalSecondaryIndexes" if index.local else "GlobalSecondaryIndexes"
    present = next((each for each in actual.get(member, []) if each["IndexName"] == index.name), None)
    label = f"The index {index.name} of the table {name}"
    if present is None:
        if index.local:
            sentence = f"{label} is missing. A local index can't be added: export the items, delete the table, "
            yield TableProblem(name, "index", sentence + "let it be created again and import them", index=index.name)
        else:
            yield TableProblem(name, "index", f"{label} is missing", repairable=True, index=index.name)
        return
    request = index_request(index)
    keys = _key_text(request["KeySchema"], dict(table.attribute_types())), _key_text(present["KeySchema"], types)
    remedy = "delete the table and import its items again" if index.local else "delete it and let it be built again"
    if keys[0] != keys[1]:
        sentence = f"{label} has the key {keys[1]} instead of {keys[0]}. {_BY_HAND}: {remedy}"
        yield TableProblem(name, "index", sentence, index=index.name)
    projections = _projection_text(request["Projection"]), _projection_text(present.get("Projection", {}))
    if projections[0] != projections[1]:
        sentence = f"{label} carries {projections[1]} instead of {projections[0]}. {_BY_HAND}: {remedy}"
        yield TableProblem(name, "projection", sentence, index=index.name)
    if present.get("IndexStatus", "ACTIVE") in ("CREATING", "UPDATING"):
        yield TableProblem(name, "index", f"{label} is still being built; wait until it is ready", index=index.name)


def _compare_stream(table: Table, name: str, actual: dict[str, Any]) -> Iterator[TableProblem]:
    if table.stream is None:
        return
    stream = actual.get("StreamSpecification") or {}
    if not stream.get("StreamEnabled"):
        yield TableProblem(name, "stream", f"The stream of the table {name} is off", repairable=True)
    elif stream.get("StreamViewType") != table.stream:
        sentence = f"The stream of the table {name} has {stream.get('StreamViewType')} instead of {table.stream}. "
        yield TableProblem(name, "stream", f"{sentence}{_BY_HAND}: switch it off and let it be switched on again")


def _compare_billing(name: str, actual: dict[str, Any]) -> Iterator[TableProblem]:
    """A table without a billing mode is provisioned, and clones that know no billing describe no units either."""
    mode = (actual.get("BillingModeSummary") or {}).get("BillingMode")
    units = (actual.get("ProvisionedThroughput") or {}).get("WriteCapacityUnits", 0)
    if mode == "PROVISIONED" or (mode is None and units):
        sentence = f"The table {name} has provisioned capacity ({units} write units) instead of billing per request: "
        yield TableProblem(name, "billing", sentence + "it refuses writes above that; change its billing mode")


def _check_ttl(name: str, attribute: str) -> Steps[list[TableProblem]]:
    setting = yield from _describe("DescribeTimeToLive", {"TableName": name})
    if isinstance(setting, ServiceError):
        sentence = f"Whether the table {name} deletes expired items is unknown ({_reason(setting)})"
        return [TableProblem(name, "ttl", sentence, repairable=True)]
    described = setting.get("TimeToLiveDescription", {})
    if described.get("TimeToLiveStatus") not in _ON:
        return [TableProblem(name, "ttl", f"The table {name} keeps expired items: time to live is off", True)]
    if described.get("AttributeName") != attribute:
        sentence = f"The table {name} deletes items by {described.get('AttributeName')} instead of {attribute}. "
        return [TableProblem(name, "ttl", sentence + "Switch time to live off and let it be switched on again")]
    return []


def _check_recovery(name: str) -> Steps[list[TableProblem]]:
    setting = yield from _describe("DescribeContinuousBackups", {"TableName": name})
    if isinstance(setting, ServiceError):
        sentence = f"Whether the table {name} can be restored to an earlier time is unknown ({_reason(setting)})"
        return [TableProblem(name, "recovery", sentence, repairable=True)]
    described = setting.get("ContinuousBackupsDescription", {}).get("PointInTimeRecoveryDescription", {})
    if described.get("PointInTimeRecoveryStatus") not in _ON:
        return [TableProblem(name, "recovery", f"Point-in-time recovery of the table {name} is off", repairable=True)]
    return []


def _describe(operation: str, request: Request) -> Steps[dict[str, Any] | ServiceError]:
    """The response, or why a service that is otherwise well doesn't give it."""
    try:
        response = yield from call(_NAME, operation, request)
    except Retryable:
        raise
    except ServiceError as error:
        return error
    return response


def _reason(error: ServiceError) -> str:
    return f"the service answers {error.code}"


def _key_text(keys: list[dict[str, str]], types: dict[str, str]) -> str:
    return "(" + ", ".join(f"{key['AttributeName']} {types.get(key['AttributeName'], '?')}" for key in keys) + ")"


def _projection_text(projection: dict[str, Any]) -> str:
    kind = projection.get("ProjectionType", "ALL")
    if kind == "INCLUDE":
        return "only " + ", ".join(sorted(projection.get("NonKeyAttributes", [])))
    return "only keys" if kind == "KEYS_ONLY" else "every attribute"
