"""The actions that a write amounts to: one on the item itself, and one for each copy and sentinel that changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeVar

from tablature.errors import TablatureError, UniqueViolation
from tablature.expressions.builder import Expressions
from tablature.expressions.conditions import Comparison, Condition, absent, equals
from tablature.operations.context import Context
from tablature.operations.copies import HOLDER, UNTIL, KeyText, holder_of, key_of, key_text
from tablature.records import changed, record
from tablature.schema.model import EntitySchema, Table, UniqueSchema
from tablature.wire import AttributeValue, Item, Request

T = TypeVar("T")
Kind = Literal["Put", "Update", "Delete", "ConditionCheck"]


@record
class Stale:
    """The write was planned on old values; plan it again on this item."""

    current: Item | None


@record
class NotMine:
    """A sentinel was taken over after its window; plan again without touching it."""

    key: KeyText


Refusal = TablatureError | Stale | NotMine


@record
class Action:
    """One action of a transaction, and what it means when its condition is false.

    `gives_back` is the holder that a sentinel is given back by; `taking_from` makes the action that takes a sentinel
    from a holder who gives it back in the same transaction."""

    kind: Kind
    request: Request
    key: KeyText
    explain: Callable[[Item | None], Refusal]
    gives_back: AttributeValue | None = None
    taking_from: Callable[[AttributeValue], Action] | None = None


def put_action(
    context: Context, table: Table, item: Item, condition: Condition | None, explain: Callable[[Item | None], Refusal]
) -> Action:
    request: Request = {"TableName": context.physical(table), "Item": item}
    return Action("Put", conditioned(request, condition), key_text(table, item), explain)


def delete_action(
    context: Context, table: Table, key: Item, condition: Condition | None, explain: Callable[[Item | None], Refusal]
) -> Action:
    request: Request = {"TableName": context.physical(table), "Key": key_of(table, key)}
    return Action("Delete", conditioned(request, condition), key_text(table, key), explain)


def conditioned(request: Request, condition: Condition | None, expressions: Expressions | None = None) -> Request:
    """Add the condition, and ask for the current item where it is false."""
    expressions = expressions or Expressions()
    text = None if condition is None else condition.render(expressions)
    if text:
        request["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
    return expressions.into(request, ConditionExpression=text)


def unconditional(item: Item | None) -> Refusal:
    return TablatureError(f"An action without a condition was refused over {item}.")


def copy_actions(
    context: Context, schema: EntitySchema, old: dict[KeyText, Item], new: dict[KeyText, Item]
) -> list[Action]:
    """Write the copies that are new or changed, and remove those that are no longer implied."""
    table = schema.table
    puts = [put_action(context, table, copy, None, unconditional) for key, copy in new.items() if old.get(key) != copy]
    gone = [delete_action(context, table, copy, None, unconditional) for key, copy in old.items() if key not in new]
    return puts + gone


def sentinel_actions(
    context: Context,
    schema: EntitySchema,
    old: dict[KeyText, tuple[UniqueSchema, Item]],
    new: dict[KeyText, tuple[UniqueSchema, Item]],
    not_mine: frozenset[KeyText],
) -> list[Action]:
    """Take the values that are new, hold on to those whose item lives for another time now, and give back those that
    are no longer held. A window begins when its value is taken, whatever becomes of the item."""
    table = schema.table
    taken = [_take(context, schema, *new[key]) for key in new if key not in old or _lives_otherwise(old[key], new[key])]
    given = [_give_back(context, table, key, old[key][1]) for key in old if key not in new and key not in not_mine]
    return taken + given


def passed_on(owned: list[tuple[T, Action]]) -> list[tuple[T, Action]]:
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


def _lives_otherwise(old: tuple[UniqueSchema, Item], new: tuple[UniqueSchema, Item]) -> bool:
    return new[0].window is None and old[1].get(UNTIL) != new[1].get(UNTIL)


def _take(context: Context, schema: EntitySchema, unique: UniqueSchema, sentinel: Item) -> Action:
    table = schema.table
    free: Condition = absent(table.pk) | equals(HOLDER, sentinel[HOLDER])
    if unique.window is not None or schema.expires is not None:
        free = free | Comparison((UNTIL,), "<=", {"N": str(context.epoch())})
    fields = " and ".join(unique.fields)

    def explain(item: Item | None) -> Refusal:
        holder = holder_of(item)
        told = f"Another item has the same {fields}: {' / '.join(holder or ('unknown',))}."
        return UniqueViolation(told, unique.fields, holder)

    def taking_from(holder: AttributeValue) -> Action:
        return put_action(context, table, sentinel, free | equals(HOLDER, holder), explain)

    return changed(put_action(context, table, sentinel, free, explain), taking_from=taking_from)


def _give_back(context: Context, table: Table, key: KeyText, sentinel: Item) -> Action:
    mine = absent(table.pk) | equals(HOLDER, sentinel[HOLDER])
    return changed(delete_action(context, table, sentinel, mine, lambda _: NotMine(key)), gives_back=sentinel[HOLDER])
