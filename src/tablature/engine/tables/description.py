"""Describes tables and indexes to clients, as DescribeTable does."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tablature.engine.schema import IndexProjection, IndexSchema, KeyAttribute, TableSchema, Throughput
from tablature.engine.storage import Snapshot
from tablature.engine.tables.lookup import Arns
from tablature.engine.tables.throughput import ON_DEMAND_WARM_READS, ON_DEMAND_WARM_WRITES

DescribedMembers = dict[str, Any]


@dataclass(frozen=True)
class Extent:
    """How many items a table or an index holds, and their size in bytes."""

    items: int = 0
    bytes: int = 0


def describe_table(
    arns: Arns, table: TableSchema, extent: Extent, index_extents: Mapping[str, Extent], status: str = "ACTIVE"
) -> DescribedMembers:
    """Describe a table; `status` lets a response show the transition that a change passes through."""
    members: DescribedMembers = {
        "AttributeDefinitions": describe_attributes(table.attributes),
        "TableName": table.name,
        "KeySchema": describe_key(table),
        "TableStatus": status,
        "CreationDateTime": table.created_at,
        "ProvisionedThroughput": _describe_throughput(table.throughput, table.settings),
        "TableSizeBytes": extent.bytes,
        "ItemCount": extent.items,
        "TableArn": arns.table(table.name),
        "TableId": table.uuid,
        "DeletionProtectionEnabled": table.deletion_protection,
        **_describe_billing(table, status),
        **_describe_stream(arns, table),
        **_describe_settings(arns, table),
        **_describe_indexes(arns, table, index_extents),
    }
    if status != "CREATING":
        members["WarmThroughput"] = _describe_warm(table, table.throughput, table.settings)
    return members


def describe_deletion(arns: Arns, table: TableSchema, extent: Extent) -> DescribedMembers:
    """Describe a table that has just been removed, which the service does more briefly."""
    return {
        "TableName": table.name,
        "TableStatus": "DELETING",
        "ProvisionedThroughput": _describe_throughput(table.throughput, table.settings),
        "TableSizeBytes": extent.bytes,
        "ItemCount": extent.items,
        "TableArn": arns.table(table.name),
        "TableId": table.uuid,
        "DeletionProtectionEnabled": table.deletion_protection,
        **_describe_billing(table, "DELETING"),
        **_describe_stream(arns, table),
    }


def describe_attributes(attributes: Sequence[KeyAttribute]) -> list[DescribedMembers]:
    return [
        {"AttributeName": attribute.name, "AttributeType": attribute.type}
        for attribute in sorted(attributes, key=lambda each: each.name)
    ]


def describe_key(schema: TableSchema | IndexSchema) -> list[DescribedMembers]:
    """Describe what a table or index is keyed by."""
    return describe_key_attributes(schema.hashes, schema.ranges)


def describe_key_attributes(hashes: Sequence[KeyAttribute], ranges: Sequence[KeyAttribute]) -> list[DescribedMembers]:
    roles = [(key, "HASH") for key in hashes] + [(key, "RANGE") for key in ranges]
    return [{"AttributeName": key.name, "KeyType": role} for key, role in roles]


def describe_projection(projection: IndexProjection) -> DescribedMembers:
    if projection.kind == "INCLUDE":
        return {"ProjectionType": "INCLUDE", "NonKeyAttributes": sorted(projection.attributes)}
    return {"ProjectionType": projection.kind}


def describe_units(throughput: Throughput) -> DescribedMembers:
    return {"ReadCapacityUnits": throughput.read, "WriteCapacityUnits": throughput.write}


def describe_encryption(arns: Arns, table: TableSchema) -> DescribedMembers | None:
    """Describe encryption, which is shown only for a key other than the service's own."""
    key = table.settings.get("kms_key")
    return None if key is None else {"Status": "ENABLED", "SSEType": "KMS", "KMSMasterKeyArn": arns.key(key)}


def _describe_throughput(throughput: Throughput, settings: Mapping[str, Any]) -> DescribedMembers:
    changed = settings.get("throughput_changes", {})
    return {**changed, "NumberOfDecreasesToday": 0, **describe_units(throughput)}


def _describe_billing(table: TableSchema, status: str) -> DescribedMembers:
    switched = table.settings.get("on_demand_since")
    if table.billing == "PROVISIONED" and switched is None:
        return {}
    summary: DescribedMembers = {"BillingMode": table.billing}
    if switched is not None and status != "CREATING":
        summary["LastUpdateToPayPerRequestDateTime"] = switched
    return {"BillingModeSummary": summary}


def _describe_stream(arns: Arns, table: TableSchema) -> DescribedMembers:
    members: DescribedMembers = {}
    if table.stream is not None:
        members["StreamSpecification"] = {"StreamEnabled": True, "StreamViewType": table.stream.view}
    label = table.stream.label if table.stream is not None else table.settings.get("last_stream_label")
    if label is not None:
        members["LatestStreamLabel"] = label
        members["LatestStreamArn"] = arns.stream(table.name, label)
    return members


def _describe_settings(arns: Arns, table: TableSchema) -> DescribedMembers:
    members: DescribedMembers = {}
    if (encryption := describe_encryption(arns, table)) is not None:
        members["SSEDescription"] = encryption
    for member, setting in (
        ("TableClassSummary", "table_class"),
        ("OnDemandThroughput", "on_demand"),
        ("RestoreSummary", "restored"),
    ):
        if setting in table.settings:
            members[member] = table.settings[setting]
    return members


def _describe_warm(table: TableSchema, throughput: Throughput, settings: Mapping[str, Any]) -> DescribedMembers:
    on_demand = table.billing == "PAY_PER_REQUEST"
    warm = settings.get("WarmThroughput", {})
    return {
        "ReadUnitsPerSecond": warm.get("ReadUnitsPerSecond", ON_DEMAND_WARM_READS if on_demand else throughput.read),
        "WriteUnitsPerSecond": warm.get(
            "WriteUnitsPerSecond", ON_DEMAND_WARM_WRITES if on_demand else throughput.write
        ),
        "Status": "ACTIVE",
    }


def _describe_indexes(arns: Arns, table: TableSchema, extents: Mapping[str, Extent]) -> DescribedMembers:
    local = [_describe_index(arns, table, index, extents) for index in table.indexes if not index.is_global]
    global_ = [_describe_global_index(arns, table, index, extents) for index in table.indexes if index.is_global]
    members: DescribedMembers = {}
    if local:
        members["LocalSecondaryIndexes"] = local
    if global_:
        members["GlobalSecondaryIndexes"] = global_
    return members


def _describe_index(
    arns: Arns, table: TableSchema, index: IndexSchema, extents: Mapping[str, Extent]
) -> DescribedMembers:
    extent = extents.get(index.name, Extent())
    return {
        "IndexName": index.name,
        "KeySchema": describe_key(index),
        "Projection": describe_projection(index.projection),
        "IndexSizeBytes": extent.bytes,
        "ItemCount": extent.items,
        "IndexArn": arns.index(table.name, index.name),
    }


def _describe_global_index(
    arns: Arns, table: TableSchema, index: IndexSchema, extents: Mapping[str, Extent]
) -> DescribedMembers:
    members = _describe_index(arns, table, index, extents)
    members["IndexStatus"] = index.status
    members["ProvisionedThroughput"] = _describe_throughput(index.throughput, index.settings)
    if "OnDemandThroughput" in index.settings:
        members["OnDemandThroughput"] = index.settings["OnDemandThroughput"]
    if index.status == "ACTIVE":
        members["WarmThroughput"] = _describe_warm(table, index.throughput, index.settings)
    elif index.settings.get("backfilling") is not None:
        members["Backfilling"] = index.settings["backfilling"]
    return members


def table_extent(snapshot: Snapshot, table: TableSchema) -> Extent:
    return Extent(*snapshot.counts(table.id).get(0, (0, 0)))


def index_extents(snapshot: Snapshot, table: TableSchema) -> dict[str, Extent]:
    counts = snapshot.counts(table.id)
    return {index.name: Extent(*counts.get(index.number, (0, 0))) for index in table.indexes}


def describe_stored_table(
    arns: Arns, snapshot: Snapshot, table: TableSchema, status: str = "ACTIVE"
) -> DescribedMembers:
    """Describe a table with its current size."""
    return describe_table(arns, table, table_extent(snapshot, table), index_extents(snapshot, table), status)
