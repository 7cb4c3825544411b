"""Rules of whole items and of the values in expressions that the writing operations share."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from tablature.engine.errors import ServiceError, malformed, validation
from tablature.engine.values import LARGEST_ITEM, Item, item_size, normalise

_INVALID_VALUE = "ExpressionAttributeValues contains invalid value: "


def check_item_size(item: Item) -> None:
    """Refuse an item to be put that is larger than an item may be."""
    if item_size(item) > LARGEST_ITEM:
        raise validation("Item size has exceeded the maximum allowed size")


@contextmanager
def faults_of_values(request: Mapping[str, Any]) -> Iterator[None]:
    """Mark what goes wrong in a write's expressions as a fault of the request by itself.

    An expression value that is malformed in itself (an empty set, say) is reported before any expression.
    """
    try:
        yield
    except ServiceError as error:
        for value in (request.get("ExpressionAttributeValues") or {}).values():
            _refuse_malformed(value)
        if error.code != "ValidationException" or error.message.startswith(_INVALID_VALUE):
            raise
        raise malformed(error.message) from error


def _refuse_malformed(value: Mapping[str, Any]) -> None:
    try:
        normalise(value)
    except ServiceError as error:
        if error.is_malformed_request:
            raise
