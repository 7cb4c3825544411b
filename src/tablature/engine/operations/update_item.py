"""UpdateItem: changes attributes of one item, creating it when there is none."""

from tablature.engine.actions import Edit, edit_action
from tablature.engine.clauses import UPDATE_ITEM
from tablature.engine.constraints import member, structure, violations
from tablature.engine.context import Context, Request, Response
from tablature.engine.errors import ServiceError, in_envelope
from tablature.engine.item_rules import read_write_clauses, read_write_key
from tablature.engine.shapes import (
    ATTRIBUTE_MAP,
    ATTRIBUTE_UPDATES,
    CONDITIONAL_OPERATOR,
    EXPECTED,
    RETURN_CONSUMED_CAPACITY,
    RETURN_ITEM_COLLECTION_METRICS,
    RETURN_ON_CONDITION_FAILURE,
    RETURN_VALUES,
    TABLE_NAME,
)
from tablature.engine.storage import Change
from tablature.engine.values import Item
from tablature.engine.write_response import answer_write

# A table name that cannot be is reported by itself, before anything else.
_NAMED = structure(member("TableName", TABLE_NAME, required=True))
_KEYED = structure(member("Key", ATTRIBUTE_MAP, required=True))
_SHAPE = structure(
    member("ReturnValues", RETURN_VALUES),
    member("ReturnConsumedCapacity", RETURN_CONSUMED_CAPACITY),
    member("ReturnItemCollectionMetrics", RETURN_ITEM_COLLECTION_METRICS),
    member("ConditionalOperator", CONDITIONAL_OPERATOR),
    member("Expected", EXPECTED),
    member("AttributeUpdates", ATTRIBUTE_UPDATES),
    member("ReturnValuesOnConditionCheckFailure", RETURN_ON_CONDITION_FAILURE),
)


def run(context: Context, request: Request) -> Response:
    """Update an item."""
    try:
        action = _prepare(context, request)
    except ServiceError as error:
        raise in_envelope(error) from None
    change = context.storage.write(action.run)
    return answer_write(request, action, change, _returned(request.get("ReturnValues"), action, change))


def _prepare(context: Context, request: Request) -> Edit:
    _NAMED.check(request)
    _check_constraints(request)
    key = read_write_key(request)
    clauses = read_write_clauses(request, UPDATE_ITEM)
    return edit_action(context.table(request["TableName"]), key, clauses, request, measures_actions=True)


def _check_constraints(request: Request) -> None:
    """Unlike other operations, this one reports a missing key and, beside it, only the first broken option."""
    found = [*_KEYED.found(request), *_SHAPE.found(request)[:1]]
    if found:
        raise violations(found)


def _returned(wanted: str | None, action: Edit, change: Change) -> Item | None:
    if wanted is None or wanted == "NONE":
        return None
    image = change.old if wanted.endswith("OLD") else change.new
    if image is None:
        return None
    if wanted.startswith("ALL"):
        return image.item
    return action.update.touched(image.item) if action.update else None
