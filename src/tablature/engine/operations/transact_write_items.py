"""TransactWriteItems: up to a hundred writes and checks of different items that happen together or not at all."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from tablature.engine.actions import Action, check_action, delete_action, edit_action, put_action
from tablature.engine.cancellation import all_or_cancel, first_or_cancel
from tablature.engine.capacity import Tally, attach_all, read_units, tally_changes
from tablature.engine.clauses import (
    CONDITION_CHECK,
    TRANSACT_DELETE,
    TRANSACT_PUT,
    TRANSACT_UPDATE,
    Clauses,
    ClauseShape,
    read_clauses,
)
from tablature.engine.constraints import Structure, anything, list_of, member, structure, text
from tablature.engine.context import Context, Request, Response
from tablature.engine.errors import idempotent_mismatch, validation
from tablature.engine.item_rules import NO_CLAUSES, check_item_size, has_clauses
from tablature.engine.shapes import (
    ATTRIBUTE_MAP,
    RETURN_CONSUMED_CAPACITY,
    RETURN_ITEM_COLLECTION_METRICS,
    RETURN_ON_CONDITION_FAILURE,
    TABLE_NAME,
)
from tablature.engine.storage import Change, Table, Transaction
from tablature.engine.values import Item, item_size, may_be_large, normalise_item, value_size
from tablature.engine.write_response import gather_metrics

MOST_ACTIONS = 100
LARGEST_TRANSACTION = 4 * 1024 * 1024
TOKEN_SECONDS = 600.0
TRANSACTION_FACTOR = 2

Prepare = Callable[[Table, Item, Clauses, Mapping[str, Any]], Action]


@dataclass(frozen=True, slots=True)
class _Kind:
    """One kind of action: which member carries its key or item, what clauses it takes, and how it is prepared."""

    subject: str
    clauses: ClauseShape
    prepare: Prepare


def _put_of_right_size(table: Table, item: Item, clauses: Clauses, request: Mapping[str, Any]) -> Action:
    check_item_size(item)
    return put_action(table, item, clauses, request)


_KINDS: Mapping[str, _Kind] = {
    "ConditionCheck": _Kind("Key", CONDITION_CHECK, check_action),
    "Put": _Kind("Item", TRANSACT_PUT, _put_of_right_size),
    "Delete": _Kind("Key", TRANSACT_DELETE, delete_action),
    "Update": _Kind("Key", TRANSACT_UPDATE, edit_action),
}


def _action_shape(name: str, subject: str, *required: str) -> Structure:
    return structure(
        member(subject, ATTRIBUTE_MAP, required=True),
        *(member(expression, anything(), required=True) for expression in required),
        member("TableName", TABLE_NAME, required=True),
        member("ReturnValuesOnConditionCheckFailure", RETURN_ON_CONDITION_FAILURE),
        name=name,
    )


_SHAPE = structure(
    member("ClientRequestToken", text(1, 36)),
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
            MOST_ACTIONS,
        ),
        required=True,
    ),
)


@dataclass(frozen=True, slots=True)
class _Asked:
    """An action whose own parts are sound, not yet held against its table."""

    kind: _Kind
    table: Table
    subject: Item
    clauses: Clauses
    request: Mapping[str, Any]

    def prepare(self) -> Action:
        return self.kind.prepare(self.table, self.subject, self.clauses, self.request)


@dataclass(frozen=True, slots=True)
class _Replay:
    """The sizes a transaction with the same token was charged for, which a retry is charged to read."""

    sizes: list[tuple[str, int]]


def run(context: Context, request: Request) -> Response:
    """Write items together."""
    _SHAPE.check(request)
    return write_together(context, _prepare(context, request["TransactItems"]), request, request["TransactItems"])


def write_together(
    context: Context, actions: list[Action], request: Request, asked: list[Mapping[str, Any]]
) -> Response:
    """Carry out prepared actions as one; a repeated token repeats the answer and not the writes."""
    token = request.get("ClientRequestToken")
    digest = _digest(asked) if token is not None else b""

    def write_all(transaction: Transaction) -> list[Change] | _Replay:
        if token is not None and (replay := _find_replay(transaction, token, digest)) is not None:
            return replay
        changes = all_or_cancel(lambda action: action.run(transaction), actions)
        if token is not None:
            _remember(transaction, token, digest, changes)
        return changes

    outcome = context.storage.write(write_all)
    response: Response = {}
    if "ReturnConsumedCapacity" in request:
        _attach_capacity(context, response, request["ReturnConsumedCapacity"], outcome)
    if request.get("ReturnItemCollectionMetrics") == "SIZE":
        response["ItemCollectionMetrics"] = gather_metrics(actions)
    return response


def _prepare(context: Context, items: list[Mapping[str, Any]]) -> list[Action]:
    asked = [_read_action(item) for item in items]
    found = [
        _Asked(kind, context.table(one["TableName"]), subject, clauses, one) for kind, one, subject, clauses in asked
    ]
    actions = first_or_cancel(_Asked.prepare, found)
    refuse_repeated_items(actions)
    _check_size(found)
    return actions


def refuse_repeated_items(actions: list[Action]) -> None:
    if len({(action.table.name, action.key) for action in actions}) < len(actions):
        raise validation("Transaction request cannot include multiple operations on one item")


def _read_action(item: Mapping[str, Any]) -> tuple[_Kind, Mapping[str, Any], Item, Clauses]:
    given = [name for name in _KINDS if item.get(name) is not None]
    if len(given) != 1:
        raise validation("TransactItems can only contain one of Check, Put, Update or Delete")
    kind, one = _KINDS[given[0]], item[given[0]]
    subject = normalise_item(one[kind.subject])
    if not has_clauses(one):
        return kind, one, subject, NO_CLAUSES
    return kind, one, subject, read_clauses(one, kind.clauses)


def _check_size(asked: list[_Asked]) -> None:
    parts = [one.subject for one in asked]
    parts += [dict(one.clauses.update.values) for one in asked if one.clauses.update is not None]
    if not any(may_be_large(part, LARGEST_TRANSACTION // len(parts)) for part in parts):
        return
    size = sum(item_size(one.subject) for one in asked)
    for one in asked:
        if one.clauses.update is not None:
            size += sum(map(value_size, one.clauses.update.values.values()))
    if size > LARGEST_TRANSACTION:
        raise validation(
            "Collection size of items exceeded, which can also be caused by the aggregate size of the items in the "
            "transaction exceeding the 4MB limit"
        )


def _digest(items: list[Mapping[str, Any]]) -> bytes:
    return hashlib.sha256(msgspec.json.encode(items, order="deterministic")).digest()


def _find_replay(transaction: Transaction, token: str, digest: bytes) -> _Replay | None:
    known = transaction.token("TransactWriteItems", token, transaction.now - TOKEN_SECONDS)
    if known is None:
        return None
    if known[0] != digest:
        raise idempotent_mismatch()
    return _Replay(msgspec.json.decode(known[1], type=list[tuple[str, int]]))


def _remember(transaction: Transaction, token: str, digest: bytes, changes: list[Change]) -> None:
    sizes = [
        (change.table.name, max(change.old.size if change.old else 0, change.new.size if change.new else 0))
        for change in changes
    ]
    forget_before = transaction.now - TOKEN_SECONDS
    transaction.record_token("TransactWriteItems", token, digest, msgspec.json.encode(sizes), forget_before)


def _attach_capacity(context: Context, response: Response, detail: str, outcome: list[Change] | _Replay) -> None:
    if isinstance(outcome, _Replay):
        attach_all(response, detail, _tally_replay(context, outcome), "ReadCapacityUnits")
    else:
        attach_all(response, detail, tally_changes(outcome, TRANSACTION_FACTOR), "WriteCapacityUnits")


def _tally_replay(context: Context, replay: _Replay) -> list[Tally]:
    tallies: dict[str, Tally] = {}
    for name, size in replay.sizes:
        tally = tallies.setdefault(name, Tally(context.table(name)))
        tally.units += TRANSACTION_FACTOR * read_units(size, consistent=True)
    return list(tallies.values())
