"""Rules of whole items and of the values in expressions that the writing operations share."""

from collections.abc import Mapping
from typing import Any

from tablature.engine.clauses import UPDATE_ITEM, Clauses, ClauseShape, read_clauses, refuse_mixing
from tablature.engine.errors import ServiceError, malformed, validation
from tablature.engine.values import LARGEST_ITEM, Item, item_size, may_be_large, normalise, normalise_item

NO_CLAUSES = Clauses()
_CLAUSE_NAMES = frozenset(
    [*UPDATE_ITEM.expressions, *UPDATE_ITEM.legacy, "ExpressionAttributeNames", "ExpressionAttributeValues"]
)
_FAULTS = (
    "Invalid ConditionExpression: ",
    "Invalid UpdateExpression: ",
    "ExpressionAttributeValues must not be empty",
)
_EMPTY_EXPRESSIONS = (
    "Invalid ConditionExpression: The expression can not be empty",
    "Invalid UpdateExpression: The expression can not be empty",
)


def check_item_size(item: Item) -> None:
    """Refuse an item to be put that is larger than an item may be."""
    if may_be_large(item, LARGEST_ITEM) and item_size(item) > LARGEST_ITEM:
        raise validation("Item size has exceeded the maximum allowed size")


def read_write_key(request: Mapping[str, Any]) -> Item:
    """The key of an update in normal form; parameters that don't go together are refused before it."""
    _refuse_write_mixing(request, UPDATE_ITEM)
    return normalise_item(request["Key"])


def read_write_clauses(request: Mapping[str, Any], shape: ClauseShape) -> Clauses:
    """The clauses of a put or an update; what is wrong with an expression is a fault of the request by itself."""
    if _CLAUSE_NAMES.isdisjoint(request):
        return NO_CLAUSES
    _refuse_write_mixing(request, shape)
    try:
        return read_clauses(request, shape)
    except ServiceError as error:
        _refuse_malformed_values(request)
        if error.message.startswith(_FAULTS) and not error.message.startswith(_EMPTY_EXPRESSIONS):
            raise malformed(error.message) from error
        raise


def _refuse_write_mixing(request: Mapping[str, Any], shape: ClauseShape) -> None:
    try:
        refuse_mixing(request, shape)
    except ServiceError as error:
        _refuse_malformed_values(request)
        if error.message.startswith("ExpressionAttributeNames "):
            raise
        raise malformed(error.message) from error


def _refuse_malformed_values(request: Mapping[str, Any]) -> None:
    """An expression value that is malformed in itself (an empty set, say) is reported before any expression."""
    for value in (request.get("ExpressionAttributeValues") or {}).values():
        _refuse_malformed(value)


def _refuse_malformed(value: Mapping[str, Any]) -> None:
    try:
        normalise(value)
    except ServiceError as error:
        if error.is_malformed_request:
            raise
