"""ARNs of tables, indexes, streams and backups, and lookup of a table by name or ARN."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from tablature.engine.errors import EngineError, resource_not_found, validation_error
from tablature.engine.storage import StoredTable

_TABLE_ARN = re.compile(r"arn:aws[a-z-]*:dynamodb:[a-z0-9-]*:\d*:table/([a-zA-Z0-9_.-]{3,255})")
_STREAM_ARN = re.compile(_TABLE_ARN.pattern + r"/stream/(.+)")
_BACKUP_ARN = re.compile(_TABLE_ARN.pattern + r"/backup/(\S+)")


@dataclass(frozen=True)
class Arns:
    """Resource names in the region and account that the engine claims to be in."""

    region: str
    account: str

    def table(self, name: str) -> str:
        return f"arn:aws:dynamodb:{self.region}:{self.account}:table/{name}"

    def index(self, table: str, index: str) -> str:
        return f"{self.table(table)}/index/{index}"

    def stream(self, table: str, label: str) -> str:
        return f"{self.table(table)}/stream/{label}"

    def backup(self, table: str, label: str) -> str:
        return f"{self.table(table)}/backup/{label}"

    def key(self, name: str) -> str:
        """The ARN of an encryption key, given its ARN, alias or id."""
        if name.startswith("arn:"):
            return name
        resource = name if name.startswith("alias/") else f"key/{name}"
        return f"arn:aws:kms:{self.region}:{self.account}:{resource}"


@dataclass(frozen=True)
class ArnParts:
    """The table and label in the ARN of a stream or backup."""

    table: str
    label: str


def table_name_of(name_or_arn: str) -> str:
    """The table's name, given its name or ARN."""
    matched = _TABLE_ARN.fullmatch(name_or_arn)
    return matched.group(1) if matched else name_or_arn


def parse_table_arn(text: str) -> str | None:
    matched = _TABLE_ARN.fullmatch(text)
    return matched.group(1) if matched else None


def parse_stream_arn(text: str) -> ArnParts | None:
    matched = _STREAM_ARN.fullmatch(text)
    return ArnParts(*matched.groups()) if matched else None


def parse_backup_arn(text: str) -> ArnParts | None:
    matched = _BACKUP_ARN.fullmatch(text)
    return ArnParts(*matched.groups()) if matched else None


class HasTables(Protocol):
    """Storage, or a transaction in it."""

    def table(self, name: str) -> StoredTable | None:
        """The table with a name, or None."""


def require_name(request: Mapping[str, Any]) -> None:
    """Reject a request without a table name. Control plane operations check this first."""
    if request.get("TableName") is None:
        raise validation_error("The parameter 'TableName' is required but was not present in the request")


def require_table(tables: HasTables, name_or_arn: str) -> StoredTable:
    """The table. Raises the error of table operations if it doesn't exist."""
    name = table_name_of(name_or_arn)
    table = tables.table(name)
    if table is None:
        raise resource_not_found(f"Requested resource not found: Table: {name} not found")
    return table


def require_backed_up_table(tables: HasTables, name_or_arn: str) -> StoredTable:
    """The table. Raises the error of backup operations if it doesn't exist."""
    name = table_name_of(name_or_arn)
    table = tables.table(name)
    if table is None:
        raise EngineError("TableNotFoundException", f"Table not found: {name}")
    return table
