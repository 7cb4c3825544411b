"""Plans a SELECT: a Query per partition that the WHERE clause determines, or a Scan."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from tablature.engine.context import EngineContext, Request
from tablature.engine.encoding.values import AttributeValue, Item, kind_of, order_key
from tablature.engine.errors import invalid_parameter, validation_error
from tablature.engine.expressions.bound_expressions import BoundCondition
from tablature.engine.expressions.conditions import bind_condition_tree
from tablature.engine.expressions.evaluation import resolve_path
from tablature.engine.expressions.paths import Path, read_path
from tablature.engine.partiql.statements import SelectStatement
from tablature.engine.partiql.where_keys import allowed_values, conjuncts, key_test
from tablature.engine.schema import KeyAttribute
from tablature.engine.storage import IndexLayout, StoredTable

_MAX_PARTITIONS = 50


@dataclass(frozen=True, slots=True)
class SelectPlan:
    """A planned SELECT: the native requests that find its rows, in order, and the filter for them."""

    select: SelectStatement
    requests: tuple[Request, ...]
    filter: BoundCondition | None
    index: IndexLayout | None = None

    def matches(self, item: Item) -> bool:
        """Whether an item matches the WHERE clause, which sees only projected attributes of an index."""
        if self.filter is None:
            return True
        return self.filter(item if self.index is None else self.index.project(item))

    def columns(self, item: Item) -> Item:
        """The selected columns of an item. The column of a path is named after its last part."""
        if not self.select.paths:
            return item
        row: Item = {}
        for node in self.select.paths:
            path = resolve_path(node, {})
            value = read_path(item, path)
            if value is not None:
                row[_column_name(path)] = value
        return row


def _column_name(path: Path) -> str:
    """The last name in a path, with the list indexes after it."""
    steps = list(path)
    suffix = ""
    while isinstance(steps[-1], int):
        suffix = f"[{steps.pop()}]" + suffix
    return f"{steps[-1]}{suffix}"


def plan_select(context: EngineContext, select: SelectStatement, request: Mapping[str, Any]) -> SelectPlan:
    """Check a SELECT against its table and choose how to read it."""
    table = context.table(select.table)
    index = _find_select_index(table, select, request)
    keys = index.schema.keys if index else table.schema.keys
    condition = bind_condition_tree(select.where, select.values) if select.where else None
    partitions = _partitions(select, keys)
    if index is not None and not index.is_whole:
        _reject_beyond_projection(select, index, condition if partitions is not None else None)
    _check_order(select, keys, partitions)
    common = _common_request(select, request, index)
    if partitions is None:
        return SelectPlan(select, (common,), condition, index)
    forward, partitions = _direction(select, keys, partitions)
    common["ScanIndexForward"] = forward
    requests = tuple(_with_key(common, select, keys, value) for value in partitions)
    return SelectPlan(select, requests, condition, index)


def _find_select_index(table: StoredTable, select: SelectStatement, request: Mapping[str, Any]) -> IndexLayout | None:
    if select.index is None:
        return None
    index = table.by_index_name.get(select.index)
    if index is None:
        raise validation_error("The table does not have the specified index")
    if index.schema.has_joined_keys:
        raise validation_error(
            "PartiQL statements cannot be executed on tables with multi-attribute HASH keys or "
            "multi-attribute RANGE keys."
        )
    if index.schema.is_global and request.get("ConsistentRead"):
        raise validation_error("Strongly consistent read is not supported on Global Secondary Indexes")
    return index


def _reject_beyond_projection(select: SelectStatement, index: IndexLayout, condition: BoundCondition | None) -> None:
    """Reject columns that a global index doesn't carry, and conditions on what the queried index doesn't."""
    lacking = [name for path in select.paths if (name := str(path.parts[0])) not in index.carried]
    if lacking and index.schema.is_global:
        names = ", ".join(dict.fromkeys(lacking))
        raise invalid_parameter(f"Global secondary index {index.schema.name} does not project [{names}]")
    unseen = [name for path in condition.used.paths if (name := str(path[0])) not in index.carried] if condition else []
    if unseen:
        names = ", ".join(dict.fromkeys(unseen))
        raise invalid_parameter(
            f"Secondary index {index.schema.name} does not project one or more filter attributes: [{names}]"
        )


def _common_request(select: SelectStatement, request: Mapping[str, Any], index: IndexLayout | None) -> Request:
    common: Request = {"TableName": select.table}
    for name in ("ConsistentRead", "ReturnConsumedCapacity"):
        if request.get(name) is not None:
            common[name] = request[name]
    if index is not None:
        common["IndexName"] = index.schema.name
        if not index.is_whole and any(path.parts[0] not in index.carried for path in select.paths):
            common["Select"] = "ALL_ATTRIBUTES"
    return common


def _partitions(select: SelectStatement, keys: tuple[KeyAttribute, ...]) -> list[AttributeValue] | None:
    """The partition keys that the WHERE clause allows."""
    for condition in conjuncts(select.where):
        values = allowed_values(condition, keys[0].name, select.values)
        if values is not None:
            _reject_wrong_key_types(select, keys, values)
            if len({msgspec.json.encode(value) for value in values}) < len(values):
                raise validation_error("Overlapping conditions with range keys are not supported in where clause")
            if len(values) > _MAX_PARTITIONS:
                raise validation_error("Too many decomposed read operations for a given query.")
            return values
    return None


def _reject_wrong_key_types(
    select: SelectStatement, keys: tuple[KeyAttribute, ...], partitions: list[AttributeValue]
) -> None:
    tests = [key_test(condition, select.values) for condition in conjuncts(select.where)]
    for key in keys:
        compared = [value for test in tests if test and test[0] == key.name for value in test[2]]
        for value in (*(partitions if key is keys[0] else ()), *compared):
            kind = kind_of(value)
            if kind not in ("S", "N", "B"):
                raise validation_error(f"Key value must be of type S, N, or B. Key name: {key.name}, Key type: {kind}")
            if kind != key.type:
                raise validation_error(
                    f"Key attribute's data type should match its data type in table's schema: Key {key.name}"
                )


def _check_order(
    select: SelectStatement, keys: tuple[KeyAttribute, ...], partitions: list[AttributeValue] | None
) -> None:
    """Reject an ORDER BY that isn't the key order of the partitions read."""
    if not select.order:
        return
    if select.where is None:
        raise validation_error("Must have WHERE clause in the statement when using ORDER BY clause.")
    for name, _ in select.order:
        if name not in {key.name for key in keys}:
            raise validation_error(f"Attribute {name} in ORDER BY clause must be part of the primary key")
    if partitions is None:
        raise validation_error(
            "Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause."
        )
    if len(partitions) > 1 and keys[0].name not in dict(select.order):
        raise validation_error(
            "Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE clause."
        )


def _direction(
    select: SelectStatement, keys: tuple[KeyAttribute, ...], partitions: list[AttributeValue]
) -> tuple[bool, list[AttributeValue]]:
    """Whether partitions are read in ascending order, and the partitions in order.

    Ordered by the partition key alone, the service reads the sort key in descending order.
    """
    if not select.order:
        return True, partitions
    falling = dict(select.order)
    ordered = sorted(partitions, key=order_key, reverse=falling.get(keys[0].name, False))
    return len(keys) == 1 or not falling.get(keys[1].name, True), ordered


def _with_key(
    common: Request, select: SelectStatement, keys: tuple[KeyAttribute, ...], partition: AttributeValue
) -> Request:
    """The request for one partition, with the first condition on the sort key that an index can serve."""
    names, values, text = {"#h": keys[0].name}, {":h": partition}, "#h = :h"
    tests = [key_test(condition, select.values) for condition in conjuncts(select.where)]
    served = next((test for test in tests if test and len(keys) > 1 and test[0] == keys[1].name), None)
    if served is not None:
        name, operator, bounds = served
        names["#r"] = name
        values.update({f":r{position}": bound for position, bound in enumerate(bounds)})
        text += " AND " + _RANGE_CLAUSES.get(operator, f"#r {operator} :r0")
    return {
        **common,
        "KeyConditionExpression": text,
        "ExpressionAttributeValues": values,
        "ExpressionAttributeNames": names,
    }


_RANGE_CLAUSES = {"BETWEEN": "#r BETWEEN :r0 AND :r1", "begins_with": "begins_with(#r, :r0)"}
