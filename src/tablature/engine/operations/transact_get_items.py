"""TransactGetItems: reads up to a hundred items by key, all as they were at one moment."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tablature.engine.cancellation import all_or_cancel
from tablature.engine.capacity import Tally, attach_all, read_units
from tablature.engine.clauses import TRANSACT_GET, read_clauses
from tablature.engine.constraints import list_of, member, structure
from tablature.engine.context import Context, Request, Response
from tablature.engine.errors import validation
from tablature.engine.expressions.bound import Projection
from tablature.engine.key_rules import check_key
from tablature.engine.keys import ItemKey
from tablature.engine.shapes import ATTRIBUTE_MAP, RETURN_CONSUMED_CAPACITY, TABLE_NAME
from tablature.engine.storage import Snapshot, Stored, Table
from tablature.engine.values import Item, normalise_item

MOST_ACTIONS = 100
TRANSACTION_FACTOR = 2

_GET = structure(
    member("Key", ATTRIBUTE_MAP, required=True), member("TableName", TABLE_NAME, required=True), name="Get"
)
_SHAPE = structure(
    member("ReturnConsumedCapacity", RETURN_CONSUMED_CAPACITY),
    member(
        "TransactItems",
        list_of(structure(member("Get", _GET, required=True), name="TransactGetItem"), 1, MOST_ACTIONS),
        required=True,
    ),
)


@dataclass(frozen=True, slots=True)
class _Wanted:
    table: Table
    key: Item
    projection: Projection | None

    def stored_key(self) -> ItemKey:
        check_key(self.table.schema, self.key)
        return self.table.key_of(self.key)


def run(context: Context, request: Request) -> Response:
    """Get items in one consistent view; an item that is not there has an empty place."""
    _SHAPE.check(request)
    wanted = list(_read_request(context, request["TransactItems"]))
    keys = all_or_cancel(_Wanted.stored_key, wanted)
    if len({(one.table.name, key) for one, key in zip(wanted, keys, strict=True)}) < len(keys):
        raise validation("Transaction request cannot include multiple operations on one item")
    with context.storage.snapshot() as snapshot:
        found = [_read(snapshot, one, key) for one, key in zip(wanted, keys, strict=True)]
    response: Response = {
        "Responses": [_shown(one, stored) for one, stored in zip(wanted, found, strict=True)],
    }
    if "ReturnConsumedCapacity" in request:
        tallies = _tally(wanted, found)
        attach_all(response, request["ReturnConsumedCapacity"], tallies, "ReadCapacityUnits")
    return response


def _read_request(context: Context, asked: list[Mapping[str, Any]]) -> Iterator[_Wanted]:
    read = []
    for one in asked:
        get = one["Get"]
        key = normalise_item(get["Key"])
        read.append((get["TableName"], key, read_clauses(get, TRANSACT_GET).projection))
    for name, key, projection in read:
        yield _Wanted(context.table(name), key, projection)


def _read(snapshot: Snapshot, wanted: _Wanted, key: ItemKey) -> Stored | None:
    return snapshot.get(wanted.table, key)


def _shown(wanted: _Wanted, stored: Stored | None) -> dict[str, Any]:
    if stored is None:
        return {}
    item = wanted.projection(stored.item) if wanted.projection else stored.item
    return {"Item": item} if item else {}


def _tally(wanted: list[_Wanted], found: list[Stored | None]) -> list[Tally]:
    tallies: dict[str, Tally] = {}
    for one, stored in zip(wanted, found, strict=True):
        tally = tallies.setdefault(one.table.name, Tally(one.table))
        tally.units += TRANSACTION_FACTOR * read_units(stored.size if stored else 0, consistent=True)
    return list(tallies.values())
