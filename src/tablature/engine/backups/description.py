"""Describes backups to clients."""

from tablature.engine.backups.catalogue import Backup
from tablature.engine.context import Response
from tablature.engine.operations.describe_time_to_live import describe_ttl
from tablature.engine.schema import IndexSchema
from tablature.engine.tables.arns import Arns
from tablature.engine.tables.description import (
    describe_encryption,
    describe_key,
    describe_projection,
    describe_units,
)


def describe_details(arns: Arns, backup: Backup, status: str = "AVAILABLE") -> Response:
    return {
        "BackupArn": arns.backup(backup.table.name, backup.label),
        "BackupName": backup.name,
        "BackupSizeBytes": backup.bytes,
        "BackupStatus": status,
        "BackupType": "USER",
        "BackupCreationDateTime": backup.created_at,
    }


def describe_backup(arns: Arns, backup: Backup, status: str = "AVAILABLE") -> Response:
    return {
        "BackupDetails": describe_details(arns, backup, status),
        "SourceTableDetails": _describe_source(arns, backup),
        "SourceTableFeatureDetails": _describe_features(arns, backup),
    }


def summarise_backup(arns: Arns, backup: Backup) -> Response:
    return {
        "TableName": backup.table.name,
        "TableId": backup.table.uuid,
        "TableArn": arns.table(backup.table.name),
        **describe_details(arns, backup),
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
