"""Stores on-demand backups and describes them to clients."""

import secrets
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from tablature.engine.context import Response
from tablature.engine.errors import EngineError, validation_error
from tablature.engine.operations.time_to_live import describe_ttl
from tablature.engine.schema import IndexSchema, TableSchema
from tablature.engine.storage import Snapshot, StoredTable, Transaction
from tablature.engine.storage.records import copy_items, drop_copy
from tablature.engine.tables.description import (
    describe_encryption,
    describe_key,
    describe_projection,
    describe_units,
    table_extent,
)
from tablature.engine.tables.lookup import Arns, parse_backup_arn

_KIND = "backup"


@dataclass(frozen=True)
class Backup:
    """A table as of some moment. `copy` is the number of its stored items."""

    name: str
    label: str
    created_at: float
    table: TableSchema
    items: int
    bytes: int
    copy: int


def take_backup(transaction: Transaction, table: StoredTable, name: str) -> Backup:
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
        raise validation_error("Invalid Backup ARN")
    body = snapshot.document(_KIND, f"{part.table}/{part.label}")
    if body is None:
        raise EngineError("BackupNotFoundException", f"Backup not found: {arn}")
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


def backup_details(arns: Arns, backup: Backup, status: str = "AVAILABLE") -> Response:
    return {
        "BackupArn": arns.backup(backup.table.name, backup.label),
        "BackupName": backup.name,
        "BackupSizeBytes": backup.bytes,
        "BackupStatus": status,
        "BackupType": "USER",
        "BackupCreationDateTime": backup.created_at,
    }


def backup_description(arns: Arns, backup: Backup, status: str = "AVAILABLE") -> Response:
    return {
        "BackupDetails": backup_details(arns, backup, status),
        "SourceTableDetails": _describe_source(arns, backup),
        "SourceTableFeatureDetails": _describe_features(arns, backup),
    }


def backup_summary(arns: Arns, backup: Backup) -> Response:
    return {
        "TableName": backup.table.name,
        "TableId": backup.table.uuid,
        "TableArn": arns.table(backup.table.name),
        **backup_details(arns, backup),
    }


def _describe_source(arns: Arns, backup: Backup) -> Response:
    table = backup.table
    details: Response = {
        "TableName": table.name,
        "TableId": table.uuid,
        "TableArn": arns.table(table.name),
        "TableSizeBytes": backup.bytes,
        "KeySchema": describe_key(table),
        "TableCreationDateTime": table.created_at,
        "ProvisionedThroughput": describe_units(table.throughput),
        "ItemCount": backup.items,
        "BillingMode": table.billing,
    }
    if "on_demand" in table.settings:
        details["OnDemandThroughput"] = table.settings["on_demand"]
    return details


def _describe_features(arns: Arns, backup: Backup) -> Response:
    table, features = backup.table, Response()
    for member, is_global in (("LocalSecondaryIndexes", False), ("GlobalSecondaryIndexes", True)):
        indexes = [_describe_index(index) for index in table.indexes if index.is_global is is_global]
        if indexes:
            features[member] = indexes
    if table.stream is not None:
        features["StreamDescription"] = {"StreamEnabled": True, "StreamViewType": table.stream.view}
    if table.ttl is not None:
        features["TimeToLiveDescription"] = describe_ttl(table.ttl)
    if (encryption := describe_encryption(arns, table)) is not None:
        features["SSEDescription"] = encryption
    return features


def _describe_index(index: IndexSchema) -> Response:
    members: Response = {
        "IndexName": index.name,
        "KeySchema": describe_key(index),
        "Projection": describe_projection(index.projection),
    }
    if index.is_global:
        members["ProvisionedThroughput"] = describe_units(index.throughput)
    return members
