"""Capacity units of operations, per table and per index, and metrics of item collections."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from tablature.engine.encoding.values import same_item
from tablature.engine.schema import IndexSchema
from tablature.engine.storage import IndexLayout, ItemChange, StoredItem, StoredTable

READ_UNIT = 4096
WRITE_UNIT = 1024

Detail = str | None
UnitKind = Literal["ReadCapacityUnits", "WriteCapacityUnits"]


def read_units(size: int, *, consistent: bool) -> float:
    """Units of reading this many bytes. Reading nothing costs as much as reading a little."""
    units = max(1, -(-size // READ_UNIT))
    return float(units) if consistent else units / 2


def write_units(size: int) -> float:
    """Units of writing an item of a size."""
    return float(max(1, -(-size // WRITE_UNIT)))


class CapacityTally:
    """Units charged to one table, split between it and its indexes."""

    def __init__(self, table: StoredTable) -> None:
        self.table = table
        self.units = 0.0
        self.indexes: dict[str, float] = {}

    def add_change(self, change: ItemChange, factor: int = 1) -> None:
        """Count a write: the larger image for the table, and for each index the change of its entry.

        The factor of a transaction applies only to the table.
        """
        old, new = change.old, change.new
        self.units += factor * write_units(max(old.size if old else 0, new.size if new else 0))
        for index in change.table.indexes:
            units = _entry_units(index, old, new)
            if units:
                self.add_index(index.schema, units)

    def add_index(self, index: IndexSchema, units: float) -> None:
        self.indexes[index.name] = self.indexes.get(index.name, 0.0) + units

    def to_response(self, detail: Detail, kind: UnitKind | None = None) -> dict[str, Any]:
        """ConsumedCapacity in the requested detail. Transactions also name the kind of unit."""
        total = self.units + sum(self.indexes.values())
        response: dict[str, Any] = {"TableName": self.table.name, **_units_of_kind(total, kind)}
        if detail == "INDEXES":
            response["Table"] = _units_of_kind(self.units, kind)
            for member, index_kind in (("LocalSecondaryIndexes", "lsi"), ("GlobalSecondaryIndexes", "gsi")):
                charged = {
                    name: _units_of_kind(units, kind)
                    for name, units in self.indexes.items()
                    if self.table.by_index_name[name].schema.kind == index_kind
                }
                if charged:
                    response[member] = charged
        return response


def _units_of_kind(units: float, kind: UnitKind | None) -> dict[str, float]:
    return {"CapacityUnits": units} if kind is None else {"CapacityUnits": units, kind: units}


def _entry_units(index: IndexLayout, old: StoredItem | None, new: StoredItem | None) -> float:
    was = old if old is not None and index.lists(old.item) else None
    now = new if new is not None and index.lists(new.item) else None
    if was is None or now is None:
        present = was or now
        return 0.0 if present is None else write_units(index.entry_size(*present))
    before, after = index.project(was.item), index.project(now.item)
    if same_item(before, after):
        return 0.0
    sizes = index.entry_size(*was), index.entry_size(*now)
    if all(before[key.name] == after[key.name] for key in index.schema.keys):
        return write_units(max(sizes))
    return write_units(sizes[0]) + write_units(sizes[1])


def attach_capacity(response: dict[str, Any], detail: Detail, tally: CapacityTally) -> None:
    """Add ConsumedCapacity to a response that asked for it."""
    if detail in ("TOTAL", "INDEXES"):
        response["ConsumedCapacity"] = tally.to_response(detail)


def attach_capacities(
    response: dict[str, Any], detail: Detail, tallies: Iterable[CapacityTally], kind: UnitKind | None = None
) -> None:
    """Add ConsumedCapacity per table to the response of a batch or transaction that asked for it."""
    if detail in ("TOTAL", "INDEXES"):
        response["ConsumedCapacity"] = [tally.to_response(detail, kind) for tally in tallies]


def tally_changes(changes: Iterable[ItemChange], factor: int = 1) -> list[CapacityTally]:
    """Count many writes, by table."""
    tallies: dict[str, CapacityTally] = {}
    for change in changes:
        tallies.setdefault(change.table.name, CapacityTally(change.table)).add_change(change, factor)
    return list(tallies.values())


def collection_metrics(table: StoredTable, key: Mapping[str, Any]) -> dict[str, Any] | None:
    """ItemCollectionMetrics of a written item, which only tables with local indexes have."""
    if not table.schema.has_local_indexes:
        return None
    return {"ItemCollectionKey": {table.hash_name: key[table.hash_name]}, "SizeEstimateRangeGB": [0.0, 1.0]}
