"""BatchGetItem: reads up to a hundred items by key from several tables."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tablature.engine.capacity import CapacityTally, attach_capacities, read_units
from tablature.engine.context import EngineContext, Request, Response
from tablature.engine.encoding.values import Item, normalise_item
from tablature.engine.errors import validation_error
from tablature.engine.expressions.bound_expressions import BoundProjection
from tablature.engine.storage import Snapshot, StoredTable
from tablature.engine.validation.constraints import MapShape, ReportViolation, Shape, StructureShape, member, structure
from tablature.engine.validation.key_rules import check_key
from tablature.engine.validation.request_expressions import GET_ITEM, read_expressions, reject_mixed_parameters
from tablature.engine.validation.shapes import ATTRIBUTES_TO_GET, BATCH_TABLE_NAME, RETURN_CONSUMED_CAPACITY

MAX_KEYS = 100
LARGEST_RESPONSE = 16 * 1024 * 1024


class KeyList(Shape):
    """The keys of one table. The service reports their number in a special way."""

    def inspect(self, value: Any, path: str, report: ReportViolation) -> None:
        if len(value) > MAX_KEYS:
            named = f"RequestItems.{path.removeprefix('requestItems.').removesuffix('.keys')}.Keys"
            report("", named, f"Member must have length less than or equal to {MAX_KEYS}")
        elif not value:
            report("", path, "Member must have length greater than or equal to 1")


_KEYS_AND_ATTRIBUTES: StructureShape = structure(
    member("Keys", KeyList(), required=True),
    member("AttributesToGet", ATTRIBUTES_TO_GET),
    name="KeysAndAttributes",
)
_SHAPE = structure(
    member("ReturnConsumedCapacity", RETURN_CONSUMED_CAPACITY),
    member("RequestItems", MapShape(_KEYS_AND_ATTRIBUTES, key=BATCH_TABLE_NAME), required=True),
)


@dataclass(frozen=True, slots=True)
class _TableKeys:
    """The keys that a batch reads from one table."""

    name: str
    request: Mapping[str, Any]
    keys: list[Item]
    projection: BoundProjection | None


def batch_get_item(context: EngineContext, request: Request) -> Response:
    """Get items by key; those that don't fit in the response are returned as unprocessed."""
    if request.get("RequestItems") == {}:
        raise validation_error("The requestItems parameter is required for BatchGetItem")
    _SHAPE.check(request)
    wanted = list(_read_request(request["RequestItems"]))
    tables = [context.table(table_keys.name) for table_keys in wanted]
    for table, table_keys in zip(tables, wanted, strict=True):
        for key in table_keys.keys:
            check_key(table.schema, key)
        if table_keys.projection is not None:
            table_keys.projection.used.reject_nested_keys(table.key_names, table.schema.index_key_types)
    batch = _BatchGetResponse()
    with context.storage.snapshot() as snapshot:
        for table, table_keys in zip(tables, wanted, strict=True):
            batch.read(snapshot, table, table_keys)
    response: Response = {"Responses": batch.items, "UnprocessedKeys": batch.unprocessed}
    attach_capacities(response, request.get("ReturnConsumedCapacity"), batch.tallies)
    return response


class _BatchGetResponse:
    """Collects items until the response is full."""

    def __init__(self) -> None:
        self.items: dict[str, list[Item]] = {}
        self.unprocessed: dict[str, Any] = {}
        self.tallies: list[CapacityTally] = []
        self.size = 0

    def read(self, snapshot: Snapshot, table: StoredTable, wanted: _TableKeys) -> None:
        items = self.items.setdefault(wanted.name, [])
        tally = CapacityTally(table)
        consistent = bool(wanted.request.get("ConsistentRead"))
        left: list[Item] = []
        for key in wanted.keys:
            if self.size > LARGEST_RESPONSE:
                left.append(key)
                continue
            stored = snapshot.get(table, table.key_of(key))
            tally.units += read_units(stored.size if stored else 0, consistent=consistent)
            if stored is not None:
                self.size += stored.size
                items.append(wanted.projection(stored.item) if wanted.projection else stored.item)
        self.tallies.append(tally)
        if left:
            self.unprocessed[wanted.name] = {**wanted.request, "Keys": left}


def _read_request(tables: Mapping[str, Mapping[str, Any]]) -> Iterator[_TableKeys]:
    _reject_mixed_tables(tables)
    count = sum(len(request["Keys"]) for request in tables.values())
    for name, request in tables.items():
        reject_mixed_parameters(request, GET_ITEM)
        projection = read_expressions(request, GET_ITEM).projection
        keys = [normalise_item(key) for key in request["Keys"]]
        if _has_duplicates(keys):
            raise validation_error("Provided list of item keys contains duplicates")
        if count > MAX_KEYS:
            raise validation_error("Too many items requested for the BatchGetItem call")
        yield _TableKeys(name, request, keys, projection)


def _reject_mixed_tables(tables: Mapping[str, Mapping[str, Any]]) -> None:
    """Reject a batch in which one table uses an expression and another the legacy parameter."""
    used = {
        name for request in tables.values() for name in ("ProjectionExpression", "AttributesToGet") if name in request
    }
    if len(used) > 1:
        raise validation_error(
            "Can not use both expression and non-expression parameters in the same request: "
            "Non-expression parameters: {AttributesToGet} Expression parameters: {ProjectionExpression}"
        )


def _has_duplicates(keys: list[Item]) -> bool:
    return len({repr(sorted(key.items())) for key in keys}) < len(keys)
