"""Parses a CreateTable request into a table definition, with checks in the service's order."""

from collections.abc import Mapping, Sequence
from typing import Any

from tablature.engine.errors import invalid_parameter, validation_error
from tablature.engine.schema import IndexProjection, IndexSchema, KeyAttribute, ScalarType
from tablature.engine.tables.throughput import Billing, check_on_demand, check_warm, parse_index_throughput
from tablature.engine.validation.java_order import hash_set_text, sized_hash_set_text

Request = Mapping[str, Any]
Types = Mapping[str, ScalarType]
MAX_LOCAL_INDEXES = 5
MAX_GLOBAL_INDEXES = 20
MAX_PROJECTED = 100
MAX_KEY_ATTRIBUTES = 4


def parse_attribute_types(definitions: Sequence[Request]) -> dict[str, ScalarType]:
    """The type of each defined attribute. Raises for a name defined twice."""
    types: dict[str, ScalarType] = {}
    for definition in definitions:
        name = definition["AttributeName"]
        if name in types:
            raise validation_error(f"Attribute Name is duplicated: {name}")
        types[name] = definition["AttributeType"]
    return types


def parse_table_key(request: Request, types: Types) -> tuple[KeyAttribute, KeyAttribute | None]:
    """Check the table's own key schema and that nothing beyond it is defined when there are no indexes."""
    schema = request["KeySchema"]
    if len(schema) > len(types):
        raise validation_error("Invalid KeySchema: Some index key attribute have no definition")
    _require_defined(schema, types)
    _require_distinct(schema)
    key = _parse_key(schema, types)
    indexed = "LocalSecondaryIndexes" in request or "GlobalSecondaryIndexes" in request
    if not indexed and len(schema) != len(types):
        raise invalid_parameter(
            "Number of attributes in KeySchema does not exactly match number of attributes defined in "
            "AttributeDefinitions"
        )
    return key


def parse_indexes(request: Request, types: Types, billing: Billing) -> tuple[IndexSchema, ...]:
    """Check every index of a new table; numbers are given in the order of the request, local indexes first."""
    local = request.get("LocalSecondaryIndexes")
    global_ = request.get("GlobalSecondaryIndexes")
    for kind, given in (("LocalSecondaryIndexes", local), ("GlobalSecondaryIndexes", global_)):
        if given is not None and not given:
            raise invalid_parameter(f"List of {kind} is empty")
    _require_exact_definitions(request, types)
    indexes = [
        *(_parse_local(index, request["KeySchema"], types, number) for number, index in enumerate(local or (), 1)),
        *(
            parse_global(index, types, billing, number)
            for number, index in enumerate(global_ or (), 1 + len(local or ()))
        ),
    ]
    _require_unique_names(indexes)
    check_projected(indexes)
    if local and len(local) > MAX_LOCAL_INDEXES:
        raise invalid_parameter(f"Number of LocalSecondaryIndexes exceeds per-table limit of {MAX_LOCAL_INDEXES}")
    if global_ and len(global_) > MAX_GLOBAL_INDEXES:
        raise invalid_parameter(f"GlobalSecondaryIndex count exceeds the per-table limit of {MAX_GLOBAL_INDEXES}")
    return tuple(indexes)


def parse_global(index: Request, types: Types, billing: Billing, number: int) -> IndexSchema:
    """Check one global index of a new table."""
    parsed = parse_global_keys(index, types, number)
    throughput = parse_index_throughput(billing, index)
    name = index["IndexName"]
    check_on_demand(billing, index.get("OnDemandThroughput"), f"index : {name}")
    check_warm(billing, throughput, index.get("WarmThroughput"), f"index {name}")
    return IndexSchema(
        number=number,
        name=name,
        kind="gsi",
        hash=parsed.hash,
        range=parsed.range,
        projection=parsed.projection,
        throughput=throughput,
        settings=index_settings(index),
        more_hashes=parsed.more_hashes,
        more_ranges=parsed.more_ranges,
    )


def parse_global_keys(index: Request, types: Types, number: int) -> IndexSchema:
    """Check a global index's keys and projection, leaving its throughput to the caller."""
    schema = index["KeySchema"]
    _require_defined(schema, types)
    if len({element["AttributeName"] for element in schema}) < len(schema):
        raise validation_error("The KeySchema contains multiple key attributes with the same name")
    hashes, ranges = _parse_joined_keys(schema, types)
    return IndexSchema(
        number=number,
        name=index["IndexName"],
        kind="gsi",
        hash=hashes[0],
        range=ranges[0] if ranges else None,
        projection=_parse_projection(index["Projection"]),
        more_hashes=hashes[1:],
        more_ranges=ranges[1:],
    )


def index_settings(index: Request) -> dict[str, Any]:
    """The settings that only describing an index needs."""
    return {name: dict(index[name]) for name in ("OnDemandThroughput", "WarmThroughput") if index.get(name)}


def _parse_local(index: Request, table_schema: Sequence[Request], types: Types, number: int) -> IndexSchema:
    if len(table_schema) < 2:
        raise invalid_parameter(
            "Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex"
        )
    schema, name = index["KeySchema"], index["IndexName"]
    _require_defined(schema, types)
    _require_distinct(schema)
    hash_, range_ = _parse_key(schema, types)
    if range_ is None:
        raise invalid_parameter(f"Index KeySchema does not have a range key for index: {name}")
    table_hash = table_schema[0]["AttributeName"]
    if hash_.name != table_hash:
        raise invalid_parameter(
            "Index KeySchema does not have the same leading hash key as table KeySchema for index: "
            f"{name}. index hash key: {hash_.name}, table hash key: {table_hash}"
        )
    return IndexSchema(number, name, "lsi", hash_, range_, _parse_projection(index["Projection"]))


def _parse_joined_keys(
    schema: Sequence[Request], types: Types
) -> tuple[tuple[KeyAttribute, ...], tuple[KeyAttribute, ...]]:
    """The partition and sort key of a global index, each with one or more attributes."""
    if len(schema) <= 2 and [element["KeyType"] for element in schema] != ["HASH", "HASH"]:
        hash_, range_ = _parse_key(schema, types)
        return (hash_,), () if range_ is None else (range_,)
    kinds = [element["KeyType"] for element in schema]
    if kinds[0] != "HASH":
        raise validation_error("Invalid KeySchema: The first KeySchemaElement is not a HASH key type")
    if kinds != sorted(kinds):
        raise validation_error("Invalid KeySchema: HASH key attributes must come before RANGE key attributes")
    for kind in ("HASH", "RANGE"):
        if kinds.count(kind) > MAX_KEY_ATTRIBUTES:
            raise invalid_parameter(f"The KeySchema exceeds the maximum allowed number of {kind} key attributes")
    keys = [KeyAttribute(element["AttributeName"], types[element["AttributeName"]]) for element in schema]
    hashes = kinds.count("HASH")
    return tuple(keys[:hashes]), tuple(keys[hashes:])


def _parse_key(schema: Sequence[Request], types: Types) -> tuple[KeyAttribute, KeyAttribute | None]:
    if schema[0]["KeyType"] != "HASH":
        raise validation_error("Invalid KeySchema: The first KeySchemaElement is not a HASH key type")
    if len(schema) > 1 and schema[1]["KeyType"] != "RANGE":
        raise validation_error("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type")
    keys = [KeyAttribute(element["AttributeName"], types[element["AttributeName"]]) for element in schema]
    return keys[0], keys[1] if len(keys) > 1 else None


def _parse_projection(given: Request) -> IndexProjection:
    kind, attributes = given.get("ProjectionType"), given.get("NonKeyAttributes")
    if kind is None:
        raise invalid_parameter("Unknown ProjectionType: null")
    if kind != "INCLUDE":
        if attributes is not None:
            raise invalid_parameter(f"ProjectionType is {kind}, but NonKeyAttributes is specified")
        return IndexProjection(kind)
    if attributes is None:
        raise invalid_parameter("ProjectionType is INCLUDE, but NonKeyAttributes is not specified")
    for position, name in enumerate(attributes):
        if name in attributes[:position]:
            raise invalid_parameter(f"Duplicate element in NonKeyAttributes: {name}")
    return IndexProjection(kind, tuple(attributes))


def _require_defined(schema: Sequence[Request], types: Types) -> None:
    names = [element["AttributeName"] for element in schema]
    if any(name not in types for name in names):
        raise invalid_parameter(
            "Some index key attributes are not defined in AttributeDefinitions. "
            f"Keys: {hash_set_text(names)}, AttributeDefinitions: {sized_hash_set_text(types)}"
        )


def _require_distinct(schema: Sequence[Request]) -> None:
    if len(schema) == 2 and schema[0]["AttributeName"] == schema[1]["AttributeName"]:
        raise validation_error("Both the Hash Key and the Range Key element in the KeySchema have the same name")


def _require_exact_definitions(request: Request, types: Types) -> None:
    indexes = [*(request.get("LocalSecondaryIndexes") or ()), *(request.get("GlobalSecondaryIndexes") or ())]
    for index in indexes:
        _require_defined(index["KeySchema"], types)
    schemas = [request["KeySchema"], *(index["KeySchema"] for index in indexes)]
    used = [element["AttributeName"] for schema in schemas for element in schema]
    if set(types) - set(used):
        raise invalid_parameter(
            "Some AttributeDefinitions are not used. "
            f"AttributeDefinitions: {sized_hash_set_text(types)}, keys used: {hash_set_text(used)}"
        )


def check_projected(indexes: Sequence[IndexSchema]) -> None:
    """Reject indexes that name too many attributes to carry, counted over all of them."""
    if sum(len(index.projection.attributes) for index in indexes) > MAX_PROJECTED:
        raise invalid_parameter(
            f"Number of NonKeyAttributes over all secondary indexes exceeds the per-table limit of {MAX_PROJECTED}"
        )


def _require_unique_names(indexes: Sequence[IndexSchema]) -> None:
    seen: set[str] = set()
    for index in indexes:
        if index.name in seen:
            raise invalid_parameter(f"Duplicate index name: {index.name}")
        seen.add(index.name)
