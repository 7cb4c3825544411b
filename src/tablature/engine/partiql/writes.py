"""Prepares INSERT, UPDATE, DELETE and EXISTS as the actions that the native writes use."""

from collections.abc import Mapping
from typing import Any

from tablature.engine.actions import Action, Put, check_action, delete_action, edit_action, put_action
from tablature.engine.clauses import Clauses
from tablature.engine.context import Context
from tablature.engine.errors import ServiceError, validation
from tablature.engine.expressions.conditions import bind_condition_tree
from tablature.engine.expressions.nodes import (
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
from tablature.engine.partiql.where import Values, joined, pinned_key
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


def prepare_write(context: Context, write: Write, request: Mapping[str, Any]) -> Action:
    """The action of a statement; `request` says whether a failed condition shows the stored item."""
    table = context.table(write.table)
    if isinstance(write, Insert):
        return _prepare_insert(table, write, request)
    if isinstance(write, Update):
        return _prepare_update(table, write, request)
    if isinstance(write, Delete):
        key, rest = _whole_key(table, write.where, write.values)
        condition = _any_of(_is_absent(table), rest) if rest is not None else None
        clauses = Clauses(condition=bind_condition_tree(condition, write.values) if condition else None)
        return delete_action(table, key, clauses, request)
    return _prepare_check(table, write, request)


def _prepare_insert(table: Table, insert: Insert, request: Mapping[str, Any]) -> Action:
    check_item_size(insert.item)
    put = put_action(table, insert.item, Clauses(), request)
    return InsertAction(put.table, put.key, put.attributes, None, put.shows_stored_item)


def _prepare_update(table: Table, update: Update, request: Mapping[str, Any]) -> Action:
    key, rest = _whole_key(table, update.where, update.values)
    bound = bind_update_tree(UpdateTree(update.actions, tuple(map(_section_of, update.actions)), 0), update.values)
    condition = bind_condition_tree(_all_of(_is_present(table), rest), update.values)
    return edit_action(table, key, Clauses(condition=condition, update=bound), request)


def _section_of(action: object) -> str:
    if isinstance(action, AdjustNode):
        return action.action
    return "REMOVE" if isinstance(action, RemoveNode) else "SET"


def _prepare_check(table: Table, exists: Exists, request: Mapping[str, Any]) -> Action:
    select = exists.select
    key, rest = pinned_key(select.where, select.values, table.key_names)
    if select.index is not None or len(key) != len(table.key_names):
        raise validation("EXISTS() must specify the primary key in the where clause.")
    condition = bind_condition_tree(_all_of(_is_present(table), joined(rest)), select.values)
    return check_action(table, key, Clauses(condition=condition), request)


def _whole_key(table: Table, where: ConditionNode | None, values: Values) -> tuple[Item, ConditionNode | None]:
    key, rest = pinned_key(where, values, table.key_names)
    if len(key) != len(table.key_names):
        raise validation("Where clause does not contain a mandatory equality on all key attributes")
    return {name: key[name] for name in table.key_names}, joined(rest)


def _is_present(table: Table) -> ConditionNode:
    return CallNode("attribute_exists", (PathNode((table.hash_name,)),))


def _is_absent(table: Table) -> ConditionNode:
    return CallNode("attribute_not_exists", (PathNode((table.hash_name,)),))


def _all_of(first: ConditionNode, second: ConditionNode | None) -> ConditionNode:
    return first if second is None else JunctionNode("AND", (first, second))


def _any_of(first: ConditionNode, second: ConditionNode) -> ConditionNode:
    return JunctionNode("OR", (first, second))
