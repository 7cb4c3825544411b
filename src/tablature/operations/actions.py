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
    """One action of a transaction, and what it means when its condition is false.

    `gives_back` is the holder that a sentinel is given back by; `taking_from` makes the action that takes a sentinel
    from a holder who gives it back in the same transaction."""

    kind: ActionKind
    request: Request
    key: KeyText
    explain: Callable[[Item | None], Refusal]
    gives_back: AttributeValue | None = None
    taking_from: Callable[[AttributeValue], TransactAction] | None = None


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
    """Add the condition, and ask for the current item where it is false."""
    expressions = expressions or ExpressionBuilder()
    text = None if condition is None else condition.render(expressions)
    if text:
        request["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
    return expressions.into(request, ConditionExpression=text)


def unexpected_refusal(item: Item | None) -> Refusal:
    return TablatureError(f"An action without a condition was refused over {item}.")


def copy_actions(
    context: OperationContext, schema: EntitySchema, old: dict[KeyText, Item], new: dict[KeyText, Item]
) -> list[TransactAction]:
    """Write the copies that are new or changed, and remove those that are no longer implied."""
    table = schema.table
    puts = [
        put_action(context, table, copy, None, unexpected_refusal) for key, copy in new.items() if old.get(key) != copy
    ]
    gone = [
        delete_action(context, table, copy, None, unexpected_refusal) for key, copy in old.items() if key not in new
    ]
    return puts + gone


def sentinel_actions(
    context: OperationContext,
    schema: EntitySchema,
    old: dict[KeyText, tuple[UniqueSchema, Item]],
    new: dict[KeyText, tuple[UniqueSchema, Item]],
    not_mine: frozenset[KeyText],
) -> list[TransactAction]:
    """Take the values that are new, hold on to those whose item lives for another time now, and give back those that
    are no longer held. A window begins when its value is taken, whatever becomes of the item."""
    table = schema.table
    taken = [
        _claim_sentinel(context, schema, *new[key])
        for key in new
        if key not in old or _expiry_changed(old[key], new[key])
    ]
    given = [
        _release_sentinel(context, table, key, old[key][1]) for key in old if key not in new and key not in not_mine
    ]
    return taken + given


def merge_sentinel_transfers(owned: list[tuple[T, TransactAction]]) -> list[tuple[T, TransactAction]]:
    """Join giving back and taking of one value, because one transaction can touch its sentinel only once."""
    given = {action.key: action.gives_back for _, action in owned if action.gives_back is not None}
    taken = {action.key for _, action in owned if action.taking_from is not None}
    joined = []
    for owner, action in owned:
        holder = given.get(action.key)
        if action.taking_from is not None and holder is not None:
            joined.append((owner, action.taking_from(holder)))
        elif action.gives_back is None or action.key not in taken:
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
        told = f"Another item has the same {fields}: {' / '.join(holder or ('unknown',))}."
        return UniqueViolation(told, unique.fields, holder)

    def taking_from(holder: AttributeValue) -> TransactAction:
        return put_action(context, table, sentinel, free | equals(HOLDER, holder), explain)

    return evolve(put_action(context, table, sentinel, free, explain), taking_from=taking_from)


def _release_sentinel(context: OperationContext, table: Table, key: KeyText, sentinel: Item) -> TransactAction:
    mine = absent(table.pk) | equals(HOLDER, sentinel[HOLDER])
    return evolve(
        delete_action(context, table, sentinel, mine, lambda _: SentinelTakenOver(key)), gives_back=sentinel[HOLDER]
    )


MAX_ACTIONS = 100
MAX_BYTES = 4 * 1024 * 1024


def transaction_size(actions: list[TransactAction]) -> int:
    return sum(
        size_of_item(action.request.get("Item") or action.request["Key"]) + _values(action) for action in actions
    )


def _values(action: TransactAction) -> int:
    return size_of_item(action.request.get("ExpressionAttributeValues", {}))


def fits_one_transaction(actions: list[TransactAction]) -> bool:
    return len(actions) <= MAX_ACTIONS and (len(actions) == 1 or transaction_size(actions) <= MAX_BYTES)


def check_transaction(actions: list[TransactAction]) -> None:
    """Refuse what the service would refuse, in a sentence that says what to do."""
    if len(actions) > MAX_ACTIONS:
        raise TransactionTooLarge(
            f"This transaction needs {len(actions)} actions and the service allows {MAX_ACTIONS}; split it."
        )
    size = transaction_size(actions)
    if size > MAX_BYTES:
        raise TransactionTooLarge(
            f"This transaction has {size:,} bytes and the service allows {MAX_BYTES:,}; split it."
        )
    seen = set()
    for action in actions:
        place = (action.request["TableName"], action.key)
        if place in seen:
            raise InputError(f"One transaction can touch an item once; {' / '.join(action.key)} is touched twice.")
        seen.add(place)
