"""CreateTable: checks a table's definition and creates it; the table can be used as soon as the answer is given."""

import uuid
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tablature.engine.constraints import anything, list_of, member, structure
from tablature.engine.context import Context, Request, Response
from tablature.engine.errors import resource_in_use
from tablature.engine.schema import IndexSchema, KeyAttribute, TableSchema
from tablature.engine.shapes import NEW_TABLE_NAME
from tablature.engine.storage import Transaction
from tablature.engine.streams.lifecycle import open_stream
from tablature.engine.tables import request_shapes as shapes
from tablature.engine.tables.definition import parse_attribute_types, parse_indexes, parse_table_key
from tablature.engine.tables.extents import describe
from tablature.engine.tables.lookup import require_name
from tablature.engine.tables.settings import (
    check_encryption,
    check_new_stream,
    check_table_class,
    check_tags,
    encryption_key,
)
from tablature.engine.tables.throughput import check_on_demand, check_warm, parse_table_throughput

SHAPE = structure(
    member("AttributeDefinitions", shapes.ATTRIBUTE_DEFINITIONS, required=True),
    member("TableName", NEW_TABLE_NAME, required=True),
    member("KeySchema", shapes.KEY_SCHEMA, required=True),
    member("GlobalSecondaryIndexes", list_of(shapes.GLOBAL_INDEX)),
    member("LocalSecondaryIndexes", list_of(shapes.LOCAL_INDEX)),
    member("BillingMode", shapes.BILLING_MODE),
    member("ProvisionedThroughput", shapes.PROVISIONED_THROUGHPUT),
    member("StreamSpecification", shapes.STREAM_SPECIFICATION),
    member("SSESpecification", shapes.SSE_SPECIFICATION),
    member("Tags", shapes.TAGS),
    member("TableClass", anything()),
    member("WarmThroughput", shapes.WARM_THROUGHPUT),
    member("OnDemandThroughput", shapes.ON_DEMAND_THROUGHPUT),
)


def run(context: Context, request: Request) -> Response:
    require_name(request)
    SHAPE.check(request)
    definition = parse_definition(request)

    def create(transaction: Transaction) -> dict[str, Any]:
        table = save_new_table(transaction, definition)
        stream = request.get("StreamSpecification")
        if stream is not None and stream["StreamEnabled"]:
            table = open_stream(transaction, table, stream["StreamViewType"])
        return describe(context.arns, transaction, as_being_created(table), "CREATING")

    return {"TableDescription": context.storage.write(create)}


def parse_definition(request: Mapping[str, Any]) -> TableSchema:
    """Check everything about the request that does not depend on other tables."""
    billing = request.get("BillingMode", "PROVISIONED")
    throughput = parse_table_throughput(billing, request.get("ProvisionedThroughput"))
    types = parse_attribute_types(request["AttributeDefinitions"])
    hash_, range_ = parse_table_key(request, types)
    indexes = parse_indexes(request, types, billing)
    check_on_demand(billing, request.get("OnDemandThroughput"))
    check_warm(billing, throughput, request.get("WarmThroughput"), "table")
    check_new_stream(request.get("StreamSpecification"))
    check_encryption(request.get("SSESpecification"))
    check_table_class(request.get("TableClass"))
    check_tags(request.get("Tags", ()))
    return TableSchema(
        id=0,
        name=request["TableName"],
        hash=hash_,
        range=range_,
        attributes=tuple(KeyAttribute(name, kind) for name, kind in types.items()),
        indexes=indexes,
        billing=billing,
        throughput=throughput,
        deletion_protection=request.get("DeletionProtectionEnabled", False),
        settings=_settings(request),
    )


def _settings(request: Mapping[str, Any]) -> dict[str, Any]:
    settings: dict[str, Any] = {}
    if request.get("Tags"):
        settings["tags"] = {tag["Key"]: tag["Value"] for tag in request["Tags"]}
    if request.get("TableClass") is not None:
        settings["table_class"] = {"TableClass": request["TableClass"]}
    if (key := encryption_key(request.get("SSESpecification"))) is not None:
        settings["kms_key"] = key
    for setting, given in (("on_demand", "OnDemandThroughput"), ("WarmThroughput", "WarmThroughput")):
        if request.get(given):
            settings[setting] = dict(request[given])
    return settings


def save_new_table(transaction: Transaction, definition: TableSchema) -> TableSchema:
    """Give a definition its identity and create it, unless its name is taken."""
    if transaction.table(definition.name) is not None:
        raise resource_in_use(f"Table already exists: {definition.name}")
    now = round(transaction.now, 3)
    settings = dict(definition.settings)
    if definition.billing == "PAY_PER_REQUEST":
        settings["on_demand_since"] = now
    table = replace(definition, id=transaction.next_id(), uuid=str(uuid.uuid4()), created_at=now, settings=settings)
    transaction.create_table(table)
    return table


def as_being_created(table: TableSchema) -> TableSchema:
    """The table as its creation is answered: every global index still in the making."""
    return replace(table, indexes=tuple(_being_created(index) for index in table.indexes))


def _being_created(index: IndexSchema) -> IndexSchema:
    return replace(index, status="CREATING") if index.is_global else index
