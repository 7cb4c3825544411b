"""TransactGetItems: reads up to a hundred items by key in one consistent view."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tablature.engine.capacity import CapacityTally, attach_capacities, read_units
from tablature.engine.context import EngineContext, Request, Response
from tablature.engine.encoding.keys import ItemKey
from tablature.engine.encoding.values import Item, normalise_item
from tablature.engine.errors import validation_error
from tablature.engine.expressions.bound_expressions import BoundProjection
from tablature.engine.storage import StoredItem, StoredTable
from tablature.engine.validation.constraints import list_of, member, structure
from tablature.engine.validation.key_rules import check_key
from tablature.engine.validation.request_expressions import TRANSACT_GET, read_expressions
from tablature.engine.validation.shapes import ATTRIBUTE_MAP, RETURN_CONSUMED_CAPACITY, TABLE_NAME
from tablature.engine.writes.responses import all_or_cancel

MAX_ACTIONS = 100
TRANSACTION_FACTOR = 2

_GET = structure(
    member("Key", ATTRIBUTE_MAP, required=True), member("TableName", TABLE_NAME, required=True), name="Get"
)
_SHAPE = structure(
    member("ReturnConsumedCapacity", RETURN_CONSUMED_CAPACITY),
    member(
        "TransactItems",
        list_of(structure(member("Get", _GET, required=True), name="TransactGetItem"), 1, MAX_ACTIONS),
        required=True,
    ),
)


@dataclass(frozen=True, slots=True)
class _TransactGet:
    """One parsed read of a transaction."""

    table: StoredTable
    key: Item
    projection: BoundProjection | None

    def stored_key(self) -> ItemKey:
        check_key(self.table.schema, self.key)
        return self.table.key_of(self.key)


def transact_get_items(context: EngineContext, request: Request) -> Response:
    """Get items in one consistent view. A missing item has an empty response."""
    _SHAPE.check(request)
    gets = list(_read_request(context, request["TransactItems"]))
    keys = all_or_cancel(_TransactGet.stored_key, gets)
    if len({(get.table.name, key) for get, key in zip(gets, keys, strict=True)}) < len(keys):
        raise validation_error("Transaction request cannot include multiple operations on one item")
    with context.storage.snapshot() as snapshot:
        stored_items = [snapshot.get(get.table, key) for get, key in zip(gets, keys, strict=True)]
    response: Response = {
        "Responses": [_get_response(get, stored) for get, stored in zip(gets, stored_items, strict=True)],
    }
    if "ReturnConsumedCapacity" in request:
        tallies = _tally_reads(gets, stored_items)
        attach_capacities(response, request["ReturnConsumedCapacity"], tallies, "ReadCapacityUnits")
    return response


def _read_request(context: EngineContext, items: list[Mapping[str, Any]]) -> Iterator[_TransactGet]:
    parsed = []
    for item in items:
        get = item["Get"]
        key = normalise_item(get["Key"])
        parsed.append((get["TableName"], key, read_expressions(get, TRANSACT_GET).projection))
    for name, key, projection in parsed:
        yield _TransactGet(context.table(name), key, projection)


def _get_response(get: _TransactGet, stored: StoredItem | None) -> dict[str, Any]:
    if stored is None:
        return {}
    item = get.projection(stored.item) if get.projection else stored.item
    return {"Item": item} if item else {}


def _tally_reads(gets: list[_TransactGet], stored_items: list[StoredItem | None]) -> list[CapacityTally]:
    tallies: dict[str, CapacityTally] = {}
    for get, stored in zip(gets, stored_items, strict=True):
        tally = tallies.setdefault(get.table.name, CapacityTally(get.table))
        tally.units += TRANSACTION_FACTOR * read_units(stored.size if stored else 0, consistent=True)
    return list(tallies.values())
