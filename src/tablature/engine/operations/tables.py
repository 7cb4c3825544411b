"""CreateTable, DeleteTable, DescribeTable, ListTables, DescribeLimits and DescribeEndpoints.

A new table can be used as soon as CreateTable returns.
"""

import uuid
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tablature.engine.backups.continuous import continuous_backups_of
from tablature.engine.context import EngineContext, Request, Response
from tablature.engine.errors import resource_in_use, validation_error
from tablature.engine.schema import KeyAttribute, TableSchema
from tablature.engine.storage import Transaction
from tablature.engine.storage.records import drop_records
from tablature.engine.streams.lifecycle import close_stream, open_stream
from tablature.engine.tables import request_shapes as shapes
from tablature.engine.tables.definition import parse_attribute_types, parse_indexes, parse_table_key
from tablature.engine.tables.description import describe_deletion, describe_stored_table, table_extent
from tablature.engine.tables.lookup import require_name, require_table
from tablature.engine.tables.settings import (
    check_encryption,
    check_new_stream,
    check_table_class,
    check_tags,
    encryption_key,
)
from tablature.engine.tables.throughput import check_on_demand, check_warm, parse_table_throughput
from tablature.engine.validation.constraints import anything, integer, list_of, member, structure
from tablature.engine.validation.shapes import NEW_TABLE_NAME, TABLE_NAME

_CREATE_TABLE_SHAPE = structure(
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


def create_table(context: EngineContext, request: Request) -> Response:
    require_name(request)
    _CREATE_TABLE_SHAPE.check(request)
    definition = parse_definition(request)

    def create(transaction: Transaction) -> dict[str, Any]:
        table = save_new_table(transaction, definition)
        stream = request.get("StreamSpecification")
        if stream is not None and stream["StreamEnabled"]:
            table = open_stream(transaction, table, stream["StreamViewType"])
        return describe_stored_table(context.arns, transaction, shown_as_creating(table), "CREATING")

    return {"TableDescription": context.storage.write(create)}


def parse_definition(request: Mapping[str, Any]) -> TableSchema:
    """The definition in a request, with all checks that don't depend on other tables."""
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
        settings=_table_settings(request),
    )


def _table_settings(request: Mapping[str, Any]) -> dict[str, Any]:
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
    """Create a table from a definition. Raises if the name is taken."""
    if transaction.table(definition.name) is not None:
        raise resource_in_use(f"Table already exists: {definition.name}")
    now = round(transaction.now, 3)
    settings = dict(definition.settings)
    if definition.billing == "PAY_PER_REQUEST":
        settings["on_demand_since"] = now
    table = replace(definition, id=transaction.next_id(), uuid=str(uuid.uuid4()), created_at=now, settings=settings)
    transaction.create_table(table)
    return table


def shown_as_creating(table: TableSchema) -> TableSchema:
    """The table as the CreateTable response shows it, with global indexes still being created."""
    return replace(
        table, indexes=tuple(replace(index, status="CREATING") if index.is_global else index for index in table.indexes)
    )


_DELETE_TABLE_SHAPE = structure(member("TableName", TABLE_NAME, required=True))


def delete_table(context: EngineContext, request: Request) -> Response:
    require_name(request)
    _DELETE_TABLE_SHAPE.check(request)

    def delete(transaction: Transaction) -> Response:
        table = require_table(transaction, request["TableName"])
        if table.schema.deletion_protection:
            raise validation_error(
                "Resource cannot be deleted as it is currently protected against deletion. "
                "Disable deletion protection first."
            )
        description = describe_deletion(context.arns, table.schema, table_extent(transaction, table.schema))
        close_stream(transaction, table.schema)
        if (history := continuous_backups_of(table.schema)) is not None:
            drop_records(transaction, history.stream)
        transaction.drop_table(table)
        return description

    return {"TableDescription": context.storage.write(delete)}


_DESCRIBE_TABLE_SHAPE = structure(member("TableName", TABLE_NAME, required=True))


def describe_table(context: EngineContext, request: Request) -> Response:
    require_name(request)
    _DESCRIBE_TABLE_SHAPE.check(request)
    table = require_table(context.storage, request["TableName"])
    with context.storage.snapshot() as snapshot:
        return {"Table": describe_stored_table(context.arns, snapshot, table.schema)}


MAX_NAMES = 100
_LIST_TABLES_SHAPE = structure(
    member("ExclusiveStartTableName", NEW_TABLE_NAME),
    member("Limit", integer(1, MAX_NAMES)),
)


def list_tables(context: EngineContext, request: Request) -> Response:
    _LIST_TABLES_SHAPE.check(request)
    names = [table.name for table in context.storage.tables()]
    start = bisect_right(names, request.get("ExclusiveStartTableName", ""))
    limit = request.get("Limit", MAX_NAMES)
    page = names[start : start + limit]
    response: dict[str, Any] = {"TableNames": page}
    if start + limit < len(names):
        response["LastEvaluatedTableName"] = page[-1]
    return response


ACCOUNT_UNITS = 80_000
TABLE_UNITS = 40_000


def describe_limits(_context: EngineContext, _request: Request) -> Response:
    return {
        "AccountMaxReadCapacityUnits": ACCOUNT_UNITS,
        "AccountMaxWriteCapacityUnits": ACCOUNT_UNITS,
        "TableMaxReadCapacityUnits": TABLE_UNITS,
        "TableMaxWriteCapacityUnits": TABLE_UNITS,
    }


CACHE_MINUTES = 1440


def describe_endpoints(context: EngineContext, _request: Request) -> Response:
    return {
        "Endpoints": [{"Address": f"dynamodb.{context.region}.amazonaws.com", "CachePeriodInMinutes": CACHE_MINUTES}]
    }
