"""Finds the table that a request names, by name or by ARN, or refuses as the control plane does."""

from collections.abc import Mapping
from typing import Any, Protocol

from tablature.engine.errors import ServiceError, resource_not_found, validation
from tablature.engine.storage import Table
from tablature.engine.tables.arns import table_of


class HasTables(Protocol):
    """Storage, or a transaction in it."""

    def table(self, name: str) -> Table | None:
        """The table of a name, if there is one."""
        ...


def require_name(request: Mapping[str, Any]) -> None:
    """Refuse a request without a table's name, which the control plane misses before all else."""
    if request.get("TableName") is None:
        raise validation("The parameter 'TableName' is required but was not present in the request")


def require_table(tables: HasTables, name_or_arn: str) -> Table:
    """Return the table, or refuse as operations on tables do."""
    name = table_of(name_or_arn)
    table = tables.table(name)
    if table is None:
        raise resource_not_found(f"Requested resource not found: Table: {name} not found")
    return table


def require_backed_up_table(tables: HasTables, name_or_arn: str) -> Table:
    """Return the table, or refuse as operations on backups do, which have their own error."""
    name = table_of(name_or_arn)
    table = tables.table(name)
    if table is None:
        raise ServiceError("TableNotFoundException", f"Table not found: {name}")
    return table
