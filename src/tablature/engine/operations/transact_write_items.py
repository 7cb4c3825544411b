"""TransactWriteItems: up to a hundred writes and checks of different items, all or none."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from tablature.engine.capacity import CapacityTally, attach_capacities, read_units, tally_changes
from tablature.engine.context import EngineContext, Request, Response
from tablature.engine.encoding.values import Item, item_size, may_be_large, normalise_item, value_size
from tablature.engine.errors import idempotent_mismatch, validation_error
from tablature.engine.storage import ItemChange, StoredTable, Transaction
from tablature.engine.validation.constraints import StructureShape, anything, list_of, member, string, structure
from tablature.engine.validation.item_rules import NO_EXPRESSIONS, check_item_size, has_expressions
from tablature.engine.validation.request_expressions import (
    CONDITION_CHECK,
    TRANSACT_DELETE,
    TRANSACT_PUT,
    TRANSACT_UPDATE,
    ExpressionParameters,
    RequestExpressions,
    read_expressions,
)
from tablature.engine.validation.shapes import (
    ATTRIBUTE_MAP,
    RETURN_CONSUMED_CAPACITY,
    RETURN_ITEM_COLLECTION_METRICS,
    RETURN_ON_CONDITION_FAILURE,
    TABLE_NAME,
)
from tablature.engine.writes.actions import ItemAction, prepare_check, prepare_delete, prepare_put, prepare_update
from tablature.engine.writes.responses import all_or_cancel, collect_metrics, first_or_cancel

MAX_ACTIONS = 100
LARGEST_TRANSACTION = 4 * 1024 * 1024
TOKEN_SECONDS = 600.0
TRANSACTION_FACTOR = 2

PrepareAction = Callable[[StoredTable, Item, RequestExpressions, Mapping[str, Any]], ItemAction]


@dataclass(frozen=True, slots=True)
class _ActionKind:
    """One kind of action: the member with its key or item, its expression parameters, and how it is prepared."""

    subject: str
    parameters: ExpressionParameters
    prepare: PrepareAction


def _prepare_sized_put(
    table: StoredTable, item: Item, expressions: RequestExpressions, request: Mapping[str, Any]
) -> ItemAction:
    check_item_size(item)
    return prepare_put(table, item, expressions, request)


_ACTION_KINDS: Mapping[str, _ActionKind] = {
    "ConditionCheck": _ActionKind("Key", CONDITION_CHECK, prepare_check),
    "Put": _ActionKind("Item", TRANSACT_PUT, _prepare_sized_put),
    "Delete": _ActionKind("Key", TRANSACT_DELETE, prepare_delete),
    "Update": _ActionKind("Key", TRANSACT_UPDATE, prepare_update),
}


def _action_shape(name: str, subject: str, *required: str) -> StructureShape:
    return structure(
        member(subject, ATTRIBUTE_MAP, required=True),
        *(member(expression, anything(), required=True) for expression in required),
        member("TableName", TABLE_NAME, required=True),
        member("ReturnValuesOnConditionCheckFailure", RETURN_ON_CONDITION_FAILURE),
        name=name,
    )


_SHAPE = structure(
    member("ClientRequestToken", string(1, 36)),
    member("ReturnConsumedCapacity", RETURN_CONSUMED_CAPACITY),
    member("ReturnItemCollectionMetrics", RETURN_ITEM_COLLECTION_METRICS),
    member(
        "TransactItems",
        list_of(
            structure(
                member("ConditionCheck", _action_shape("ConditionCheck", "Key", "ConditionExpression")),
                member("Put", _action_shape("Put", "Item")),
                member("Delete", _action_shape("Delete", "Key")),
                member("Update", _action_shape("Update", "Key", "UpdateExpression")),
                name="TransactWriteItem",
            ),
            1,
            MAX_ACTIONS,
        ),
        required=True,
    ),
)


@dataclass(frozen=True, slots=True)
class _RequestedAction:
    """A parsed action, not yet checked against its table."""

    kind: _ActionKind
    table: StoredTable
    subject: Item
    expressions: RequestExpressions
    request: Mapping[str, Any]

    def prepare(self) -> ItemAction:
        return self.kind.prepare(self.table, self.subject, self.expressions, self.request)


@dataclass(frozen=True, slots=True)
class _ReplayedWrite:
    """The item sizes of an earlier transaction with the same token; the retry is charged for reading them."""

    sizes: list[tuple[str, int]]


def transact_write_items(context: EngineContext, request: Request) -> Response:
    """Write items, all or none."""
    _SHAPE.check(request)
    return write_transaction(context, _prepare(context, request["TransactItems"]), request, request["TransactItems"])


def write_transaction(
    context: EngineContext, actions: list[ItemAction], request: Request, asked: list[Mapping[str, Any]]
) -> Response:
    """Execute prepared actions as one. A repeated token repeats the response without the writes."""
    token = request.get("ClientRequestToken")
    digest = _digest(asked) if token is not None else b""

    def write_all(transaction: Transaction) -> list[ItemChange] | _ReplayedWrite:
        if token is not None and (replay := _find_replay(transaction, token, digest)) is not None:
            return replay
        changes = all_or_cancel(lambda action: action.run(transaction), actions)
        if token is not None:
            _record_token(transaction, token, digest, changes)
        return changes

    outcome = context.storage.write(write_all)
    response: Response = {}
    if "ReturnConsumedCapacity" in request:
        _attach_capacity(context, response, request["ReturnConsumedCapacity"], outcome)
    if request.get("ReturnItemCollectionMetrics") == "SIZE":
        response["ItemCollectionMetrics"] = collect_metrics(actions)
    return response


def _prepare(context: EngineContext, items: list[Mapping[str, Any]]) -> list[ItemAction]:
    parsed = [_read_action(item) for item in items]
    requested = [
        _RequestedAction(kind, context.table(request["TableName"]), subject, expressions, request)
        for kind, request, subject, expressions in parsed
    ]
    actions = first_or_cancel(_RequestedAction.prepare, requested)
    reject_repeated_items(actions)
    _check_size(requested)
    return actions


def reject_repeated_items(actions: list[ItemAction]) -> None:
    if len({(action.table.name, action.key) for action in actions}) < len(actions):
        raise validation_error("Transaction request cannot include multiple operations on one item")


def _read_action(item: Mapping[str, Any]) -> tuple[_ActionKind, Mapping[str, Any], Item, RequestExpressions]:
    names = [name for name in _ACTION_KINDS if item.get(name) is not None]
    if len(names) != 1:
        raise validation_error("TransactItems can only contain one of Check, Put, Update or Delete")
    kind, request = _ACTION_KINDS[names[0]], item[names[0]]
    subject = normalise_item(request[kind.subject])
    if not has_expressions(request):
        return kind, request, subject, NO_EXPRESSIONS
    return kind, request, subject, read_expressions(request, kind.parameters)


def _check_size(actions: list[_RequestedAction]) -> None:
    updates = [action.expressions.update for action in actions if action.expressions.update is not None]
    parts = [action.subject for action in actions] + [dict(update.values) for update in updates]
    if not any(may_be_large(part, LARGEST_TRANSACTION // len(parts)) for part in parts):
        return
    size = sum(item_size(action.subject) for action in actions)
    size += sum(value_size(value) for update in updates for value in update.values.values())
    if size > LARGEST_TRANSACTION:
        raise validation_error(
            "Collection size of items exceeded, which can also be caused by the aggregate size of the items in the "
            "transaction exceeding the 4MB limit"
        )


def _digest(items: list[Mapping[str, Any]]) -> bytes:
    return hashlib.sha256(msgspec.json.encode(items, order="deterministic")).digest()


def _find_replay(transaction: Transaction, token: str, digest: bytes) -> _ReplayedWrite | None:
    recorded = transaction.token("TransactWriteItems", token, transaction.now - TOKEN_SECONDS)
    if recorded is None:
        return None
    if recorded[0] != digest:
        raise idempotent_mismatch()
    return _ReplayedWrite(msgspec.json.decode(recorded[1], type=list[tuple[str, int]]))


def _record_token(transaction: Transaction, token: str, digest: bytes, changes: list[ItemChange]) -> None:
    sizes = [
        (change.table.name, max(change.old.size if change.old else 0, change.new.size if change.new else 0))
        for change in changes
    ]
    forget_before = transaction.now - TOKEN_SECONDS
    transaction.record_token("TransactWriteItems", token, digest, msgspec.json.encode(sizes), forget_before)


def _attach_capacity(
    context: EngineContext, response: Response, detail: str, outcome: list[ItemChange] | _ReplayedWrite
) -> None:
    if isinstance(outcome, _ReplayedWrite):
        attach_capacities(response, detail, _tally_replay(context, outcome), "ReadCapacityUnits")
    else:
        attach_capacities(response, detail, tally_changes(outcome, TRANSACTION_FACTOR), "WriteCapacityUnits")


def _tally_replay(context: EngineContext, replay: _ReplayedWrite) -> list[CapacityTally]:
    tallies: dict[str, CapacityTally] = {}
    for name, size in replay.sizes:
        tally = tallies.setdefault(name, CapacityTally(context.table(name)))
        tally.units += TRANSACTION_FACTOR * read_units(size, consistent=True)
    return list(tallies.values())
