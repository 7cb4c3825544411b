"""Writes of single items, checked against their table and ready to run in a transaction."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tablature.engine.encoding.keys import ItemKey
from tablature.engine.encoding.values import LARGEST_ITEM, Item, item_size, may_be_large
from tablature.engine.errors import condition_failed, invalid_parameter, validation_error
from tablature.engine.expressions.bound_expressions import BoundCondition, BoundUpdate
from tablature.engine.expressions.paths import Path
from tablature.engine.schema import TableSchema
from tablature.engine.storage import ItemChange, StoredItem, StoredTable, Transaction
from tablature.engine.validation.item_rules import NO_EXPRESSIONS, check_written_depth
from tablature.engine.validation.key_rules import check_item_keys, check_key, check_updated_index_keys
from tablature.engine.validation.request_expressions import RequestExpressions

_UPDATE_OVERHEAD = 3
_SET_OVERHEAD = 19
_REMOVE_OVERHEAD = 2


@dataclass(slots=True)
class ItemAction:
    """A write of one item: read the stored item, test the condition, compute the new item, write it."""

    table: StoredTable
    key: ItemKey
    attributes: Item
    condition: BoundCondition | None = None
    shows_stored_item: bool = False

    def run(self, transaction: Transaction) -> ItemChange:
        """Run the action. A false condition or an invalid update raises, and nothing is written."""
        transaction.require_current(self.table)
        old = transaction.get(self.table, self.key)
        self.require_condition(old)
        return self.change(transaction, old)

    def change(self, transaction: Transaction, old: StoredItem | None) -> ItemChange:
        """Write the new item, or delete the old one."""
        return transaction.write(self.table, self.key, old, self.new_item(old))

    def new_item(self, old: StoredItem | None) -> Item | None:
        """What will be stored in place of the old item."""
        raise NotImplementedError

    def require_condition(self, old: StoredItem | None) -> None:
        if self.condition is not None and not self.condition(old.item if old else {}):
            raise condition_failed(old.item if old and self.shows_stored_item else None)


class PutAction(ItemAction):
    """Stores a whole item; `attributes` is the item."""

    __slots__ = ()

    def new_item(self, old: StoredItem | None) -> Item | None:  # noqa: ARG002 -- a put replaces whatever is there
        return self.attributes


class DeleteAction(ItemAction):
    """Removes an item."""

    __slots__ = ()

    def new_item(self, old: StoredItem | None) -> Item | None:  # noqa: ARG002 -- a delete removes whatever is there
        return None


class CheckAction(ItemAction):
    """Only tests its condition."""

    __slots__ = ()

    def change(self, transaction: Transaction, old: StoredItem | None) -> ItemChange:  # noqa: ARG002 -- nothing is written
        return ItemChange(self.table, old, old)


@dataclass(slots=True)
class UpdateAction(ItemAction):
    """Updates an item in place, creating it when the update says what to store."""

    update: BoundUpdate | None = None
    measures_actions: bool = False

    def new_item(self, old: StoredItem | None) -> Item | None:
        update = self.update
        if update is None:
            return old.item if old else self.attributes
        if old is None and not update.creates:
            # Still applied, so that an invalid path is rejected.
            update.apply(self.attributes)
            return None
        item = update.apply(old.item if old else self.attributes)
        if self.table.indexes:
            check_updated_index_keys(self.table.schema, item, old.item if old else {})
        check_written_depth(item, update.written.names)
        self._check_size(update, item)
        return item

    def _check_size(self, update: BoundUpdate, item: Item) -> None:
        """Check the item's size. UpdateItem also counts what it writes, with an overhead per action."""
        if not may_be_large(item, LARGEST_ITEM // 2):
            return
        charges = _UPDATE_OVERHEAD + sum(_action_overhead(path, item) for path in update.written.paths)
        written = item_size({name: item[name] for name in update.written.names if name in item})
        if item_size(item) > LARGEST_ITEM or (self.measures_actions and written + charges > LARGEST_ITEM):
            raise validation_error("Item size to update has exceeded the maximum allowed size")


def _action_overhead(path: Path, item: Item) -> int:
    if path[0] not in item:
        return _REMOVE_OVERHEAD
    return _SET_OVERHEAD + (isinstance(path[-1], int))


def prepare_put(
    table: StoredTable, item: Item, expressions: RequestExpressions, request: Mapping[str, Any]
) -> PutAction:
    """Prepare a put of an item already in normal form."""
    check_item_keys(table.schema, item)
    reject_nested_keys(table.schema, expressions)
    return PutAction(table, table.key_of(item), item, expressions.condition, shows_stored_item(request))


def prepare_delete(
    table: StoredTable, key: Item, expressions: RequestExpressions, request: Mapping[str, Any]
) -> DeleteAction:
    """Prepare a delete by a key already in normal form."""
    check_key(table.schema, key)
    reject_nested_keys(table.schema, expressions)
    return DeleteAction(table, table.key_of(key), key, expressions.condition, shows_stored_item(request))


def prepare_check(
    table: StoredTable, key: Item, expressions: RequestExpressions, request: Mapping[str, Any]
) -> CheckAction:
    """Prepare a condition check."""
    check_key(table.schema, key)
    reject_nested_keys(table.schema, expressions)
    return CheckAction(table, table.key_of(key), key, expressions.condition, shows_stored_item(request))


def prepare_update(
    table: StoredTable,
    key: Item,
    expressions: RequestExpressions,
    request: Mapping[str, Any],
    *,
    measures_actions: bool = False,
) -> UpdateAction:
    """Prepare an update by a key already in normal form. Only UpdateItem itself measures its actions."""
    check_key(table.schema, key)
    update = expressions.update
    if update is not None:
        update.reject_key_attributes(table.key_names)
        if "AttributeUpdates" in request:
            _reject_unsupported_index_keys(table.schema, update)
    reject_nested_keys(table.schema, expressions)
    return UpdateAction(
        table, table.key_of(key), key, expressions.condition, shows_stored_item(request), update, measures_actions
    )


def _reject_unsupported_index_keys(schema: TableSchema, update: BoundUpdate) -> None:
    for name, kind in schema.index_key_types.items():
        if update.types.get(name, kind) != kind:
            raise invalid_parameter("Type mismatch for attribute to update")


def reject_nested_keys(schema: TableSchema, expressions: RequestExpressions) -> None:
    """Reject document paths that reach inside key attributes."""
    if expressions is NO_EXPRESSIONS:
        return
    for clause in (expressions.projection, expressions.condition, expressions.update, expressions.filter):
        if clause is not None:
            clause.used.reject_nested_keys([key.name for key in schema.keys], schema.index_key_types)


def shows_stored_item(request: Mapping[str, Any]) -> bool:
    return request.get("ReturnValuesOnConditionCheckFailure") == "ALL_OLD"
