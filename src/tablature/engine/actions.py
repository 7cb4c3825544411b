"""Writes of single items, prepared against a table and ready to run in a transaction: alone, in batches, together."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tablature.engine.clauses import Clauses
from tablature.engine.errors import condition_failed, invalid_parameter, validation
from tablature.engine.expressions.bound import Condition, Update
from tablature.engine.expressions.paths import Path
from tablature.engine.item_rules import NO_CLAUSES, check_written_depth
from tablature.engine.key_rules import (
    check_item_keys,
    check_key,
    check_updated_index_keys,
)
from tablature.engine.keys import ItemKey
from tablature.engine.schema import TableSchema
from tablature.engine.storage import Change, Stored, Table, Transaction
from tablature.engine.values import LARGEST_ITEM, Item, item_size, may_be_large

_UPDATE_OVERHEAD = 3
_SET_OVERHEAD = 19
_REMOVE_OVERHEAD = 2


@dataclass(slots=True)
class Action:
    """A write of one item: read what is stored, test the condition, work out the new item, write it."""

    table: Table
    key: ItemKey
    attributes: Item
    condition: Condition | None = None
    shows_stored_item: bool = False

    def run(self, transaction: Transaction) -> Change:
        """Carry the action out; refused conditions and updates raise and leave nothing behind."""
        transaction.require_current(self.table)
        old = transaction.get(self.table, self.key)
        self.require_condition(old)
        return self.change(transaction, old)

    def change(self, transaction: Transaction, old: Stored | None) -> Change:
        """Write the new item, or delete the old one."""
        return transaction.write(self.table, self.key, old, self.new_item(old))

    def new_item(self, old: Stored | None) -> Item | None:
        """What will be stored in place of the old item."""
        raise NotImplementedError

    def require_condition(self, old: Stored | None) -> None:
        if self.condition is not None and not self.condition(old.item if old else {}):
            raise condition_failed(old.item if old and self.shows_stored_item else None)


class Put(Action):
    """Stores a whole item; `attributes` is the item."""

    __slots__ = ()

    def new_item(self, old: Stored | None) -> Item | None:  # noqa: ARG002 -- a put replaces whatever is there
        return self.attributes


class Delete(Action):
    """Removes an item."""

    __slots__ = ()

    def new_item(self, old: Stored | None) -> Item | None:  # noqa: ARG002 -- a delete removes whatever is there
        return None


class Check(Action):
    """Only tests its condition."""

    __slots__ = ()

    def change(self, transaction: Transaction, old: Stored | None) -> Change:  # noqa: ARG002 -- nothing is written
        return Change(self.table, old, old)


@dataclass(slots=True)
class Edit(Action):
    """Updates an item in place, creating it when the update says what to store."""

    update: Update | None = None
    measures_actions: bool = False

    def new_item(self, old: Stored | None) -> Item | None:
        update = self.update
        if update is None:
            return old.item if old else self.attributes
        if old is None and not update.creates:
            # Still applied, so that a path that leads nowhere is refused.
            update.apply(self.attributes)
            return None
        item = update.apply(old.item if old else self.attributes)
        if self.table.indexes:
            check_updated_index_keys(self.table.schema, item, old.item if old else {})
        check_written_depth(item, update.written.names)
        self._check_size(update, item)
        return item

    def _check_size(self, update: Update, item: Item) -> None:
        """Beside the item, UpdateItem measures what it writes, with a charge for each action."""
        if not may_be_large(item, LARGEST_ITEM // 2):
            return
        charges = _UPDATE_OVERHEAD + sum(_action_overhead(path, item) for path in update.written.paths)
        written = item_size({name: item[name] for name in update.written.names if name in item})
        if item_size(item) > LARGEST_ITEM or (self.measures_actions and written + charges > LARGEST_ITEM):
            raise validation("Item size to update has exceeded the maximum allowed size")


def _action_overhead(path: Path, item: Item) -> int:
    if path[0] not in item:
        return _REMOVE_OVERHEAD
    return _SET_OVERHEAD + (isinstance(path[-1], int))


def put_action(table: Table, item: Item, clauses: Clauses, request: Mapping[str, Any]) -> Put:
    """Prepare a put of an item already in normal form."""
    check_item_keys(table.schema, item)
    refuse_nested_keys(table.schema, clauses)
    return Put(table, table.key_of(item), item, clauses.condition, shows_stored_item(request))


def delete_action(table: Table, key: Item, clauses: Clauses, request: Mapping[str, Any]) -> Delete:
    """Prepare a delete by a key already in normal form."""
    check_key(table.schema, key)
    refuse_nested_keys(table.schema, clauses)
    return Delete(table, table.key_of(key), key, clauses.condition, shows_stored_item(request))


def check_action(table: Table, key: Item, clauses: Clauses, request: Mapping[str, Any]) -> Check:
    """Prepare a condition check."""
    check_key(table.schema, key)
    refuse_nested_keys(table.schema, clauses)
    return Check(table, table.key_of(key), key, clauses.condition, shows_stored_item(request))


def edit_action(
    table: Table, key: Item, clauses: Clauses, request: Mapping[str, Any], *, measures_actions: bool = False
) -> Edit:
    """Prepare an update by a key already in normal form; only UpdateItem itself measures its actions."""
    check_key(table.schema, key)
    update = clauses.update
    if update is not None:
        update.refuse_key_attributes(table.key_names)
        if "AttributeUpdates" in request:
            _refuse_unsupported_index_keys(table.schema, update)
    refuse_nested_keys(table.schema, clauses)
    return Edit(table, table.key_of(key), key, clauses.condition, shows_stored_item(request), update, measures_actions)


def _refuse_unsupported_index_keys(schema: TableSchema, update: Update) -> None:
    for name, kind in schema.index_key_types.items():
        if update.types.get(name, kind) != kind:
            raise invalid_parameter("Type mismatch for attribute to update")


def refuse_nested_keys(schema: TableSchema, clauses: Clauses) -> None:
    """Refuse document paths that reach inside key attributes."""
    if clauses is NO_CLAUSES:
        return
    for clause in (clauses.projection, clauses.condition, clauses.update, clauses.filter):
        if clause is not None:
            clause.used.refuse_nested_keys([key.name for key in schema.keys], schema.index_key_types)


def shows_stored_item(request: Mapping[str, Any]) -> bool:
    return request.get("ReturnValuesOnConditionCheckFailure") == "ALL_OLD"
