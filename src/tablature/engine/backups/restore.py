"""The table that a restore creates: its source's definition with the request's overrides."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tablature.engine.errors import EngineError, validation_error
from tablature.engine.operations.tables import save_new_table, shown_as_creating
from tablature.engine.schema import IndexSchema, TableSchema, Throughput
from tablature.engine.storage import StoredTable, Transaction
from tablature.engine.tables import request_shapes as shapes
from tablature.engine.tables.description import (
    DescribedMembers,
    describe_key,
    describe_projection,
    describe_stored_table,
)
from tablature.engine.tables.lookup import Arns
from tablature.engine.tables.throughput import Billing, to_throughput
from tablature.engine.tables.update_rules import used_attributes
from tablature.engine.validation.constraints import list_of, member
from tablature.engine.validation.shapes import NEW_TABLE_NAME

Request = Mapping[str, Any]
OVERRIDES = (
    member("TargetTableName", NEW_TABLE_NAME, required=True),
    member("BillingModeOverride", shapes.BILLING_MODE),
    member("GlobalSecondaryIndexOverride", list_of(shapes.GLOBAL_INDEX)),
    member("LocalSecondaryIndexOverride", list_of(shapes.LOCAL_INDEX)),
    member("ProvisionedThroughputOverride", shapes.PROVISIONED_THROUGHPUT),
    member("OnDemandThroughputOverride", shapes.ON_DEMAND_THROUGHPUT),
    member("SSESpecificationOverride", shapes.SSE_SPECIFICATION),
)


def restored_definition(source: TableSchema, request: Request) -> TableSchema:
    """The definition of the new table, without streams, expiry, tags, protection and backups."""
    billing: Billing = request.get("BillingModeOverride", source.billing)
    target = TableSchema(
        id=0,
        name=request["TargetTableName"],
        hash=source.hash,
        range=source.range,
        attributes=source.attributes,
        billing=billing,
        throughput=_restored_throughput(source, billing, request),
        indexes=_restored_indexes(source, billing, request),
        settings={name: source.settings[name] for name in ("kms_key", "on_demand") if name in source.settings},
    )
    definitions = {attribute.name: attribute for attribute in source.attributes}
    return replace(target, attributes=used_attributes(target, definitions))


def create_restored(transaction: Transaction, definition: TableSchema, summary: DescribedMembers) -> StoredTable:
    """Create the new, still empty table."""
    if transaction.table(definition.name) is not None:
        raise EngineError("TableAlreadyExistsException", f"Table already exists: {definition.name}")
    settings = definition.settings | {"restored": summary | {"RestoreInProgress": False}}
    return StoredTable(save_new_table(transaction, replace(definition, settings=settings)))


def describe_restored(arns: Arns, transaction: Transaction, table: TableSchema) -> DescribedMembers:
    """Describe the new table as the response shows it, with the restore still in progress."""
    description = describe_stored_table(arns, transaction, shown_as_creating(table), "CREATING")
    description["RestoreSummary"] = description["RestoreSummary"] | {"RestoreInProgress": True}
    return description | {"TableSizeBytes": 0, "ItemCount": 0}


def _restored_throughput(source: TableSchema, billing: Billing, request: Request) -> Throughput:
    given = request.get("ProvisionedThroughputOverride")
    if billing == "PAY_PER_REQUEST":
        if given is not None:
            raise validation_error(
                "Invalid Request: Cannot override ProvisionedThroughput if BillingMode is overridden to PAY_PER_REQUEST"
            )
        return Throughput()
    if given is None and source.billing == "PAY_PER_REQUEST":
        raise validation_error(
            "Invalid Request: Must override ProvisionedThroughput if BillingMode is overridden to PROVISIONED"
        )
    return source.throughput if given is None else to_throughput(given)


def _restored_indexes(source: TableSchema, billing: Billing, request: Request) -> tuple[IndexSchema, ...]:
    local = [index for index in source.indexes if not index.is_global]
    global_ = [index for index in source.indexes if index.is_global]
    if (given := request.get("LocalSecondaryIndexOverride")) is not None:
        local = _matching(local, given)
    if (given := request.get("GlobalSecondaryIndexOverride")) is not None:
        global_ = [
            replace(index, throughput=_index_throughput(index.name, billing, override))
            for index, override in zip(_matching(global_, given), given, strict=True)
        ]
    elif billing == "PAY_PER_REQUEST":
        global_ = [replace(index, throughput=Throughput()) for index in global_]
    return tuple(replace(index, number=number) for number, index in enumerate([*local, *global_], 1))


def _matching(sources: Sequence[IndexSchema], overrides: Sequence[Request]) -> list[IndexSchema]:
    """The source index of each override, under the override's name."""
    matches = []
    for override in overrides:
        wanted = (override["KeySchema"], override["Projection"])
        source = next(
            (each for each in sources if (describe_key(each), describe_projection(each.projection)) == wanted),
            None,
        )
        if source is None:
            raise validation_error(
                f"Invalid Request: Index {override['IndexName']} does not match a secondary index that existed in "
                "the source table and cannot be created during the restore operation"
            )
        matches.append(replace(source, name=override["IndexName"]))
    return matches


def _index_throughput(name: str, billing: Billing, override: Request) -> Throughput:
    given = override.get("ProvisionedThroughput")
    if billing == "PAY_PER_REQUEST":
        if given is not None:
            raise validation_error(
                "Invalid Request: Cannot override ProvisionedThroughput if BillingMode is overridden to "
                f"PAY_PER_REQUEST for index {name}"
            )
        return Throughput()
    if given is None:
        raise validation_error(f"Invalid Request: Must specify provisioned throughput for index {name}")
    return to_throughput(given)
