"""Prepares INSERT, UPDATE, DELETE and EXISTS as the actions that the native writes use."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tablature.engine.actions import Action, Put, check_action, delete_action, edit_action, put_action
from tablature.engine.clauses import Clauses
from tablature.engine.context import Context
from tablature.engine.errors import ServiceError, validation
from tablature.engine.expressions.conditions import bind_condition_tree
from tablature.engine.expressions.nodes import (
    ActionNode,
    AdjustNode,
    CallNode,
    ConditionNode,
    JunctionNode,
    PathNode,
    RemoveNode,
    UpdateTree,
)
from tablature.engine.expressions.updates import bind_update_tree
from tablature.engine.item_rules import check_item_size
from tablature.engine.partiql.statements import Delete, Exists, Insert, Update
from tablature.engine.partiql.where import doubly_pinned, joined, pinned_key
from tablature.engine.storage import Stored, Table
from tablature.engine.values import Item

Write = Insert | Update | Delete | Exists


class InsertAction(Put):
    """A put that is refused when an item with its key exists."""

    __slots__ = ()

    def require_condition(self, old: Stored | None) -> None:
        if old is not None:
            fields = {"Item": old.item} if self.shows_stored_item else {}
            raise ServiceError("DuplicateItemException", "Duplicate primary key exists in table", **fields)


@dataclass(frozen=True, slots=True)
class BoundWrite:
    """A write whose own parts are sound, not yet held against the keys of its table."""

    table: Table
    subject: Item
    clauses: Clauses
    action: Callable[[Table, Item, Clauses, Mapping[str, Any]], Action]

    def prepare(self, request: Mapping[str, Any]) -> Action:
        """The action to run; `request` says whether a failed condition shows the stored item."""
        return self.action(self.table, self.subject, self.clauses, request)


def bind_write(context: Context, write: Write) -> BoundWrite:
    """Bind a statement to its table; keys that its WHERE clause leaves open are found when it is prepared."""
    table = context.table(write.table)
    if isinstance(write, Insert):
        return BoundWrite(table, write.item, Clauses(), _insert_action)
    if isinstance(write, Exists):
        return _bind_check(table, write)
    key, rest = pinned_key(write.where, write.values, table.key_names)
    other = joined(rest)
    if isinstance(write, Delete):
        # An item that isn't there fails no condition.
        condition = bind_condition_tree(JunctionNode("OR", (_is_absent(table), other)), write.values) if other else None
        return BoundWrite(table, key, Clauses(condition=condition), delete_action)
    update = bind_update_tree(UpdateTree(write.actions, tuple(map(_section_of, write.actions)), 0), write.values)
    present = _is_present(table)
    condition = bind_condition_tree(JunctionNode("AND", (present, other)) if other else present, write.values)
    return BoundWrite(table, key, Clauses(condition=condition, update=update), edit_action)


def prepare_single_write(context: Context, write: Write, request: Mapping[str, Any]) -> Action:
    """The action of a statement that stands by itself, whose WHERE clause must pin one item."""
    if isinstance(write, Exists):
        raise validation("EXISTS can only be used in ExecuteTransaction write requests.")
    if isinstance(write, Update | Delete):
        _refuse_open_key(context.table(write.table), write)
    return bind_write(context, write).prepare(request)


def _refuse_open_key(table: Table, write: Update | Delete) -> None:
    twice = doubly_pinned(write.where, write.values, table.key_names)
    if twice is not None:
        raise validation(
            f"Multiple conditions on same key {twice}. Only single item Update/Insert/Delete are supported"
        )
    key, _ = pinned_key(write.where, write.values, table.key_names)
    if len(key) != len(table.key_names):
        raise validation("Where clause does not contain a mandatory equality on all key attributes")


def _insert_action(table: Table, item: Item, clauses: Clauses, request: Mapping[str, Any]) -> Action:
    check_item_size(item)
    put = put_action(table, item, clauses, request)
    return InsertAction(put.table, put.key, put.attributes, None, put.shows_stored_item)


def _bind_check(table: Table, exists: Exists) -> BoundWrite:
    select = exists.select
    key, rest = pinned_key(select.where, select.values, table.key_names)
    condition = joined(rest)
    if select.index is not None or len(key) != len(table.key_names) or condition is None:
        raise validation("EXISTS() must contain a single item read with additional condition")
    clauses = Clauses(condition=bind_condition_tree(condition, select.values))
    return BoundWrite(table, key, clauses, check_action)


def _section_of(action: ActionNode) -> str:
    if isinstance(action, AdjustNode):
        return action.action
    return "REMOVE" if isinstance(action, RemoveNode) else "SET"


def _is_present(table: Table) -> ConditionNode:
    return CallNode("attribute_exists", (PathNode((table.hash_name,)),))


def _is_absent(table: Table) -> ConditionNode:
    return CallNode("attribute_not_exists", (PathNode((table.hash_name,)),))
