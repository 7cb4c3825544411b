"""Rules of whole items and of the values in expressions that the writing operations share."""

from collections.abc import Mapping
from typing import Any

from tablature.engine.encoding.values import (
    DEEPEST_NESTING,
    LARGEST_ITEM,
    Item,
    depth_of,
    item_size,
    may_be_large,
    normalise,
    normalise_item,
)
from tablature.engine.errors import EngineError, malformed_request, validation_error
from tablature.engine.validation.request_expressions import (
    UPDATE_ITEM,
    ExpressionParameters,
    RequestExpressions,
    read_expressions,
    refuse_mixed_parameters,
)

NO_EXPRESSIONS = RequestExpressions()
_EXPRESSION_NAMES = frozenset(
    [*UPDATE_ITEM.expressions, *UPDATE_ITEM.legacy, "ExpressionAttributeNames", "ExpressionAttributeValues"]
)
# What the service reports as it is; everything else wrong with a write's clauses is a fault of the request by itself.
_REPORTED_UNCHANGED = (
    "ExpressionAttributeNames ",
    "ExpressionAttributeValues contains invalid ",
    "Invalid ConditionExpression: The expression can not be empty",
    "Invalid UpdateExpression: The expression can not be empty",
    "Value provided in ExpressionAttribute",
)


def check_item_size(item: Item) -> None:
    """Refuse an item to be put that is larger than an item may be."""
    if may_be_large(item, LARGEST_ITEM) and item_size(item) > LARGEST_ITEM:
        raise validation_error("Item size has exceeded the maximum allowed size")


def check_written_depth(item: Item, written: frozenset[str]) -> None:
    """Refuse an update that nests values too deep, each of them being sound by itself."""
    for name in written:
        value = item.get(name)
        if value is not None and ("M" in value or "L" in value) and depth_of(value) > DEEPEST_NESTING:
            raise validation_error("Nesting Levels have exceeded supported limits")


def read_write_key(request: Mapping[str, Any]) -> Item:
    """The key of an update in normal form; parameters that don't go together are refused before it."""
    _refuse_mixed_write_parameters(request, UPDATE_ITEM)
    return normalise_item(request["Key"])


def read_write_expressions(request: Mapping[str, Any], shape: ExpressionParameters) -> RequestExpressions:
    """The clauses of a put or an update."""
    if not has_expressions(request):
        return NO_EXPRESSIONS
    _refuse_mixed_write_parameters(request, shape)
    try:
        return read_expressions(request, shape)
    except EngineError as error:
        raise _request_fault(error, request) from error


def has_expressions(request: Mapping[str, Any]) -> bool:
    """Whether a write has any expression or legacy condition at all; most have none, and need not be read for them."""
    return not _EXPRESSION_NAMES.isdisjoint(request)


def _refuse_mixed_write_parameters(request: Mapping[str, Any], shape: ExpressionParameters) -> None:
    try:
        refuse_mixed_parameters(request, shape)
    except EngineError as error:
        raise _request_fault(error, request) from error


def _request_fault(error: EngineError, request: Mapping[str, Any]) -> EngineError:
    """An expression value that is malformed in itself (an empty set, say) is reported before any clause."""
    for value in (request.get("ExpressionAttributeValues") or {}).values():
        _refuse_malformed(value)
    keeps_wording = error.keeps_wording or error.message.startswith(_REPORTED_UNCHANGED)
    return error if keeps_wording else malformed_request(error.message)


def _refuse_malformed(value: Mapping[str, Any]) -> None:
    try:
        normalise(value)
    except EngineError as error:
        if error.is_malformed_request:
            raise
