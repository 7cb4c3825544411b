"""The effects that operations yield to a runner: a service call, a pause, parallel steps, or object store access."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any, TypeAlias, TypeVar

from tablature.errors import Throttled
from tablature.records import record
from tablature.wire import Item, Request

T = TypeVar("T")
MAX_GETS = 100
MAX_BATCH_ATTEMPTS = 12


class ServiceCall:
    """One request to the service. `name` is the pattern or verb it is charged to."""

    __slots__ = ("name", "operation", "request")

    def __init__(self, name: str, operation: str, request: Request) -> None:
        self.name = name
        self.operation = operation
        self.request = request


@record
class Sleep:
    """A pause before a retry."""

    seconds: float


@record
class Parallel:
    """Independent steps that may run at the same time. Yields the list of their results."""

    steps: tuple[Steps[Any], ...]


@record
class PutObject:
    """Store a large value."""

    key: str
    data: bytes


@record
class GetObject:
    """Load a large value. Yields its bytes."""

    key: str


@record
class DeleteObject:
    """Delete a large value that nothing points to any more."""

    key: str


Effect: TypeAlias = ServiceCall | Sleep | Parallel | PutObject | GetObject | DeleteObject
Steps: TypeAlias = Generator[Effect, Any, T]


def call(name: str, operation: str, request: Request) -> Steps[dict[str, Any]]:
    """Call the service and return its response. Raises ServiceError if it refuses."""
    response: dict[str, Any] = yield ServiceCall(name, operation, request)
    return response


def get_item(name: str, table: str, key: Item, *, consistent: bool = True) -> Steps[Item | None]:
    """The stored item with a primary key, or None."""
    request: Request = {"TableName": table, "Key": key, "ReturnConsumedCapacity": "TOTAL"}
    if consistent:
        request["ConsistentRead"] = True
    response: dict[str, Any] = yield ServiceCall(name, "GetItem", request)
    return response.get("Item")


def chunks(values: list[T], size: int) -> Iterable[list[T]]:
    return (values[at : at + size] for at in range(0, len(values), size))


def batch_get(name: str, table: str, keys: list[Item], *, consistent: bool) -> Steps[list[Item]]:
    """The stored items with these distinct keys, in no particular order. Missing ones are left out."""
    parts = yield Parallel(tuple(_get_chunk(name, table, part, consistent) for part in chunks(keys, MAX_GETS)))
    return [item for part in parts for item in part]


def _get_chunk(name: str, table: str, keys: list[Item], consistent: bool) -> Steps[list[Item]]:
    wanted: Request = {table: {"Keys": keys, "ConsistentRead": consistent}}
    items: list[Item] = []
    for turn in range(MAX_BATCH_ATTEMPTS):
        response = yield from call(name, "BatchGetItem", {"RequestItems": wanted, "ReturnConsumedCapacity": "TOTAL"})
        items += response.get("Responses", {}).get(table, [])
        wanted = response.get("UnprocessedKeys") or {}
        if not wanted:
            return items
        yield Sleep(0.025 * 2**turn)
    raise Throttled("UnprocessedKeys", "the service left part of a batch undone every time; try again later")
