"""Works out the table that a restore creates: its source's definition with the request's overrides."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tablature.engine.constraints import list_of, member
from tablature.engine.errors import ServiceError, validation
from tablature.engine.operations.create_table import as_being_created, save_new_table
from tablature.engine.schema import IndexSchema, TableSchema, Throughput
from tablature.engine.shapes import NEW_TABLE_NAME
from tablature.engine.storage import Table, Transaction
from tablature.engine.tables import request_shapes as shapes
from tablature.engine.tables.arns import Arns
from tablature.engine.tables.description import Members, describe_key, describe_projection
from tablature.engine.tables.extents import describe
from tablature.engine.tables.index_changes import used_attributes
from tablature.engine.tables.throughput import Billing, to_throughput

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
    """The definition of the new table; streams, expiry, tags, protection and backups do not carry over."""
    billing: Billing = request.get("BillingModeOverride", source.billing)
    target = TableSchema(
        id=0,
        name=request["TargetTableName"],
        hash=source.hash,
        range=source.range,
        attributes=source.attributes,
        billing=billing,
        throughput=_throughput(source, billing, request),
        indexes=_indexes(source, billing, request),
        settings={name: source.settings[name] for name in ("kms_key", "on_demand") if name in source.settings},
    )
    known = {attribute.name: attribute for attribute in source.attributes}
    return replace(target, attributes=used_attributes(target, known))


def create_restored(transaction: Transaction, definition: TableSchema, summary: Members) -> Table:
    """Create the new, still empty table."""
    if transaction.table(definition.name) is not None:
        raise ServiceError("TableAlreadyExistsException", f"Table already exists: {definition.name}")
    settings = definition.settings | {"restored": summary | {"RestoreInProgress": False}}
    return Table(save_new_table(transaction, replace(definition, settings=settings)))


def describe_restored(arns: Arns, transaction: Transaction, table: TableSchema) -> Members:
    """Describe the new table as the answer shows it, with the restore still under way."""
    description = describe(arns, transaction, as_being_created(table), "CREATING")
    description["RestoreSummary"] = description["RestoreSummary"] | {"RestoreInProgress": True}
    return description | {"TableSizeBytes": 0, "ItemCount": 0}


def _throughput(source: TableSchema, billing: Billing, request: Request) -> Throughput:
    given = request.get("ProvisionedThroughputOverride")
    if billing == "PAY_PER_REQUEST":
        if given is not None:
            raise validation(
                "Invalid Request: Cannot override ProvisionedThroughput if BillingMode is overridden to PAY_PER_REQUEST"
            )
        return Throughput()
    if given is None and source.billing == "PAY_PER_REQUEST":
        raise validation(
            "Invalid Request: Must override ProvisionedThroughput if BillingMode is overridden to PROVISIONED"
        )
    return source.throughput if given is None else to_throughput(given)


def _indexes(source: TableSchema, billing: Billing, request: Request) -> tuple[IndexSchema, ...]:
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
    """Each override's source index, under the name the override gives it."""
    found = []
    for override in overrides:
        wanted = (override["KeySchema"], override["Projection"])
        source = next(
            (each for each in sources if (describe_key(each), describe_projection(each.projection)) == wanted),
            None,
        )
        if source is None:
            raise validation(
                f"Invalid Request: Index {override['IndexName']} does not match a secondary index that existed in "
                "the source table and cannot be created during the restore operation"
            )
        found.append(replace(source, name=override["IndexName"]))
    return found


def _index_throughput(name: str, billing: Billing, override: Request) -> Throughput:
    given = override.get("ProvisionedThroughput")
    if billing == "PAY_PER_REQUEST":
        if given is not None:
            raise validation(
                "Invalid Request: Cannot override ProvisionedThroughput if BillingMode is overridden to "
                f"PAY_PER_REQUEST for index {name}"
            )
        return Throughput()
    if given is None:
        raise validation(f"Invalid Request: Must specify provisioned throughput for index {name}")
    return to_throughput(given)
