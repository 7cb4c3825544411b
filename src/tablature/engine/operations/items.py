"""GetItem, PutItem, UpdateItem and DeleteItem: operations on a single item, addressed by its key."""

from tablature.engine.capacity import CapacityTally, attach_capacity, read_units
from tablature.engine.context import EngineContext, Request, Response
from tablature.engine.encoding.values import Item, normalise_item
from tablature.engine.errors import EngineError, in_envelope, malformed_request, validation_error
from tablature.engine.expressions.bound_expressions import BoundProjection
from tablature.engine.storage import ItemChange, StoredItem, StoredTable
from tablature.engine.validation.constraints import constraint_error, member, structure
from tablature.engine.validation.item_rules import check_item_size, read_write_expressions, read_write_key
from tablature.engine.validation.key_rules import check_key
from tablature.engine.validation.request_expressions import (
    DELETE_ITEM,
    GET_ITEM,
    PUT_ITEM,
    UPDATE_ITEM,
    read_expressions,
    reject_mixed_parameters,
)
from tablature.engine.validation.shapes import (
    ATTRIBUTE_MAP,
    ATTRIBUTE_UPDATES,
    ATTRIBUTES_TO_GET,
    CONDITIONAL_OPERATOR,
    EXPECTED,
    RETURN_CONSUMED_CAPACITY,
    RETURN_ITEM_COLLECTION_METRICS,
    RETURN_ON_CONDITION_FAILURE,
    RETURN_VALUES,
    TABLE_NAME,
)
from tablature.engine.writes.actions import (
    DeleteAction,
    PutAction,
    UpdateAction,
    prepare_delete,
    prepare_put,
    prepare_update,
)
from tablature.engine.writes.responses import old_item, write_response

_GET_ITEM_SHAPE = structure(
    member("TableName", TABLE_NAME, required=True),
    member("Key", ATTRIBUTE_MAP, required=True),
    member("ReturnConsumedCapacity", RETURN_CONSUMED_CAPACITY),
    member("AttributesToGet", ATTRIBUTES_TO_GET),
)
_PROJECTION_PARAMETERS = ("ProjectionExpression", "AttributesToGet", "ExpressionAttributeNames")


def get_item(context: EngineContext, request: Request) -> Response:
    """Get an item. The response is empty if there is none."""
    _GET_ITEM_SHAPE.check(request)
    table, key, projection = _prepare_get_item(context, request)
    check_key(table.schema, key)
    if projection is not None:
        projection.used.reject_nested_keys(table.key_names, table.schema.index_key_types)
    stored = _read_item(context, table, key)
    response: Response = {}
    if stored is not None:
        response["Item"] = projection(stored.item) if projection else stored.item
    detail = request.get("ReturnConsumedCapacity")
    if detail:
        tally = CapacityTally(table)
        tally.units = read_units(stored.size if stored else 0, consistent=bool(request.get("ConsistentRead")))
        attach_capacity(response, detail, tally)
    return response


def _prepare_get_item(context: EngineContext, request: Request) -> tuple[StoredTable, Item, BoundProjection | None]:
    if not any(name in request for name in _PROJECTION_PARAMETERS):
        key = normalise_item(request["Key"])
        return context.table(request["TableName"]), key, None
    reject_mixed_parameters(request, GET_ITEM)
    key = normalise_item(request["Key"])
    projection = read_expressions(request, GET_ITEM).projection
    return context.table(request["TableName"]), key, projection


def _read_item(context: EngineContext, table: StoredTable, key: Item) -> StoredItem | None:
    storage = context.storage
    reader = storage.take_reader()
    try:
        return reader.get(table, table.key_of(key))
    finally:
        storage.give_back(reader)


# An invalid table name is reported alone, before anything else.
_TABLE_ONLY_SHAPE = structure(member("TableName", TABLE_NAME, required=True))
_PUT_ITEM_SHAPE = structure(
    member("Item", ATTRIBUTE_MAP, required=True),
    member("ReturnConsumedCapacity", RETURN_CONSUMED_CAPACITY),
    member("ReturnValues", RETURN_VALUES),
    member("ReturnItemCollectionMetrics", RETURN_ITEM_COLLECTION_METRICS),
    member("ConditionalOperator", CONDITIONAL_OPERATOR),
    member("Expected", EXPECTED),
    member("ReturnValuesOnConditionCheckFailure", RETURN_ON_CONDITION_FAILURE),
)


def put_item(context: EngineContext, request: Request) -> Response:
    """Put an item."""
    try:
        action = _prepare_put_item(context, request)
    except EngineError as error:
        raise in_envelope(error) from None
    change = context.storage.write(action.run)
    return write_response(request, action, change, old_item(request, change))


def _prepare_put_item(context: EngineContext, request: Request) -> PutAction:
    _TABLE_ONLY_SHAPE.check(request)
    _PUT_ITEM_SHAPE.check(request)
    item = normalise_item(request["Item"])
    expressions = read_write_expressions(request, PUT_ITEM)
    if request.get("ReturnValues") not in (None, "NONE", "ALL_OLD"):
        raise malformed_request("ReturnValues can only be ALL_OLD or NONE")
    check_item_size(item)
    return prepare_put(context.table(request["TableName"]), item, expressions, request)


_KEY_ONLY_SHAPE = structure(member("Key", ATTRIBUTE_MAP, required=True))
_UPDATE_ITEM_SHAPE = structure(
    member("ReturnValues", RETURN_VALUES),
    member("ReturnConsumedCapacity", RETURN_CONSUMED_CAPACITY),
    member("ReturnItemCollectionMetrics", RETURN_ITEM_COLLECTION_METRICS),
    member("ConditionalOperator", CONDITIONAL_OPERATOR),
    member("Expected", EXPECTED),
    member("AttributeUpdates", ATTRIBUTE_UPDATES),
    member("ReturnValuesOnConditionCheckFailure", RETURN_ON_CONDITION_FAILURE),
)


def update_item(context: EngineContext, request: Request) -> Response:
    """Update an item."""
    try:
        action = _prepare_update_item(context, request)
    except EngineError as error:
        raise in_envelope(error) from None
    change = context.storage.write(action.run)
    return write_response(request, action, change, _returned_attributes(request.get("ReturnValues"), action, change))


def _prepare_update_item(context: EngineContext, request: Request) -> UpdateAction:
    _TABLE_ONLY_SHAPE.check(request)
    _check_update_constraints(request)
    key = read_write_key(request)
    expressions = read_write_expressions(request, UPDATE_ITEM)
    return prepare_update(context.table(request["TableName"]), key, expressions, request, measures_actions=True)


def _check_update_constraints(request: Request) -> None:
    """UpdateItem reports a missing key and only the first other violation, unlike other operations."""
    violations = [*_KEY_ONLY_SHAPE.find_violations(request), *_UPDATE_ITEM_SHAPE.find_violations(request)[:1]]
    if violations:
        raise constraint_error(violations)


def _returned_attributes(wanted: str | None, action: UpdateAction, change: ItemChange) -> Item | None:
    if wanted is None or wanted == "NONE":
        return None
    image = change.old if wanted.endswith("OLD") else change.new
    if image is None:
        return None
    if wanted.startswith("ALL"):
        return image.item
    return action.update.touched(image.item) if action.update else None


_DELETE_ITEM_SHAPE = structure(
    member("TableName", TABLE_NAME, required=True),
    member("Key", ATTRIBUTE_MAP, required=True),
    member("ReturnConsumedCapacity", RETURN_CONSUMED_CAPACITY),
    member("ReturnValues", RETURN_VALUES),
    member("ReturnItemCollectionMetrics", RETURN_ITEM_COLLECTION_METRICS),
    member("ConditionalOperator", CONDITIONAL_OPERATOR),
    member("Expected", EXPECTED),
    member("ReturnValuesOnConditionCheckFailure", RETURN_ON_CONDITION_FAILURE),
)


def delete_item(context: EngineContext, request: Request) -> Response:
    """Delete an item. Deleting a missing one succeeds."""
    action = _prepare_delete_item(context, request)
    change = context.storage.write(action.run)
    return write_response(request, action, change, old_item(request, change))


def _prepare_delete_item(context: EngineContext, request: Request) -> DeleteAction:
    _DELETE_ITEM_SHAPE.check(request)
    reject_mixed_parameters(request, DELETE_ITEM)
    key = normalise_item(request["Key"])
    if request.get("ReturnValues") not in (None, "NONE", "ALL_OLD"):
        raise validation_error("ReturnValues can only be ALL_OLD or NONE")
    expressions = read_expressions(request, DELETE_ITEM)
    return prepare_delete(context.table(request["TableName"]), key, expressions, request)
