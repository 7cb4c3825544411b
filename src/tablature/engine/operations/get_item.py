"""GetItem: reads the item that has a key."""

from tablature.engine.capacity import Tally, attach, read_units
from tablature.engine.clauses import GET_ITEM, read_clauses, refuse_mixing
from tablature.engine.constraints import member, structure
from tablature.engine.context import Context, Request, Response
from tablature.engine.expressions.bound import Projection
from tablature.engine.key_rules import check_key
from tablature.engine.shapes import ATTRIBUTE_MAP, ATTRIBUTES_TO_GET, RETURN_CONSUMED_CAPACITY, TABLE_NAME
from tablature.engine.storage import Stored, Table
from tablature.engine.values import Item, normalise_item

_SHAPE = structure(
    member("TableName", TABLE_NAME, required=True),
    member("Key", ATTRIBUTE_MAP, required=True),
    member("ReturnConsumedCapacity", RETURN_CONSUMED_CAPACITY),
    member("AttributesToGet", ATTRIBUTES_TO_GET),
)
_CLAUSES = ("ProjectionExpression", "AttributesToGet", "ExpressionAttributeNames")


def run(context: Context, request: Request) -> Response:
    """Get an item; the response has none when there is none."""
    _SHAPE.check(request)
    table, key, projection = _prepare(context, request)
    check_key(table.schema, key)
    if projection is not None:
        projection.used.refuse_nested_keys(table.key_names, table.schema.index_key_types)
    stored = _read(context, table, key)
    response: Response = {}
    if stored is not None:
        response["Item"] = projection(stored.item) if projection else stored.item
    detail = request.get("ReturnConsumedCapacity")
    if detail:
        tally = Tally(table)
        tally.units = read_units(stored.size if stored else 0, consistent=bool(request.get("ConsistentRead")))
        attach(response, detail, tally)
    return response


def _prepare(context: Context, request: Request) -> tuple[Table, Item, Projection | None]:
    if not any(name in request for name in _CLAUSES):
        key = normalise_item(request["Key"])
        return context.table(request["TableName"]), key, None
    refuse_mixing(request, GET_ITEM)
    key = normalise_item(request["Key"])
    projection = read_clauses(request, GET_ITEM).projection
    return context.table(request["TableName"]), key, projection


def _read(context: Context, table: Table, key: Item) -> Stored | None:
    storage = context.storage
    reader = storage.take_reader()
    try:
        return reader.get(table, table.key_of(key))
    finally:
        storage.give_back(reader)
