"""Prepares INSERT, UPDATE, DELETE and EXISTS as item actions, and reads what RETURNING asks for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tablature.engine.context import EngineContext
from tablature.engine.encoding.values import Item
from tablature.engine.errors import EngineError, validation_error
from tablature.engine.expressions.conditions import bind_condition_tree
from tablature.engine.expressions.syntax_tree import (
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
from tablature.engine.partiql.statements import DeleteStatement, ExistsStatement, InsertStatement, UpdateStatement
from tablature.engine.partiql.where_keys import conflicting_key, join_conditions, split_key
from tablature.engine.storage import ItemChange, StoredItem, StoredTable
from tablature.engine.validation.item_rules import check_item_size
from tablature.engine.validation.request_expressions import RequestExpressions
from tablature.engine.writes.actions import (
    ItemAction,
    PutAction,
    UpdateAction,
    prepare_check,
    prepare_delete,
    prepare_put,
    prepare_update,
)

WriteStatement = InsertStatement | UpdateStatement | DeleteStatement | ExistsStatement


def returned_item(write: WriteStatement, action: ItemAction, change: ItemChange) -> Item | None:
    """The requested image of the written item, or its changed parts; None if nothing was requested or stored."""
    if not isinstance(write, UpdateStatement | DeleteStatement) or write.returning is None:
        return None
    image = change.old if write.returning.endswith("OLD") else change.new
    if image is None:
        return None
    if write.returning.startswith("UPDATED") and isinstance(action, UpdateAction) and action.update is not None:
        return action.update.touched(image.item) or None
    return image.item


class InsertAction(PutAction):
    """A put that is refused when an item with its key exists."""

    __slots__ = ()

    def require_condition(self, old: StoredItem | None) -> None:
        if old is not None:
            fields = {"Item": old.item} if self.shows_stored_item else {}
            raise EngineError("DuplicateItemException", "Duplicate primary key exists in table", **fields)


@dataclass(frozen=True, slots=True)
class BoundWrite:
    """A parsed write, not yet checked against the keys of its table."""

    table: StoredTable
    subject: Item
    expressions: RequestExpressions
    action: Callable[[StoredTable, Item, RequestExpressions, Mapping[str, Any]], ItemAction]

    def prepare(self, request: Mapping[str, Any]) -> ItemAction:
        """The action to run. `request` says whether a failed condition returns the stored item."""
        return self.action(self.table, self.subject, self.expressions, request)


def bind_write(context: EngineContext, write: WriteStatement) -> BoundWrite:
    """Bind a statement to its table. Missing keys in its WHERE clause are detected when it is prepared."""
    table = context.table(write.table)
    if isinstance(write, InsertStatement):
        return BoundWrite(table, write.item, RequestExpressions(), _insert_action)
    if isinstance(write, ExistsStatement):
        return _bind_check(table, write)
    key, rest = split_key(write.where, write.values, table.key_names)
    other = join_conditions(rest)
    if isinstance(write, DeleteStatement):
        # A missing item fails no condition.
        condition = bind_condition_tree(JunctionNode("OR", (_is_absent(table), other)), write.values) if other else None
        return BoundWrite(table, key, RequestExpressions(condition=condition), prepare_delete)
    update = bind_update_tree(UpdateTree(write.actions, tuple(map(_update_section, write.actions)), 0), write.values)
    present = CallNode("attribute_exists", (PathNode((table.hash_name,)),))
    condition = bind_condition_tree(JunctionNode("AND", (present, other)) if other else present, write.values)
    return BoundWrite(table, key, RequestExpressions(condition=condition, update=update), prepare_update)


def prepare_single_write(context: EngineContext, write: WriteStatement, request: Mapping[str, Any]) -> ItemAction:
    """The action of a single statement. Raises unless its WHERE clause determines one item."""
    if isinstance(write, ExistsStatement):
        raise validation_error("EXISTS can only be used in ExecuteTransaction write requests.")
    if isinstance(write, UpdateStatement | DeleteStatement):
        _reject_open_key(context.table(write.table), write)
    return bind_write(context, write).prepare(request)


def _reject_open_key(table: StoredTable, write: UpdateStatement | DeleteStatement) -> None:
    twice = conflicting_key(write.where, write.values, table.key_names)
    if twice is not None:
        raise validation_error(
            f"Multiple conditions on same key {twice}. Only single item Update/Insert/Delete are supported"
        )
    key, _ = split_key(write.where, write.values, table.key_names)
    if len(key) != len(table.key_names):
        raise validation_error("Where clause does not contain a mandatory equality on all key attributes")


def _insert_action(
    table: StoredTable, item: Item, expressions: RequestExpressions, request: Mapping[str, Any]
) -> ItemAction:
    check_item_size(item)
    put = prepare_put(table, item, expressions, request)
    return InsertAction(put.table, put.key, put.attributes, None, put.shows_stored_item)


def _bind_check(table: StoredTable, exists: ExistsStatement) -> BoundWrite:
    select = exists.select
    key, rest = split_key(select.where, select.values, table.key_names)
    condition = join_conditions(rest)
    if select.index is not None or len(key) != len(table.key_names) or condition is None:
        raise validation_error("EXISTS() must contain a single item read with additional condition")
    expressions = RequestExpressions(condition=bind_condition_tree(condition, select.values))
    return BoundWrite(table, key, expressions, prepare_check)


def _update_section(action: ActionNode) -> str:
    if isinstance(action, AdjustNode):
        return action.action
    return "REMOVE" if isinstance(action, RemoveNode) else "SET"


def _is_absent(table: StoredTable) -> ConditionNode:
    return CallNode("attribute_not_exists", (PathNode((table.hash_name,)),))
