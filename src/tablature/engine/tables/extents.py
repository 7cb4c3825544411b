"""Reads how much a table and each of its indexes hold."""

from tablature.engine.schema import TableSchema
from tablature.engine.storage import Snapshot
from tablature.engine.tables.arns import Arns
from tablature.engine.tables.description import Extent, Members, describe_table


def table_extent(snapshot: Snapshot, table: TableSchema) -> Extent:
    return Extent(*snapshot.counts(table.id).get(0, (0, 0)))


def index_extents(snapshot: Snapshot, table: TableSchema) -> dict[str, Extent]:
    counts = snapshot.counts(table.id)
    return {index.name: Extent(*counts.get(index.number, (0, 0))) for index in table.indexes}


def describe(arns: Arns, snapshot: Snapshot, table: TableSchema, status: str = "ACTIVE") -> Members:
    """Describe a table with what it holds at this moment."""
    return describe_table(arns, table, table_extent(snapshot, table), index_extents(snapshot, table), status)
