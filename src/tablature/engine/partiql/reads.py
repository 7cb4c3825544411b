"""Carries out planned SELECTs, a page at a time."""

from collections.abc import Iterator, Mapping
from typing import Any

from tablature.engine.context import Context, Response
from tablature.engine.errors import validation
from tablature.engine.operations.query import run as run_query
from tablature.engine.operations.scan import run as run_scan
from tablature.engine.partiql.cursors import digest_of, read_cursor, write_cursor
from tablature.engine.partiql.planning import Reading
from tablature.engine.partiql.statements import Select
from tablature.engine.partiql.where import pinned_key
from tablature.engine.storage import Table
from tablature.engine.values import Item


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
                if self.reading.matches(item):
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
    pinned, _ = pinned_key(select.where, select.values, table.key_names)
    if select.index is not None or len(pinned) != len(table.key_names):
        raise validation(f"Select statements within {operation} must specify the primary key in the where clause.")
