"""What an UpdateTable request may combine, and what it does to the table's global indexes."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tablature.engine.errors import invalid_parameter, limit_exceeded, resource_not_found, validation_error
from tablature.engine.schema import IndexSchema, KeyAttribute, TableSchema, Throughput
from tablature.engine.tables.definition import (
    MAX_GLOBAL_INDEXES,
    check_projected,
    index_settings,
    parse_attribute_types,
    parse_global_keys,
)
from tablature.engine.tables.settings import check_changed_stream, check_encryption, check_table_class
from tablature.engine.tables.throughput import Billing, check_on_demand, reject_same_throughput, to_throughput

Request = Mapping[str, Any]
_EFFECTIVE = (
    "ProvisionedThroughput",
    "BillingMode",
    "StreamSpecification",
    "GlobalSecondaryIndexUpdates",
    "SSESpecification",
    "ReplicaUpdates",
    "DeletionProtectionEnabled",
    "OnDemandThroughput",
    "WarmThroughput",
    "TableClass",
)
# In the order in which the service reports them.
_ALONE = {
    "SSESpecification": "Server-Side Encryption modification must be the only operation in the request",
    "TableClass": "TableClass modification must be the only operation in the request",
    "DeletionProtectionEnabled": "DeletionProtection modification must be the only operation in the request",
    "ReplicaUpdates": "Replica modification must be the only operation in the request",
    "WarmThroughput": "WarmThroughput must be the only operation in the request",
}


def check_combination(request: Request) -> None:
    """Reject a request that changes nothing, or combines changes that must be separate."""
    present = [name for name in _EFFECTIVE if request.get(name) is not None]
    if not present or (present == ["GlobalSecondaryIndexUpdates"] and not request["GlobalSecondaryIndexUpdates"]):
        raise validation_error(
            "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, "
            "SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, "
            "MultiRegionConsistency, DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass "
            "is required"
        )
    if request.get("GlobalSecondaryIndexUpdates") == []:
        raise invalid_parameter("List of GlobalSecondaryIndexUpdates is empty")
    _check_index_actions(request)
    _check_alone(request, present)
    _check_capacity_changes(request, present)
    _check_values(request)


def _check_index_actions(request: Request) -> None:
    seen: set[str] = set()
    for update in request.get("GlobalSecondaryIndexUpdates") or ():
        if not update:
            raise invalid_parameter(
                "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
                "GlobalSecondaryIndexUpdate.Delete must not be null"
            )
        if len(update) > 1:
            raise invalid_parameter(
                "Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object"
            )
        (action,) = update.values()
        if action["IndexName"] in seen:
            raise invalid_parameter(
                "Only one global secondary index update per index is allowed simultaneously. "
                f"Index: {action['IndexName']}"
            )
        seen.add(action["IndexName"])


def check_online_actions(request: Request) -> None:
    """Reject a second creation or deletion of an index in one request."""
    updates = request.get("GlobalSecondaryIndexUpdates") or ()
    if sum("Create" in update or "Delete" in update for update in updates) > 1:
        raise limit_exceeded(
            "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table"
        )


def _check_alone(request: Request, present: list[str]) -> None:
    if "WarmThroughput" in present and changes_indexes(request, "Create"):
        raise invalid_parameter("Create global secondary index cannot be specified when updating WarmThroughput")
    for name, refusal in _ALONE.items():
        if name in present and len(present) > 1:
            raise invalid_parameter(refusal)
    if "OnDemandThroughput" in present and set(present) - {"OnDemandThroughput", "BillingMode"}:
        raise invalid_parameter("OnDemandThroughput can only be combined with BillingMode in an UpdateTable request")


def _check_capacity_changes(request: Request, present: list[str]) -> None:
    changes_capacity = "ProvisionedThroughput" in present
    if "StreamSpecification" in present and (changes_capacity or request.get("BillingMode") == "PROVISIONED"):
        raise invalid_parameter("You cannot modify stream status while updating table IOPS")
    if changes_indexes(request, "Create") or changes_indexes(request, "Delete"):
        if changes_capacity:
            raise invalid_parameter("You cannot create or delete index while updating table IOPS")
        if "StreamSpecification" in present:
            raise invalid_parameter("You cannot create or delete index while changing stream status")


def _check_values(request: Request) -> None:
    billing, throughput = request.get("BillingMode"), request.get("ProvisionedThroughput")
    if billing == "PAY_PER_REQUEST" and throughput is not None:
        raise invalid_parameter("ProvisionedThroughput cannot be specified when BillingMode is PAY_PER_REQUEST")
    if billing == "PROVISIONED" and throughput is None:
        raise invalid_parameter("ProvisionedThroughput must be specified when BillingMode is PROVISIONED")
    if (stream := request.get("StreamSpecification")) is not None:
        check_changed_stream(stream)
    check_encryption(request.get("SSESpecification"))
    check_table_class(request.get("TableClass"))
    if request.get("ReplicaUpdates") is not None:
        raise validation_error("Global tables are not supported: this endpoint serves a single region.")


def changes_indexes(request: Request, action: str) -> bool:
    """Whether a request has an index action of this kind."""
    return any(action in update for update in request.get("GlobalSecondaryIndexUpdates") or ())


def added_index(table: TableSchema, request: Request, action: Request, billing: Billing) -> IndexSchema:
    """The index that a Create action asks for."""
    name = action["IndexName"]
    definitions = request.get("AttributeDefinitions")
    if definitions is None:
        raise invalid_parameter(f"AttributeDefinitions is not specified for index: {name}")
    if name in table.by_index_name:
        raise validation_error("Attempting to create an index which already exists")
    if sum(index.is_global for index in table.indexes) >= MAX_GLOBAL_INDEXES:
        raise limit_exceeded(
            "Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of "
            f"{MAX_GLOBAL_INDEXES}"
        )
    number = 1 + max([table.settings.get("last_index", 0), *(index.number for index in table.indexes)])
    index = parse_global_keys(action, parse_attribute_types(definitions), number)
    _require_same_types(table, index)
    check_projected([*table.indexes, index])
    check_on_demand(billing, action.get("OnDemandThroughput"), f"index : {name}")
    return replace(index, throughput=_new_throughput(action, billing), settings=index_settings(action))


def _new_throughput(action: Request, billing: Billing) -> Throughput:
    given, name = action.get("ProvisionedThroughput"), action["IndexName"]
    if billing == "PAY_PER_REQUEST":
        if given is not None:
            raise invalid_parameter(
                f"Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: {name} "
                "when BillingMode is PAY_PER_REQUEST"
            )
        return Throughput()
    if given is None:
        raise invalid_parameter(f"Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: {name}")
    return to_throughput(given)


def _require_same_types(table: TableSchema, index: IndexSchema) -> None:
    schemas: list[TableSchema | IndexSchema] = [table, *table.indexes]
    roles = {key.name: (key, role) for schema in schemas for key, role in _roles(schema)}
    for key, role in _roles(index):
        old, old_role = roles.get(key.name, (key, role))
        if old.type != key.type:
            raise invalid_parameter(
                "Attributes cannot be redefined. Please check that your attribute has the same type as previously "
                f"defined. Existing schema: Schema:[SchemaElement: key{{{old.name}:{old.type}:{old_role}}}] "
                f"New schema: Schema:[SchemaElement: key{{{key.name}:{key.type}:{role}}}]"
            )


def _roles(schema: TableSchema | IndexSchema) -> list[tuple[KeyAttribute, str]]:
    return [(key, "HASH") for key in schema.hashes] + [(key, "RANGE") for key in schema.ranges]


def existing_index(table: TableSchema, name: str, verb: str) -> IndexSchema:
    """The global index that an Update or Delete action names."""
    index = table.by_index_name.get(name)
    if index is None:
        raise resource_not_found(f"Requested resource not found: Index {name} for table {table.name}")
    if not index.is_global:
        raise validation_error(f"Cannot {verb} an index that is not a GlobalSecondaryIndex: {name}")
    return index


def changed_index(table: TableSchema, action: Request, billing: Billing, now: float) -> IndexSchema:
    """The index as an Update action leaves it."""
    index = existing_index(table, action["IndexName"], "update")
    given = action.get("ProvisionedThroughput")
    check_on_demand(billing, action.get("OnDemandThroughput"), f"index : {index.name}", clearable=True)
    settings = index.settings | index_settings(action)
    if given is None:
        return replace(index, settings=settings)
    if billing == "PAY_PER_REQUEST":
        raise invalid_parameter(
            f"The only Updates for index: {index.name} when TableThroughputMode is PAY_PER_REQUEST can be to "
            "OnDemandThroughput, WarmThroughput"
        )
    throughput = to_throughput(given)
    if table.billing == billing:
        reject_same_throughput(f"index {index.name}", "index", index.throughput, throughput)
    settings["throughput_changes"] = {"LastIncreaseDateTime": now}
    return replace(index, throughput=throughput, settings=settings)


def used_attributes(table: TableSchema, definitions: Mapping[str, KeyAttribute]) -> tuple[KeyAttribute, ...]:
    """The attribute definitions that the table and its indexes still use."""
    used = {key.name: key for index in table.indexes for key in index.keys} | {key.name: key for key in table.keys}
    kept = [used.pop(name) for name in definitions if name in used]
    return (*kept, *used.values())
