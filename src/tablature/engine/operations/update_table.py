"""UpdateTable: capacity, billing, stream, settings, and the addition and removal of global indexes.

Every change is complete when the response is returned; the response still shows the service's transition state.
"""

from dataclasses import replace
from typing import Any

from tablature.engine.context import EngineContext, Request, Response
from tablature.engine.errors import invalid_parameter, validation_error
from tablature.engine.schema import IndexSchema, TableSchema
from tablature.engine.storage import Transaction
from tablature.engine.streams.lifecycle import close_stream, open_stream
from tablature.engine.tables import request_shapes as shapes
from tablature.engine.tables.description import describe_stored_table
from tablature.engine.tables.lookup import require_name, require_table
from tablature.engine.tables.settings import encryption_key
from tablature.engine.tables.throughput import Billing, check_on_demand, reject_same_throughput, to_throughput
from tablature.engine.tables.update_rules import (
    added_index,
    changed_index,
    check_combination,
    check_online_actions,
    existing_index,
    used_attributes,
)
from tablature.engine.validation.constraints import anything, list_of, member, structure
from tablature.engine.validation.shapes import TABLE_NAME

_UPDATE_TABLE_SHAPE = structure(
    member("AttributeDefinitions", shapes.ATTRIBUTE_DEFINITIONS),
    member("TableName", TABLE_NAME, required=True),
    member("BillingMode", shapes.BILLING_MODE),
    member("ProvisionedThroughput", shapes.PROVISIONED_THROUGHPUT),
    member("GlobalSecondaryIndexUpdates", list_of(shapes.GLOBAL_INDEX_UPDATE)),
    member("StreamSpecification", shapes.STREAM_SPECIFICATION),
    member("SSESpecification", shapes.SSE_SPECIFICATION),
    member("ReplicaUpdates", list_of(anything(), 1)),
    member("OnDemandThroughput", shapes.ON_DEMAND_THROUGHPUT),
    member("WarmThroughput", shapes.WARM_THROUGHPUT),
)
_SHOWN_AS_UPDATING = {
    "ProvisionedThroughput",
    "BillingMode",
    "StreamSpecification",
    "TableClass",
}


def update_table(context: EngineContext, request: Request) -> Response:
    require_name(request)
    _UPDATE_TABLE_SHAPE.check(request)
    check_combination(request)

    def update(transaction: Transaction) -> dict[str, Any]:
        table = require_table(transaction, request["TableName"]).schema
        check_online_actions(request)
        changed = _change_capacity(table, request, round(transaction.now, 3))
        changed = _change_settings(changed, request)
        changed = _change_stream(transaction, changed, request)
        changed, shown = _change_indexes(transaction, changed, request)
        transaction.save_table(changed)
        return describe_stored_table(context.arns, transaction, shown, _shown_status(request))

    return {"TableDescription": context.storage.write(update)}


def _shown_status(request: Request) -> str:
    online = any("Update" not in update for update in request.get("GlobalSecondaryIndexUpdates") or ())
    return "UPDATING" if online or _SHOWN_AS_UPDATING & set(request) else "ACTIVE"


def _change_capacity(table: TableSchema, request: Request, now: float) -> TableSchema:
    billing: Billing = request.get("BillingMode", table.billing)
    given = request.get("ProvisionedThroughput")
    check_on_demand(billing, request.get("OnDemandThroughput"), clearable=True)
    settings = dict(table.settings)
    if request.get("OnDemandThroughput"):
        settings["on_demand"] = {**settings.get("on_demand", {}), **request["OnDemandThroughput"]}
    if request.get("WarmThroughput"):
        settings["WarmThroughput"] = {**settings.get("WarmThroughput", {}), **request["WarmThroughput"]}
    if billing == "PAY_PER_REQUEST" and given is not None:
        raise invalid_parameter(
            "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST"
        )
    if billing != table.billing:
        return _switch_billing(replace(table, settings=settings), request, billing, now)
    if given is None:
        return replace(table, settings=settings)
    throughput = to_throughput(given)
    reject_same_throughput("table", "table", table.throughput, throughput)
    settings["throughput_changes"] = {"LastIncreaseDateTime": now}
    return replace(table, throughput=throughput, settings=settings)


def _switch_billing(table: TableSchema, request: Request, billing: Billing, now: float) -> TableSchema:
    if billing == "PAY_PER_REQUEST":
        none = to_throughput({"ReadCapacityUnits": 0, "WriteCapacityUnits": 0})
        indexes = tuple(replace(index, throughput=none) for index in table.indexes)
        settings = table.settings | {"on_demand_since": now}
        return replace(table, billing=billing, throughput=none, indexes=indexes, settings=settings)
    updated = {
        update["Update"]["IndexName"]
        for update in request.get("GlobalSecondaryIndexUpdates") or ()
        if update.get("Update", {}).get("ProvisionedThroughput")
    }
    for index in table.indexes:
        if index.is_global and index.name not in updated:
            raise invalid_parameter(f"ProvisionedThroughput must be specified for index: {index.name}")
    settings = {name: value for name, value in table.settings.items() if name != "on_demand"}
    return replace(
        table, billing=billing, throughput=to_throughput(request["ProvisionedThroughput"]), settings=settings
    )


def _change_settings(table: TableSchema, request: Request) -> TableSchema:
    settings = dict(table.settings)
    if request.get("TableClass") is not None:
        settings["table_class"] = {"TableClass": request["TableClass"]}
    if request.get("SSESpecification") is not None:
        key = encryption_key(request["SSESpecification"])
        if key is None and "kms_key" not in settings:
            raise invalid_parameter("Table is already encrypted by default")
        settings.pop("kms_key", None)
        settings |= {} if key is None else {"kms_key": key}
    protection = request.get("DeletionProtectionEnabled", table.deletion_protection)
    return replace(table, deletion_protection=protection, settings=settings)


def _change_stream(transaction: Transaction, table: TableSchema, request: Request) -> TableSchema:
    given = request.get("StreamSpecification")
    if given is None:
        return table
    if given["StreamEnabled"]:
        if table.stream is not None:
            raise validation_error(f"Table already has an enabled stream: TableName: {table.name}")
        return open_stream(transaction, table, given["StreamViewType"])
    if table.stream is None:
        raise validation_error(f"Table has no stream to disable: TableName: {table.name}")
    return close_stream(transaction, table)


def _change_indexes(transaction: Transaction, table: TableSchema, request: Request) -> tuple[TableSchema, TableSchema]:
    """Execute the index actions. Returns the table as stored, and as the response shows it."""
    shown = table
    for update in request.get("GlobalSecondaryIndexUpdates") or ():
        if "Create" in update:
            index = added_index(table, request, update["Create"], table.billing)
            table = _add_index(transaction, table, index)
            shown = _with_index(shown, replace(index, status="CREATING", settings={"backfilling": False}))
        elif "Delete" in update:
            index = existing_index(table, update["Delete"]["IndexName"], "delete")
            table = _remove_index(transaction, table, index)
            shown = _with_index(shown, replace(index, status="DELETING"))
        else:
            index = changed_index(table, update["Update"], table.billing, round(transaction.now, 3))
            before = table.by_index_name[index.name]
            table = _with_index(table, index)
            shown = _with_index(shown, replace(before, status="UPDATING"))
    return table, replace(shown, attributes=table.attributes)


def _add_index(transaction: Transaction, table: TableSchema, index: IndexSchema) -> TableSchema:
    changed = _with_index(table, index)
    definitions = {attribute.name: attribute for attribute in table.attributes}
    settings = changed.settings | {"last_index": index.number}
    changed = replace(changed, attributes=used_attributes(changed, definitions), settings=settings)
    transaction.add_index(changed, index)
    return changed


def _remove_index(transaction: Transaction, table: TableSchema, index: IndexSchema) -> TableSchema:
    kept = tuple(each for each in table.indexes if each.name != index.name)
    settings = table.settings | {"last_index": max(each.number for each in table.indexes)}
    changed = replace(table, indexes=kept, settings=settings)
    definitions = {attribute.name: attribute for attribute in table.attributes}
    changed = replace(changed, attributes=used_attributes(changed, definitions))
    transaction.remove_index(changed, index)
    return changed


def _with_index(table: TableSchema, index: IndexSchema) -> TableSchema:
    others = {each.name: each for each in table.indexes}
    return replace(table, indexes=tuple((others | {index.name: index}).values()))
