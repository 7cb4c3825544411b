"""The actions of a transaction: one on the item itself, one per changed copy and sentinel, and the service's limits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeVar

from tablature.errors import InputError, TablatureError, TransactionTooLarge, UniqueViolation
from tablature.expressions.builder import ExpressionBuilder
from tablature.expressions.conditions import Comparison, Condition, absent, equals
from tablature.operations.context import OperationContext
from tablature.operations.derived_items import HOLDER, UNTIL, KeyText, key_text, primary_key, sentinel_holder
from tablature.records import evolve, record
from tablature.schema.model import EntitySchema, Table, UniqueSchema
from tablature.wire import AttributeValue, Item, Request, size_of_item

T = TypeVar("T")
MAX_ACTIONS = 100
MAX_BYTES = 4 * 1024 * 1024
ActionKind = Literal["Put", "Update", "Delete", "ConditionCheck"]


@record
class StaleRead:
    """The write was planned on old values; plan it again on this item."""

    current: Item | None


@record
class SentinelTakenOver:
    """A sentinel was taken over after its window; plan again without touching it."""

    key: KeyText


Refusal = TablatureError | StaleRead | SentinelTakenOver


@record
class TransactAction:
    """One action of a transaction. `explain` turns a false condition into an error or a reason to plan again.

    `released_holder` is set when the action releases a sentinel. `take_over` builds the action that takes the sentinel
    from a holder who releases it in the same transaction."""

    kind: ActionKind
    request: Request
    key: KeyText
    explain: Callable[[Item | None], Refusal]
    released_holder: AttributeValue | None = None
    take_over: Callable[[AttributeValue], TransactAction] | None = None


def put_action(
    context: OperationContext,
    table: Table,
    item: Item,
    condition: Condition | None,
    explain: Callable[[Item | None], Refusal],
) -> TransactAction:
    request: Request = {"TableName": context.physical(table), "Item": item}
    return TransactAction("Put", add_condition(request, condition), key_text(table, item), explain)


def delete_action(
    context: OperationContext,
    table: Table,
    key: Item,
    condition: Condition | None,
    explain: Callable[[Item | None], Refusal],
) -> TransactAction:
    request: Request = {"TableName": context.physical(table), "Key": primary_key(table, key)}
    return TransactAction("Delete", add_condition(request, condition), key_text(table, key), explain)


def add_condition(
    request: Request, condition: Condition | None, expressions: ExpressionBuilder | None = None
) -> Request:
    """Add the condition. The service returns the current item if it is false."""
    expressions = expressions or ExpressionBuilder()
    text = None if condition is None else condition.render(expressions)
    if text:
        request["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
    return expressions.into(request, ConditionExpression=text)


def unexpected_refusal(item: Item | None) -> Refusal:
    return TablatureError(f"The service refused an action without a condition; the stored item is {item}.")


def copy_actions(
    context: OperationContext, schema: EntitySchema, old: dict[KeyText, Item], new: dict[KeyText, Item]
) -> list[TransactAction]:
    """Put new and changed copies, delete the others."""
    table = schema.table
    puts = [
        put_action(context, table, copy, None, unexpected_refusal) for key, copy in new.items() if old.get(key) != copy
    ]
    deletes = [
        delete_action(context, table, copy, None, unexpected_refusal) for key, copy in old.items() if key not in new
    ]
    return puts + deletes


def sentinel_actions(
    context: OperationContext,
    schema: EntitySchema,
    old: dict[KeyText, tuple[UniqueSchema, Item]],
    new: dict[KeyText, tuple[UniqueSchema, Item]],
    lost_sentinels: frozenset[KeyText],
) -> list[TransactAction]:
    """Claim new values, renew those whose item has a new expiry, and release those no longer used.

    A uniqueness window starts when the value is claimed and outlives the item."""
    table = schema.table
    claims = [
        _claim_sentinel(context, schema, *new[key])
        for key in new
        if key not in old or _expiry_changed(old[key], new[key])
    ]
    releases = [
        _release_sentinel(context, table, key, old[key][1])
        for key in old
        if key not in new and key not in lost_sentinels
    ]
    return claims + releases


def merge_sentinel_transfers(owned: list[tuple[T, TransactAction]]) -> list[tuple[T, TransactAction]]:
    """Merge the release and the claim of one value: a transaction may touch its sentinel only once."""
    released = {action.key: action.released_holder for _, action in owned if action.released_holder is not None}
    claimed = {action.key for _, action in owned if action.take_over is not None}
    joined = []
    for owner, action in owned:
        holder = released.get(action.key)
        if action.take_over is not None and holder is not None:
            joined.append((owner, action.take_over(holder)))
        elif action.released_holder is None or action.key not in claimed:
            joined.append((owner, action))
    return joined


def _expiry_changed(old: tuple[UniqueSchema, Item], new: tuple[UniqueSchema, Item]) -> bool:
    return new[0].window is None and old[1].get(UNTIL) != new[1].get(UNTIL)


def _claim_sentinel(
    context: OperationContext, schema: EntitySchema, unique: UniqueSchema, sentinel: Item
) -> TransactAction:
    table = schema.table
    free: Condition = absent(table.pk) | equals(HOLDER, sentinel[HOLDER])
    if unique.window is not None or schema.expires is not None:
        free = free | Comparison((UNTIL,), "<=", {"N": str(context.epoch())})
    fields = " and ".join(unique.fields)

    def explain(item: Item | None) -> Refusal:
        holder = sentinel_holder(item)
        sentence = f"Another item has the same {fields}: {' / '.join(holder or ('unknown',))}."
        return UniqueViolation(sentence, unique.fields, holder)

    def take_over(holder: AttributeValue) -> TransactAction:
        return put_action(context, table, sentinel, free | equals(HOLDER, holder), explain)

    return evolve(put_action(context, table, sentinel, free, explain), take_over=take_over)


def _release_sentinel(context: OperationContext, table: Table, key: KeyText, sentinel: Item) -> TransactAction:
    still_held = absent(table.pk) | equals(HOLDER, sentinel[HOLDER])
    return evolve(
        delete_action(context, table, sentinel, still_held, lambda _: SentinelTakenOver(key)),
        released_holder=sentinel[HOLDER],
    )


def transaction_size(actions: list[TransactAction]) -> int:
    return sum(
        size_of_item(action.request.get("Item") or action.request["Key"]) + _values_size(action) for action in actions
    )


def _values_size(action: TransactAction) -> int:
    return size_of_item(action.request.get("ExpressionAttributeValues", {}))


def fits_one_transaction(actions: list[TransactAction]) -> bool:
    return len(actions) <= MAX_ACTIONS and (len(actions) == 1 or transaction_size(actions) <= MAX_BYTES)


def check_transaction(actions: list[TransactAction]) -> None:
    """Raise if the service would reject the transaction: too many actions, too many bytes, or an item twice."""
    if len(actions) > MAX_ACTIONS:
        raise TransactionTooLarge(
            f"This transaction needs {len(actions)} actions and the service allows {MAX_ACTIONS}; split it."
        )
    size = transaction_size(actions)
    if size > MAX_BYTES:
        raise TransactionTooLarge(
            f"This transaction has {size:,} bytes and the service allows {MAX_BYTES:,}; split it."
        )
    touched = set()
    for action in actions:
        place = (action.request["TableName"], action.key)
        if place in touched:
            raise InputError(f"One transaction can touch an item once; {' / '.join(action.key)} is touched twice.")
        touched.add(place)
