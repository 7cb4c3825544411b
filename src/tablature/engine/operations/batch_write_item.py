"""BatchWriteItem: up to twenty-five puts and deletes in several tables, without conditions, in one commit."""

from collections.abc import Mapping
from typing import Any

from tablature.engine.capacity import attach_capacities, tally_changes
from tablature.engine.context import EngineContext, Request, Response
from tablature.engine.encoding.values import Item, normalise_item
from tablature.engine.errors import validation_error
from tablature.engine.storage import ItemChange, StoredTable, Transaction
from tablature.engine.validation.constraints import MapShape, list_of, member, structure
from tablature.engine.validation.item_rules import NO_EXPRESSIONS, check_item_size
from tablature.engine.validation.key_rules import mismatched_key
from tablature.engine.validation.shapes import (
    ATTRIBUTE_MAP,
    BATCH_TABLE_NAME,
    RETURN_CONSUMED_CAPACITY,
    RETURN_ITEM_COLLECTION_METRICS,
)
from tablature.engine.writes.actions import ItemAction, prepare_delete, prepare_put
from tablature.engine.writes.responses import collect_metrics

MAX_REQUESTS = 25

_WRITE_REQUEST = structure(
    member("PutRequest", structure(member("Item", ATTRIBUTE_MAP, required=True), name="PutRequest")),
    member("DeleteRequest", structure(member("Key", ATTRIBUTE_MAP, required=True), name="DeleteRequest")),
    name="WriteRequest",
)
# An invalid option is reported alone, before any error in the tables.
_OPTIONS = structure(
    member("ReturnConsumedCapacity", RETURN_CONSUMED_CAPACITY),
    member("ReturnItemCollectionMetrics", RETURN_ITEM_COLLECTION_METRICS),
)
_SHAPE = structure(
    member(
        "RequestItems",
        MapShape(list_of(_WRITE_REQUEST), key=BATCH_TABLE_NAME, sizes=(1, MAX_REQUESTS)),
        required=True,
    ),
)


def batch_write_item(context: EngineContext, request: Request) -> Response:
    """Put and delete items; nothing is ever left unprocessed."""
    if request.get("RequestItems") == {}:
        raise validation_error("The requestItems parameter is required for BatchWriteItem")
    _OPTIONS.check(request)
    _SHAPE.check(request)
    actions = _prepare(context, request["RequestItems"])

    def write_all(transaction: Transaction) -> list[ItemChange]:
        return [action.run(transaction) for action in actions]

    changes = context.storage.write(write_all)
    response: Response = {"UnprocessedItems": {}}
    if "ReturnConsumedCapacity" in request:
        attach_capacities(response, request["ReturnConsumedCapacity"], tally_changes(changes))
    if request.get("ReturnItemCollectionMetrics") == "SIZE":
        response["ItemCollectionMetrics"] = collect_metrics(actions)
    return response


def _prepare(context: EngineContext, request_items: Mapping[str, list[Mapping[str, Any]]]) -> list[ItemAction]:
    writes = [(name, *_read_write(write)) for name, requests in request_items.items() for write in requests]
    if len(writes) > MAX_REQUESTS:
        raise validation_error("Too many items requested for the BatchWriteItem call")
    tables = {name: context.table(name) for name in request_items}
    actions: list[ItemAction] = [
        _put(tables[name], item) if is_put else prepare_delete(tables[name], item, NO_EXPRESSIONS, {})
        for name, is_put, item in writes
    ]
    if len({(action.table.name, action.key) for action in actions}) < len(actions):
        raise validation_error("Provided list of item keys contains duplicates")
    return actions


def _put(table: StoredTable, item: Item) -> ItemAction:
    """Prepare a put; unlike PutItem, a batch doesn't say which of the table's key attributes has the wrong type."""
    if any(key.name in item and key.type not in item[key.name] for key in table.schema.keys):
        raise mismatched_key()
    return prepare_put(table, item, NO_EXPRESSIONS, {})


def _read_write(write: Mapping[str, Any]) -> tuple[bool, Item]:
    put, delete = write.get("PutRequest"), write.get("DeleteRequest")
    if (put is None) == (delete is None):
        raise validation_error(
            "Supplied AttributeValue has more than one datatypes set, "
            "must contain exactly one of the supported datatypes"
        )
    if put is not None:
        item = normalise_item(put["Item"])
        check_item_size(item)
        return True, item
    assert delete is not None
    return False, normalise_item(delete["Key"])
