"""What an operation may ask of the world: a request, a pause, several things at once, or a large object."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from tablature.wire import Item, Request

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Call:
    """One request to the service. `name` is the pattern or verb it is charged to."""

    name: str
    operation: str
    request: Request


@dataclass(frozen=True, slots=True)
class Wait:
    """A pause before trying again."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Together:
    """Independent steps that may run at the same time; answered with the list of their results."""

    steps: tuple["Steps[Any]", ...]


@dataclass(frozen=True, slots=True)
class PutObject:
    """Store a large value."""

    key: str
    data: bytes


@dataclass(frozen=True, slots=True)
class GetObject:
    """Fetch a large value; answered with its bytes."""

    key: str


@dataclass(frozen=True, slots=True)
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
