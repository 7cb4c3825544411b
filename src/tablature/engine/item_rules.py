"""Rules of whole items and of the values in expressions that the writing operations share."""

from collections.abc import Mapping
from typing import Any

from tablature.engine.clauses import UPDATE_ITEM, Clauses, ClauseShape, read_clauses, refuse_mixing
from tablature.engine.errors import ServiceError, malformed, validation
from tablature.engine.values import (
    DEEPEST_NESTING,
    LARGEST_ITEM,
    Item,
    depth_of,
    item_size,
    may_be_large,
    normalise,
    normalise_item,
)

NO_CLAUSES = Clauses()
_CLAUSE_NAMES = frozenset(
    [*UPDATE_ITEM.expressions, *UPDATE_ITEM.legacy, "ExpressionAttributeNames", "ExpressionAttributeValues"]
)
# What the service reports as it is; everything else wrong with a write's clauses is a fault of the request by itself.
_NO_FAULTS = (
    "ExpressionAttributeNames ",
    "ExpressionAttributeValues contains invalid ",
    "Invalid ConditionExpression: The expression can not be empty",
    "Invalid UpdateExpression: The expression can not be empty",
    "Value provided in ExpressionAttribute",
)


def check_item_size(item: Item) -> None:
    """Refuse an item to be put that is larger than an item may be."""
    if may_be_large(item, LARGEST_ITEM) and item_size(item) > LARGEST_ITEM:
        raise validation("Item size has exceeded the maximum allowed size")


def check_written_depth(item: Item, written: frozenset[str]) -> None:
    """Refuse an update that nests values too deep, each of them being sound by itself."""
    for name in written:
        value = item.get(name)
        if value is not None and ("M" in value or "L" in value) and depth_of(value) > DEEPEST_NESTING:
            raise validation("Nesting Levels have exceeded supported limits")


def read_write_key(request: Mapping[str, Any]) -> Item:
    """The key of an update in normal form; parameters that don't go together are refused before it."""
    _refuse_write_mixing(request, UPDATE_ITEM)
    return normalise_item(request["Key"])


def read_write_clauses(request: Mapping[str, Any], shape: ClauseShape) -> Clauses:
    """The clauses of a put or an update."""
    if not has_clauses(request):
        return NO_CLAUSES
    _refuse_write_mixing(request, shape)
    try:
        return read_clauses(request, shape)
    except ServiceError as error:
        raise _fault(error, request) from error


def has_clauses(request: Mapping[str, Any]) -> bool:
    """Whether a write has any expression or legacy condition at all; most have none, and need not be read for them."""
    return not _CLAUSE_NAMES.isdisjoint(request)


def _refuse_write_mixing(request: Mapping[str, Any], shape: ClauseShape) -> None:
    try:
        refuse_mixing(request, shape)
    except ServiceError as error:
        raise _fault(error, request) from error


def _fault(error: ServiceError, request: Mapping[str, Any]) -> ServiceError:
    """An expression value that is malformed in itself (an empty set, say) is reported before any clause."""
    for value in (request.get("ExpressionAttributeValues") or {}).values():
        _refuse_malformed(value)
    is_told_as_it_is = error.is_told_as_it_is or error.message.startswith(_NO_FAULTS)
    return error if is_told_as_it_is else malformed(error.message)


def _refuse_malformed(value: Mapping[str, Any]) -> None:
    try:
        normalise(value)
    except ServiceError as error:
        if error.is_malformed_request:
            raise
