"""Rules of items and expression values that the writing operations share."""

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
    reject_mixed_parameters,
)

NO_EXPRESSIONS = RequestExpressions()
_EXPRESSION_NAMES = frozenset(
    [*UPDATE_ITEM.expressions, *UPDATE_ITEM.legacy, "ExpressionAttributeNames", "ExpressionAttributeValues"]
)
# Messages that the service reports unchanged; all others about a write's expressions get the validation prefix.
_REPORTED_UNCHANGED = (
    "ExpressionAttributeNames ",
    "ExpressionAttributeValues contains invalid ",
    "Invalid ConditionExpression: The expression can not be empty",
    "Invalid UpdateExpression: The expression can not be empty",
    "Value provided in ExpressionAttribute",
)


def check_item_size(item: Item) -> None:
    """Reject an item over the size limit."""
    if may_be_large(item, LARGEST_ITEM) and item_size(item) > LARGEST_ITEM:
        raise validation_error("Item size has exceeded the maximum allowed size")


def check_written_depth(item: Item, written: frozenset[str]) -> None:
    """Reject an update whose result is nested too deeply."""
    for name in written:
        value = item.get(name)
        if value is not None and ("M" in value or "L" in value) and depth_of(value) > DEEPEST_NESTING:
            raise validation_error("Nesting Levels have exceeded supported limits")


def read_write_key(request: Mapping[str, Any]) -> Item:
    """The key of an update in normal form. Conflicting parameters are rejected first."""
    _reject_mixed_write_parameters(request, UPDATE_ITEM)
    return normalise_item(request["Key"])


def read_write_expressions(request: Mapping[str, Any], shape: ExpressionParameters) -> RequestExpressions:
    """The expressions of a put or an update."""
    if not has_expressions(request):
        return NO_EXPRESSIONS
    _reject_mixed_write_parameters(request, shape)
    try:
        return read_expressions(request, shape)
    except EngineError as error:
        raise _request_fault(error, request) from error


def has_expressions(request: Mapping[str, Any]) -> bool:
    """Whether a write has any expression or legacy condition. Most have none, which saves parsing."""
    return not _EXPRESSION_NAMES.isdisjoint(request)


def _reject_mixed_write_parameters(request: Mapping[str, Any], shape: ExpressionParameters) -> None:
    try:
        reject_mixed_parameters(request, shape)
    except EngineError as error:
        raise _request_fault(error, request) from error


def _request_fault(error: EngineError, request: Mapping[str, Any]) -> EngineError:
    """The error to report. A malformed expression value (such as an empty set) takes precedence."""
    for value in (request.get("ExpressionAttributeValues") or {}).values():
        _reject_malformed(value)
    keeps_wording = error.keeps_wording or error.message.startswith(_REPORTED_UNCHANGED)
    return error if keeps_wording else malformed_request(error.message)


def _reject_malformed(value: Mapping[str, Any]) -> None:
    try:
        normalise(value)
    except EngineError as error:
        if error.is_malformed_request:
            raise
