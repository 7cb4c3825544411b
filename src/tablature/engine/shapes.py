"""The shapes that several operations share: attribute values, table names, and the options of reads and writes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tablature.engine.constraints import (
    MODEL,
    Shape,
    Text,
    enum,
    flag,
    list_of,
    map_of,
    member,
    refuse_collection,
    structure,
    text,
)
from tablature.engine.errors import serialization

NAME_PATTERN = "[a-zA-Z0-9_.-]+"
_BASE64 = re.compile(r"[A-Za-z0-9+/]*={0,2}")
_WIRE_TYPES = ("S", "N", "B", "SS", "NS", "BS", "M", "L", "NULL", "BOOL")


@dataclass(frozen=True)
class Blob(Shape):
    """Bytes, carried by JSON as base64 text."""

    java = "java.nio.ByteBuffer"

    def convert(self, value: Any) -> None:
        refuse_collection(value, self.java)
        if not isinstance(value, str):
            raise serialization("only base-64-encoded strings are convertible to bytes")
        if len(value) % 4:
            raise serialization(f"Base64 encoded length is expected a multiple of 4 bytes but found: {len(value)}")
        if not _BASE64.fullmatch(value):
            raise serialization("Invalid last non-pad Base64 character dectected")


class AttributeValueShape(Shape):
    """An attribute value in wire form, `{"S": "x"}`; only JSON types are checked here, meaning is `values`' part."""

    java = MODEL + "AttributeValue"

    def convert(self, value: Any) -> None:
        if isinstance(value, list):
            raise serialization(f"Unrecognized collection type class {self.java}")
        if not isinstance(value, dict):
            raise serialization("Unexpected value type in payload")
        for kind, given in value.items():
            if given is not None and (shape := _BY_TYPE.get(kind)) is not None:
                shape.convert(given)

    def shown(self, value: Any) -> str:
        told = ", ".join(f"{kind}={value[kind]}" for kind in _WIRE_TYPES if value.get(kind) is not None)
        return f"AttributeValue({told})"


@dataclass(frozen=True)
class TableNameShape(Text):
    """A table's name or ARN in an operation on an existing table: the empty name has its own bound."""

    def broken(self, value: str) -> Iterator[str]:
        name = value.rpartition("/")[2] if value.startswith("arn:") else value
        if not value:
            yield "Member must have length greater than or equal to 1"
        else:
            yield from _NAME.broken(name)


_NAME = text(3, 255, NAME_PATTERN)
TABLE_NAME = TableNameShape()
NEW_TABLE_NAME = _NAME
INDEX_NAME = _NAME
ATTRIBUTE_VALUE = AttributeValueShape()
ATTRIBUTE_MAP = map_of(ATTRIBUTE_VALUE)
ATTRIBUTE_VALUE_LIST = list_of(ATTRIBUTE_VALUE)
STRING_MAP = map_of(text())

_BY_TYPE: dict[str, Shape] = {
    "S": text(),
    "N": text(),
    "B": Blob(),
    "SS": list_of(text()),
    "NS": list_of(text()),
    "BS": list_of(Blob()),
    "M": ATTRIBUTE_MAP,
    "L": ATTRIBUTE_VALUE_LIST,
    "NULL": flag(),
    "BOOL": flag(),
}

RETURN_CONSUMED_CAPACITY = enum("INDEXES", "TOTAL", "NONE")
RETURN_ITEM_COLLECTION_METRICS = enum("SIZE", "NONE")
RETURN_VALUES = enum("ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW")
RETURN_ON_CONDITION_FAILURE = enum("ALL_OLD", "NONE")
CONDITIONAL_OPERATOR = enum("OR", "AND")
SELECT = enum("SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES")
COMPARISON_OPERATOR = enum(
    "IN", "NULL", "BETWEEN", "LT", "NOT_CONTAINS", "EQ", "GT", "NOT_NULL", "NE", "LE", "BEGINS_WITH", "GE", "CONTAINS"
)
ATTRIBUTES_TO_GET = list_of(text(most=65535), least=1)
EXPECTED = map_of(
    structure(
        member("Value", ATTRIBUTE_VALUE),
        member("Exists", flag()),
        member("ComparisonOperator", COMPARISON_OPERATOR),
        member("AttributeValueList", ATTRIBUTE_VALUE_LIST),
        name="ExpectedAttributeValue",
    )
)
CONDITIONS = map_of(
    structure(
        member("AttributeValueList", ATTRIBUTE_VALUE_LIST),
        member("ComparisonOperator", COMPARISON_OPERATOR, required=True),
        name="Condition",
    )
)
ATTRIBUTE_UPDATES = map_of(
    structure(
        member("Value", ATTRIBUTE_VALUE),
        member("Action", enum("DELETE", "PUT", "ADD")),
        name="AttributeValueUpdate",
    )
)
