"""Creates tables and completes what is missing of existing ones: time to live, indexes, stream, recovery.

Both are repeatable: a run that was interrupted, or met a service that refused a part, is completed by the next one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from tablature.errors import Retryable, ServiceError
from tablature.operations.context import OperationContext
from tablature.operations.effects import Sleep, Steps, call
from tablature.operations.table_check import Aspect, TableProblem, check_table
from tablature.operations.tables import creation_request, index_request
from tablature.records import record
from tablature.schema.model import Table
from tablature.wire import Request

_NAME = "admin"
_MAX_POLLS = 120
# The service builds an index over a large table for hours; whoever stops waiting may run it again.
_MAX_INDEX_POLLS = 20_000
_LONGEST_PAUSE = 5.0

SetupListener: TypeAlias = Callable[[str], None]


@record
class TableSetup:
    """What `ensure_table` did, and what still differs from the declaration."""

    created: bool
    completed: tuple[str, ...] = ()
    problems: tuple[TableProblem, ...] = ()


def create_table(context: OperationContext, table: Table, *, if_missing: bool) -> Steps[bool]:
    """Create the table with everything it declares and wait until it is active. False if it already existed."""
    name = context.physical(table)
    if not (yield from _create(table, name, if_missing=if_missing)):
        return False
    for aspect in _settings(table):
        yield from _switch_on(table, name, aspect)
    return True


def ensure_table(
    context: OperationContext, table: Table, *, build_indexes: bool, listener: SetupListener | None
) -> Steps[TableSetup]:
    """Create the table or complete it. What the service refuses is reported each time, not raised."""
    tell = listener or (lambda _: None)
    name = context.physical(table)
    problems = yield from check_table(context, table)
    created = any(problem.aspect == "table" and problem.repairable for problem in problems)
    if created:
        created = yield from _create(table, name, if_missing=True)
        problems = yield from check_table(context, table)
    completed: list[str] = []
    refusals: dict[tuple[Aspect, str | None], str] = {}
    for problem in problems:
        if not problem.repairable or (problem.aspect == "index" and not build_indexes):
            continue
        try:
            yield from _repair(table, problem, tell)
        except Retryable:
            raise
        except ServiceError as error:
            refusals[problem.aspect, problem.index] = f"{error.code}: {error.message}".rstrip(": .")
        else:
            completed.append(problem.sentence)
    if completed or refusals:
        problems = yield from check_table(context, table)
    remaining = (_with_refusal(problem, refusals.get((problem.aspect, problem.index))) for problem in problems)
    return TableSetup(created, () if created else tuple(completed), tuple(remaining))


def _with_refusal(problem: TableProblem, refusal: str | None) -> TableProblem:
    if refusal is None:
        return problem
    sentence = f"{problem.sentence}, and the service refused to change it ({refusal}): {_WITHOUT[problem.aspect]}"
    return TableProblem(problem.table, problem.aspect, sentence, index=problem.index)


_WITHOUT: dict[str, str] = {
    "index": "queries that need it fail until it is there",
    "ttl": "expired items are hidden and stay stored until you delete them",
    "stream": "programs that follow the changes get none",
    "recovery": "rely on backups",
}


def _create(table: Table, name: str, *, if_missing: bool) -> Steps[bool]:
    try:
        yield from call(_NAME, "CreateTable", creation_request(table, name))
    except ServiceError as error:
        if if_missing and error.code == "ResourceInUseException":
            return False
        raise
    yield from _wait_until_active(name)
    return True


def _settings(table: Table) -> list[Aspect]:
    wanted: list[tuple[Aspect, bool]] = [("ttl", table.ttl is not None), ("recovery", table.recovery)]
    return [aspect for aspect, is_wanted in wanted if is_wanted]


def _repair(table: Table, problem: TableProblem, tell: SetupListener) -> Steps[None]:
    if problem.aspect == "index":
        yield from _add_index(table, problem.table, problem.index or "", tell)
    else:
        yield from _switch_on(table, problem.table, problem.aspect)


def _switch_on(table: Table, name: str, aspect: Aspect) -> Steps[None]:
    request: Request = {"TableName": name}
    if aspect == "ttl":
        request["TimeToLiveSpecification"] = {"Enabled": True, "AttributeName": table.ttl}
        yield from call(_NAME, "UpdateTimeToLive", request)
    elif aspect == "recovery":
        request["PointInTimeRecoverySpecification"] = {"PointInTimeRecoveryEnabled": True}
        yield from call(_NAME, "UpdateContinuousBackups", request)
    elif aspect == "stream":
        request["StreamSpecification"] = {"StreamEnabled": True, "StreamViewType": table.stream}
        yield from call(_NAME, "UpdateTable", request)
        yield from _wait_until_active(name)


def _add_index(table: Table, name: str, index_name: str, tell: SetupListener) -> Steps[None]:
    """Build one index and wait for it: the service builds one at a time."""
    described = yield from call(_NAME, "DescribeTable", {"TableName": name})
    addition = index_request(table.index(index_name))
    units = described["Table"].get("ProvisionedThroughput", {})
    if units.get("WriteCapacityUnits"):
        members = ("ReadCapacityUnits", "WriteCapacityUnits")
        addition["ProvisionedThroughput"] = {member: units[member] for member in members}
    keys = {table.pk, table.sk, table.index(index_name).pk, table.index(index_name).sk}
    existing = {each["AttributeName"]: each["AttributeType"] for each in described["Table"]["AttributeDefinitions"]}
    types = {attribute: kind for attribute, kind in table.attribute_types().items() if attribute in keys}
    request: Request = {
        "TableName": name,
        "AttributeDefinitions": [
            {"AttributeName": attribute, "AttributeType": kind} for attribute, kind in (existing | types).items()
        ],
        "GlobalSecondaryIndexUpdates": [{"Create": addition}],
    }
    tell(f"Building the index {index_name} of {name}")
    yield from call(_NAME, "UpdateTable", request)
    yield from _wait_until_active(name, tell, _MAX_INDEX_POLLS)


def _wait_until_active(name: str, tell: SetupListener | None = None, polls: int = _MAX_POLLS) -> Steps[None]:
    pause = 0.5
    for _ in range(polls):
        described = yield from call(_NAME, "DescribeTable", {"TableName": name})
        waiting = _unready_parts(described["Table"])
        if not waiting:
            return
        if tell is not None:
            tell(f"Still being built: {', '.join(waiting)} of {name}")
            pause = min(pause * 1.5, _LONGEST_PAUSE)
        yield Sleep(pause)


def _unready_parts(table: dict[str, Any]) -> list[str]:
    """Clones may leave out the states of a table and its indexes; then they are ready."""
    states = {"the table": table.get("TableStatus", "ACTIVE")}
    states |= {
        each["IndexName"]: each.get("IndexStatus", "ACTIVE") for each in table.get("GlobalSecondaryIndexes") or []
    }
    return [part for part, state in states.items() if state != "ACTIVE"]
