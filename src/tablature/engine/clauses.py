"""Reads the clauses of one request: its expressions, or the legacy parameters that say the same, bound and checked.

An operation calls `refuse_mixing` before it looks at keys and items, and `read_clauses` after; neither needs a table.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from tablature.engine.expressions.bound import Condition, KeyCondition, Projection, Update


@dataclass(frozen=True, slots=True)
class ClauseShape:
    """The expression parameters an operation takes, and the legacy ones, in the order its errors list them."""

    expressions: tuple[str, ...]
    legacy: tuple[str, ...] = ()


PUT_ITEM: Final = ClauseShape(("ConditionExpression",), ("Expected", "ConditionalOperator"))
DELETE_ITEM: Final = PUT_ITEM
UPDATE_ITEM: Final = ClauseShape(
    ("UpdateExpression", "ConditionExpression"), ("AttributeUpdates", "Expected", "ConditionalOperator")
)
GET_ITEM: Final = ClauseShape(("ProjectionExpression",), ("AttributesToGet",))
QUERY: Final = ClauseShape(
    ("ProjectionExpression", "FilterExpression", "KeyConditionExpression"),
    ("AttributesToGet", "QueryFilter", "ConditionalOperator", "KeyConditions"),
)
SCAN: Final = ClauseShape(
    ("ProjectionExpression", "FilterExpression"), ("AttributesToGet", "ScanFilter", "ConditionalOperator")
)
CONDITION_CHECK: Final = ClauseShape(("ConditionExpression",))
TRANSACT_PUT: Final = CONDITION_CHECK
TRANSACT_DELETE: Final = CONDITION_CHECK
TRANSACT_UPDATE: Final = ClauseShape(("UpdateExpression", "ConditionExpression"))
TRANSACT_GET: Final = ClauseShape(("ProjectionExpression",))


@dataclass(frozen=True, slots=True)
class Clauses:
    """What a request asks, whichever parameters said it."""

    condition: Condition | None = None
    filter: Condition | None = None
    update: Update | None = None
    projection: Projection | None = None
    key_condition: KeyCondition | None = None


def refuse_mixing(request: Mapping[str, Any], shape: ClauseShape) -> None:
    """Refuse expressions beside legacy parameters, and names or values without an expression to use them."""
    raise NotImplementedError


def read_clauses(request: Mapping[str, Any], shape: ClauseShape) -> Clauses:
    """Check and bind every clause: legacy parameters first, then placeholders, expressions, and unused placeholders."""
    raise NotImplementedError
