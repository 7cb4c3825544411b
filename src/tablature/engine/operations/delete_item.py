"""DeleteItem: removes the item that has a key."""

from tablature.engine.actions import Delete, delete_action
from tablature.engine.clauses import DELETE_ITEM, read_clauses, refuse_mixing
from tablature.engine.constraints import member, structure
from tablature.engine.context import Context, Request, Response
from tablature.engine.errors import validation
from tablature.engine.shapes import (
    ATTRIBUTE_MAP,
    CONDITIONAL_OPERATOR,
    EXPECTED,
    RETURN_CONSUMED_CAPACITY,
    RETURN_ITEM_COLLECTION_METRICS,
    RETURN_ON_CONDITION_FAILURE,
    RETURN_VALUES,
    TABLE_NAME,
)
from tablature.engine.values import normalise_item
from tablature.engine.write_response import answer_write, old_item

_SHAPE = structure(
    member("TableName", TABLE_NAME, required=True),
    member("Key", ATTRIBUTE_MAP, required=True),
    member("ReturnConsumedCapacity", RETURN_CONSUMED_CAPACITY),
    member("ReturnValues", RETURN_VALUES),
    member("ReturnItemCollectionMetrics", RETURN_ITEM_COLLECTION_METRICS),
    member("ConditionalOperator", CONDITIONAL_OPERATOR),
    member("Expected", EXPECTED),
    member("ReturnValuesOnConditionCheckFailure", RETURN_ON_CONDITION_FAILURE),
)


def run(context: Context, request: Request) -> Response:
    """Delete an item; deleting one that is not there succeeds."""
    action = _prepare(context, request)
    change = context.storage.write(action.run)
    return answer_write(request, action, change, old_item(request, change))


def _prepare(context: Context, request: Request) -> Delete:
    _SHAPE.check(request)
    refuse_mixing(request, DELETE_ITEM)
    key = normalise_item(request["Key"])
    if request.get("ReturnValues") not in (None, "NONE", "ALL_OLD"):
        raise validation("ReturnValues can only be ALL_OLD or NONE")
    clauses = read_clauses(request, DELETE_ITEM)
    return delete_action(context.table(request["TableName"]), key, clauses, request)
