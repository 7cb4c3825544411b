"""Works out what an UpdateTable request does to a table's global indexes, given the table as it is."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tablature.engine.errors import invalid_parameter, limit_exceeded, resource_not_found, validation
from tablature.engine.schema import IndexSchema, KeyAttribute, TableSchema, Throughput
from tablature.engine.tables.definition import (
    MOST_GLOBAL_INDEXES,
    check_projected,
    index_settings,
    parse_attribute_types,
    parse_global_keys,
)
from tablature.engine.tables.throughput import Billing, check_on_demand, refuse_same_throughput, to_throughput

Request = Mapping[str, Any]


def added_index(table: TableSchema, request: Request, action: Request, billing: Billing) -> IndexSchema:
    """The index that a Create action asks for."""
    name = action["IndexName"]
    definitions = request.get("AttributeDefinitions")
    if definitions is None:
        raise invalid_parameter(f"AttributeDefinitions is not specified for index: {name}")
    if name in table.by_index_name:
        raise validation("Attempting to create an index which already exists")
    if sum(index.is_global for index in table.indexes) >= MOST_GLOBAL_INDEXES:
        raise limit_exceeded(
            "Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of "
            f"{MOST_GLOBAL_INDEXES}"
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
        known, known_role = roles.get(key.name, (key, role))
        if known.type != key.type:
            raise invalid_parameter(
                "Attributes cannot be redefined. Please check that your attribute has the same type as previously "
                f"defined. Existing schema: Schema:[SchemaElement: key{{{known.name}:{known.type}:{known_role}}}] "
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
        raise validation(f"Cannot {verb} an index that is not a GlobalSecondaryIndex: {name}")
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
        refuse_same_throughput(f"index {index.name}", "index", index.throughput, throughput)
    settings["throughput_changes"] = {"LastIncreaseDateTime": now}
    return replace(index, throughput=throughput, settings=settings)


def used_attributes(table: TableSchema, known: Mapping[str, KeyAttribute]) -> tuple[KeyAttribute, ...]:
    """The definitions a table still needs: those that key it or one of its indexes."""
    used = {key.name: key for index in table.indexes for key in index.keys} | {key.name: key for key in table.keys}
    kept = [used.pop(name) for name in known if name in used]
    return (*kept, *used.values())
