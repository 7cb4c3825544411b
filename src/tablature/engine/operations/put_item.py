"""PutItem: stores a whole item in place of whatever has its key."""

from tablature.engine.actions import Put, put_action
from tablature.engine.clauses import PUT_ITEM
from tablature.engine.constraints import member, structure
from tablature.engine.context import Context, Request, Response
from tablature.engine.errors import ServiceError, in_envelope, malformed
from tablature.engine.item_rules import check_item_size, read_write_clauses
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

# A table name that cannot be is reported by itself, before anything else.
_NAMED = structure(member("TableName", TABLE_NAME, required=True))
_SHAPE = structure(
    member("Item", ATTRIBUTE_MAP, required=True),
    member("ReturnConsumedCapacity", RETURN_CONSUMED_CAPACITY),
    member("ReturnValues", RETURN_VALUES),
    member("ReturnItemCollectionMetrics", RETURN_ITEM_COLLECTION_METRICS),
    member("ConditionalOperator", CONDITIONAL_OPERATOR),
    member("Expected", EXPECTED),
    member("ReturnValuesOnConditionCheckFailure", RETURN_ON_CONDITION_FAILURE),
)


def run(context: Context, request: Request) -> Response:
    """Put an item."""
    try:
        action = _prepare(context, request)
    except ServiceError as error:
        raise in_envelope(error) from None
    change = context.storage.write(action.run)
    return answer_write(request, action, change, old_item(request, change))


def _prepare(context: Context, request: Request) -> Put:
    _NAMED.check(request)
    _SHAPE.check(request)
    item = normalise_item(request["Item"])
    clauses = read_write_clauses(request, PUT_ITEM)
    if request.get("ReturnValues") not in (None, "NONE", "ALL_OLD"):
        raise malformed("ReturnValues can only be ALL_OLD or NONE")
    check_item_size(item)
    return put_action(context.table(request["TableName"]), item, clauses, request)
