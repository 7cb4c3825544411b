"""Finds the index that a Query or Scan names, with the rules that hold before anything is read from it."""

from collections.abc import Mapping
from typing import Any

from tablature.engine.errors import validation
from tablature.engine.storage import IndexLayout, Table


def find_index(table: Table, request: Mapping[str, Any]) -> IndexLayout | None:
    """The index a request reads, or None when it reads the table itself."""
    name = request.get("IndexName")
    if name is None:
        return None
    index = table.by_index_name.get(name)
    if index is None:
        raise validation(f"The table does not have the specified index: {name}")
    if request.get("ConsistentRead") and index.schema.is_global:
        raise validation("Consistent reads are not supported on global secondary indexes")
    return index
