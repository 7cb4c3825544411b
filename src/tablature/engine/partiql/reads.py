"""Carries out SELECT: a Query per partition that the WHERE clause pins, or else a Scan; then the filter and columns."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from tablature.engine.context import Context, Request, Response
from tablature.engine.errors import validation
from tablature.engine.expressions.bound import Condition
from tablature.engine.expressions.conditions import bind_condition_tree
from tablature.engine.expressions.evaluation import resolve_path
from tablature.engine.expressions.paths import read_path
from tablature.engine.operations.query import run as run_query
from tablature.engine.operations.scan import run as run_scan
from tablature.engine.partiql.cursors import digest_of, read_cursor, write_cursor
from tablature.engine.partiql.statements import Select
from tablature.engine.partiql.where import alternatives, conjuncts, key_test
from tablature.engine.schema import KeyAttribute
from tablature.engine.storage import IndexLayout, Table
from tablature.engine.values import AttributeValue, Item, order_key

_MOST_PARTITIONS = 50


@dataclass(frozen=True, slots=True)
class Reading:
    """A planned SELECT: the native requests that find its rows, in order, and what to make of each row."""

    select: Select
    requests: tuple[Request, ...]
    filter: Condition | None

    def columns(self, item: Item) -> Item:
        """The row as the statement asked for it: a path gives a column named after its last step."""
        if not self.select.paths:
            return item
        row: Item = {}
        for position, node in enumerate(self.select.paths, start=1):
            path = resolve_path(node, {})
            value = read_path(item, path)
            if value is not None:
                row[path[-1] if isinstance(path[-1], str) else f"_{position}"] = value
        return row


def plan_select(context: Context, select: Select, request: Mapping[str, Any]) -> Reading:
    """Check a SELECT against its table and choose how to read it."""
    table = context.table(select.table)
    index = _index_of(table, select, request)
    keys = index.schema.keys if index else table.schema.keys
    condition = bind_condition_tree(select.where, select.values) if select.where else None
    common = _common_request(select, request, condition)
    partitions = _partitions(select, keys[0])
    _check_order(select, keys, partitions)
    if partitions is None:
        return Reading(select, (common,), condition)
    forward = not any(descending for _, descending in select.order)
    if select.order and all(keys[0].type in value for value in partitions):
        partitions = sorted(partitions, key=order_key, reverse=not forward)
    common["ScanIndexForward"] = forward
    return Reading(select, tuple(_with_key(common, select, keys, value) for value in partitions), condition)


def _index_of(table: Table, select: Select, request: Mapping[str, Any]) -> IndexLayout | None:
    if select.index is None:
        return None
    index = table.by_index_name.get(select.index)
    if index is None:
        raise validation("The table does not have the specified index")
    if index.schema.is_global and request.get("ConsistentRead"):
        raise validation("Strongly consistent read is not supported on Global Secondary Indexes")
    return index


def _common_request(select: Select, request: Mapping[str, Any], condition: Condition | None) -> Request:
    common: Request = {"TableName": select.table}
    for name in ("ConsistentRead", "ReturnConsumedCapacity"):
        if request.get(name) is not None:
            common[name] = request[name]
    if select.index is not None:
        common["IndexName"] = select.index
        if select.paths:
            # Names everything the statement touches, so that an index is refused, or reaches back, as it must.
            used = {str(path.parts[0]) for path in select.paths} | (condition.used.names if condition else frozenset())
            names = {f"#c{position}": name for position, name in enumerate(sorted(used))}
            common["ProjectionExpression"] = ", ".join(names)
            common["ExpressionAttributeNames"] = names
    return common


def _partitions(select: Select, key: KeyAttribute) -> list[AttributeValue] | None:
    """The partitions that the WHERE clause confines the rows to."""
    for condition in conjuncts(select.where):
        found = alternatives(condition, key.name, select.values)
        if found is not None:
            unique = list({msgspec.json.encode(value): value for value in found}.values())
            if len(unique) > _MOST_PARTITIONS:
                raise validation(
                    f"The IN operator is provided with too many operands; number of operands: {len(unique)}"
                )
            return unique
    return None


def _check_order(select: Select, keys: tuple[KeyAttribute, ...], partitions: list[AttributeValue] | None) -> None:
    if not select.order:
        return
    if select.where is None:
        raise validation("Must have WHERE clause in the statement when using ORDER BY clause.")
    if partitions is None:
        raise validation(
            "Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause."
        )
    names = {key.name for key in keys}
    for name, _ in select.order:
        if name not in names:
            raise validation(f"Variable reference {name} in ORDER BY clause must be part of the primary key")


def _with_key(common: Request, select: Select, keys: tuple[KeyAttribute, ...], partition: AttributeValue) -> Request:
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
        "ExpressionAttributeNames": {**common.get("ExpressionAttributeNames", {}), **names},
    }


_RANGE_CLAUSES = {"BETWEEN": "#r BETWEEN :r0 AND :r1", "begins_with": "begins_with(#r, :r0)"}


def run_select(context: Context, reading: Reading, request: Mapping[str, Any]) -> Response:
    """Read a page of rows, going on where the token of an earlier page left off."""
    digest = digest_of(request)
    position, start = read_cursor(request.get("NextToken"), digest)
    pages = _Pages(context, reading, position, start)
    items = list(pages.rows(request.get("Limit")))
    response: Response = {"Items": items}
    if pages.start is not None or pages.position < len(reading.requests):
        response["NextToken"] = write_cursor(digest, pages.position, pages.start)
    if pages.start is not None:
        response["LastEvaluatedKey"] = pages.start
    if pages.capacity:
        response["ConsumedCapacity"] = pages.capacity
    return response


class _Pages:
    """Walks the native requests of a reading, remembering where it stopped and what it was charged."""

    def __init__(self, context: Context, reading: Reading, position: int, start: Item | None) -> None:
        self.context = context
        self.reading = reading
        self.position = position
        self.start = start
        self.capacity: dict[str, Any] = {}

    def rows(self, limit: int | None) -> Iterator[Item]:
        left = limit
        while self.position < len(self.reading.requests):
            page = self._next_page(left)
            for item in page["Items"]:
                if self.reading.filter is None or self.reading.filter(item):
                    yield self.reading.columns(item)
            self.start = page.get("LastEvaluatedKey")
            if left is not None:
                left -= page["ScannedCount"]
            if self.start is not None:
                return
            self.position += 1
            if left is not None and left <= 0:
                return

    def _next_page(self, limit: int | None) -> Response:
        request = dict(self.reading.requests[self.position])
        if limit is not None:
            request["Limit"] = limit
        if self.start is not None:
            request["ExclusiveStartKey"] = self.start
        read = run_query if "KeyConditionExpression" in request else run_scan
        page: Response = read(self.context, request)
        self.capacity = add_capacity(self.capacity, page.get("ConsumedCapacity"))
        return page


def add_capacity(total: dict[str, Any], more: Mapping[str, Any] | None) -> dict[str, Any]:
    """The sum of two ConsumedCapacity, unit by unit."""
    summed = dict(total)
    for name, value in (more or {}).items():
        if isinstance(value, Mapping):
            summed[name] = add_capacity(summed.get(name, {}), value)
        else:
            summed[name] = value if isinstance(value, str) else summed.get(name, 0) + value
    return summed


def refuse_partial_key(select: Select, table: Table, operation: str) -> None:
    """Refuse a SELECT that may match more than one item where only single items can be read."""
    pinned = {
        test[0]
        for condition in conjuncts(select.where)
        if (test := key_test(condition, select.values)) is not None and test[1] == "="
    }
    if select.index is not None or not pinned.issuperset(table.key_names):
        raise validation(f"Select statements within {operation} must specify the primary key in the where clause.")
