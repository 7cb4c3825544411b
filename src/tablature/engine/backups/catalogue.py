"""Keeps backups: what each was taken of, and where its items are."""

import secrets
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from tablature.engine.errors import ServiceError, validation
from tablature.engine.schema import TableSchema
from tablature.engine.storage import Snapshot, Table, Transaction
from tablature.engine.storage.copies import copy_items, drop_copy
from tablature.engine.tables.arns import parse_backup_arn
from tablature.engine.tables.extents import table_extent

_KIND = "backup"


@dataclass(frozen=True)
class Backup:
    """A table as it was at some moment; `copy` numbers its items in storage."""

    name: str
    label: str
    created_at: float
    table: TableSchema
    items: int
    bytes: int
    copy: int


def take_backup(transaction: Transaction, table: Table, name: str) -> Backup:
    """Copy a table as it is now."""
    now = round(transaction.now, 3)
    extent = table_extent(transaction, table.schema)
    backup = Backup(
        name=name,
        label=f"{round(now * 1000):014d}-{secrets.token_hex(4)}",
        created_at=now,
        table=table.schema,
        items=extent.items,
        bytes=extent.bytes,
        copy=transaction.next_id(),
    )
    copy_items(transaction, table, backup.copy)
    transaction.put_document(_KIND, _key(backup), msgspec.json.encode(backup))
    return backup


def require_backup(snapshot: Snapshot, arn: str) -> Backup:
    """Return the backup of an ARN."""
    part = parse_backup_arn(arn)
    if part is None:
        raise validation("Invalid Backup ARN")
    body = snapshot.document(_KIND, f"{part.table}/{part.label}")
    if body is None:
        raise ServiceError("BackupNotFoundException", f"Backup not found: {arn}")
    return _decode(body)


def all_backups(snapshot: Snapshot) -> Iterator[Backup]:
    for _, body in snapshot.documents(_KIND):
        yield _decode(body)


def discard_backup(transaction: Transaction, backup: Backup) -> None:
    drop_copy(transaction, backup.copy)
    transaction.delete_document(_KIND, _key(backup))


def _key(backup: Backup) -> str:
    return f"{backup.table.name}/{backup.label}"


_decode = msgspec.json.Decoder(Backup).decode
