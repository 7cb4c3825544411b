"""What an operation may ask of the world: a request, a pause, several things at once, or a large object."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeAlias, TypeVar

from tablature.records import record
from tablature.wire import Item, Request

T = TypeVar("T")


class Call:
    """One request to the service. `name` is the pattern or verb it is charged to."""

    __slots__ = ("name", "operation", "request")

    def __init__(self, name: str, operation: str, request: Request) -> None:
        self.name = name
        self.operation = operation
        self.request = request


@record
class Wait:
    """A pause before trying again."""

    seconds: float


@record
class Together:
    """Independent steps that may run at the same time; answered with the list of their results."""

    steps: tuple[Steps[Any], ...]


@record
class PutObject:
    """Store a large value."""

    key: str
    data: bytes


@record
class GetObject:
    """Fetch a large value; answered with its bytes."""

    key: str


@record
class DropObject:
    """Delete a large value that nothing points to any more."""

    key: str


Effect: TypeAlias = Call | Wait | Together | PutObject | GetObject | DropObject
Steps: TypeAlias = Generator[Effect, Any, T]


def call(name: str, operation: str, request: Request) -> Steps[dict[str, Any]]:
    """Ask the service; a refusal is raised where the answer is awaited."""
    response: dict[str, Any] = yield Call(name, operation, request)
    return response


def get_item(name: str, table: str, key: Item, *, consistent: bool = True) -> Steps[Item | None]:
    """The stored item under a primary key."""
    request: Request = {"TableName": table, "Key": key, "ReturnConsumedCapacity": "TOTAL"}
    if consistent:
        request["ConsistentRead"] = True
    response: dict[str, Any] = yield Call(name, "GetItem", request)
    return response.get("Item")
