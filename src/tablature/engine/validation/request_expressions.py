"""Reads the expressions of one request, or its legacy parameters, checked and bound.

An operation calls `reject_mixed_parameters` before it reads keys and items, and `read_expressions` after that. Neither
needs a table.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from tablature.engine.errors import validation_error
from tablature.engine.expressions.bound_expressions import (
    BoundCondition,
    BoundKeyCondition,
    BoundProjection,
    BoundUpdate,
)
from tablature.engine.expressions.conditions import bind_condition
from tablature.engine.expressions.key_conditions import PendingKeyCondition
from tablature.engine.expressions.placeholders import Placeholders
from tablature.engine.expressions.projections import bind_projection
from tablature.engine.expressions.tokenizer import MAX_EXPRESSION_BYTES, TOO_LARGE, expression_size, invalid_expression
from tablature.engine.expressions.updates import bind_update
from tablature.engine.legacy.parameters import read_key_conditions, read_legacy_parameters


@dataclass(frozen=True, slots=True)
class ExpressionParameters:
    """The expression parameters an operation takes, and the legacy ones, in the order its errors list them."""

    expressions: tuple[str, ...]
    legacy: tuple[str, ...] = ()

    @property
    def value_takers(self) -> tuple[str, ...]:
        """The expressions that may have values. An operation without them ignores values."""
        return tuple(name for name in self.expressions if name != "ProjectionExpression")


PUT_ITEM: Final = ExpressionParameters(("ConditionExpression",), ("Expected", "ConditionalOperator"))
DELETE_ITEM: Final = PUT_ITEM
UPDATE_ITEM: Final = ExpressionParameters(
    ("UpdateExpression", "ConditionExpression"), ("AttributeUpdates", "Expected", "ConditionalOperator")
)
GET_ITEM: Final = ExpressionParameters(("ProjectionExpression",), ("AttributesToGet",))
QUERY: Final = ExpressionParameters(
    ("ProjectionExpression", "FilterExpression", "KeyConditionExpression"),
    ("AttributesToGet", "QueryFilter", "ConditionalOperator", "KeyConditions"),
)
SCAN: Final = ExpressionParameters(
    ("ProjectionExpression", "FilterExpression"), ("AttributesToGet", "ScanFilter", "ConditionalOperator")
)
CONDITION_CHECK: Final = ExpressionParameters(("ConditionExpression",))
TRANSACT_PUT: Final = CONDITION_CHECK
TRANSACT_DELETE: Final = CONDITION_CHECK
TRANSACT_UPDATE: Final = ExpressionParameters(("UpdateExpression", "ConditionExpression"))
TRANSACT_GET: Final = ExpressionParameters(("ProjectionExpression",))


@dataclass(frozen=True, slots=True)
class RequestExpressions:
    """The bound expressions of a request, from expressions or legacy parameters."""

    condition: BoundCondition | None = None
    filter: BoundCondition | None = None
    update: BoundUpdate | None = None
    projection: BoundProjection | None = None
    key_condition: BoundKeyCondition | None = None


def reject_mixed_parameters(request: Mapping[str, Any], shape: ExpressionParameters) -> None:
    """Reject expressions beside legacy parameters, and names or values without an expression to use them."""
    expressions = [name for name in shape.expressions if request.get(name) is not None]
    if expressions:
        _reject_legacy_beside(request, shape, expressions)
    elif request.get("ExpressionAttributeNames") is not None:
        raise validation_error("ExpressionAttributeNames can only be specified when using expressions")
    takers = shape.value_takers
    idle = all(request.get(name) is None for name in takers)
    if takers and idle and request.get("ExpressionAttributeValues") is not None:
        absent = " and ".join(takers) + (" are null" if len(takers) > 1 else " is null")
        raise validation_error(f"ExpressionAttributeValues can only be specified when using expressions: {absent}")


def _reject_legacy_beside(request: Mapping[str, Any], shape: ExpressionParameters, expressions: list[str]) -> None:
    legacy_names = [name for name in shape.legacy if request.get(name) is not None]
    if request.get("KeyConditionExpression") is None and "KeyConditions" in legacy_names:
        # A filter expression is allowed with legacy key conditions.
        legacy_names.remove("KeyConditions")
    if legacy_names:
        raise validation_error(
            "Can not use both expression and non-expression parameters in the same request: "
            f"Non-expression parameters: {{{', '.join(legacy_names)}}} "
            f"Expression parameters: {{{', '.join(expressions)}}}"
        )


def read_expressions(request: Mapping[str, Any], shape: ExpressionParameters) -> RequestExpressions:
    """Check and bind all: legacy parameters first, then placeholders, expressions, and unused placeholders."""
    old = read_legacy_parameters(request, shape.legacy)
    if shape is QUERY and request.get("KeyConditions") is None and request.get("KeyConditionExpression") is None:
        raise validation_error(
            "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request."
        )
    values = request.get("ExpressionAttributeValues") if shape.value_takers else None
    placeholders = Placeholders(request.get("ExpressionAttributeNames"), values)
    given = {name: request[name] for name in shape.expressions if request.get(name) is not None}
    update = bind_update(given["UpdateExpression"], placeholders) if "UpdateExpression" in given else None
    if shape in (CONDITION_CHECK, TRANSACT_UPDATE):
        _check_expression_size("ConditionExpression", given)
    condition = _bind_condition(given, "ConditionExpression", placeholders)
    unread = (
        PendingKeyCondition(given["KeyConditionExpression"], placeholders)
        if "KeyConditionExpression" in given
        else None
    )
    if shape is SCAN:
        _check_expression_size("FilterExpression", given)
    filter_ = _bind_condition(given, "FilterExpression", placeholders)
    projection = (
        bind_projection(given["ProjectionExpression"], placeholders) if "ProjectionExpression" in given else None
    )
    if given:
        # Only a transaction gets here without expressions, and there the service allows unused names and values.
        placeholders.reject_unused()
    key_condition = unread.read() if unread else None
    if key_condition is None and "KeyConditions" in shape.legacy:
        key_condition = read_key_conditions(request.get("KeyConditions"))
    return RequestExpressions(
        condition or old.condition,
        filter_ or old.filter,
        update or old.update,
        projection or old.projection,
        key_condition,
    )


def _check_expression_size(parameter: str, given: Mapping[str, str]) -> None:
    """Reject an expression that is too large, with its size. The service shows the size only for a scan's filter and
    for a transaction's conditions."""
    if parameter in given and (size := expression_size(given[parameter])) > MAX_EXPRESSION_BYTES:
        raise invalid_expression(parameter, f"{TOO_LARGE} expression size: {size}")


def _bind_condition(given: Mapping[str, str], parameter: str, placeholders: Placeholders) -> BoundCondition | None:
    return bind_condition(given[parameter], parameter, placeholders) if parameter in given else None
