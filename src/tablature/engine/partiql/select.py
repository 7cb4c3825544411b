"""Runs planned SELECT statements page by page. A NextToken is bound to its statement and parameters."""

import base64
import binascii
import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from tablature.engine.context import EngineContext, Response
from tablature.engine.encoding.values import Item
from tablature.engine.errors import validation_error
from tablature.engine.operations.query import run_query
from tablature.engine.operations.scan import run_scan
from tablature.engine.partiql.select_plan import SelectPlan
from tablature.engine.partiql.statements import SelectStatement
from tablature.engine.partiql.where_keys import split_key
from tablature.engine.storage import StoredTable


def statement_digest(request: Mapping[str, Any]) -> str:
    """A hash that binds a token to its statement and parameters."""
    statement = [request.get("Statement"), request.get("Parameters")]
    return hashlib.sha256(msgspec.json.encode(statement)).hexdigest()[:16]


def write_cursor(digest: str, position: int, start: Item | None) -> str:
    """A token that continues with the request at `position`, after the key `start`."""
    return base64.urlsafe_b64encode(msgspec.json.encode((digest, position, start))).decode()


def read_cursor(token: str | None, digest: str) -> tuple[int, Item | None]:
    """The position to continue from; the beginning if there is no token."""
    if token is None:
        return 0, None
    try:
        body = base64.urlsafe_b64decode(token)
        issued_for, position, start = msgspec.json.decode(body, type=tuple[str, int, Item | None])
    except (binascii.Error, ValueError, msgspec.MsgspecError) as error:
        raise validation_error("Invalid NextToken") from error
    if issued_for != digest or position < 0:
        raise validation_error("NextToken does not match request")
    return position, start


def run_select(context: EngineContext, reading: SelectPlan, request: Mapping[str, Any]) -> Response:
    """Read a page of rows, continuing from the request's token."""
    digest = statement_digest(request)
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
    """Runs the native requests of a plan, and keeps the position and the consumed capacity."""

    def __init__(self, context: EngineContext, reading: SelectPlan, position: int, start: Item | None) -> None:
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


def reject_partial_key(select: SelectStatement, table: StoredTable, operation: str) -> None:
    """Reject a SELECT that may match more than one item."""
    pinned, _ = split_key(select.where, select.values, table.key_names)
    if select.index is not None or len(pinned) != len(table.key_names):
        raise validation_error(
            f"Select statements within {operation} must specify the primary key in the where clause."
        )
