"""The shapes that several operations share: attribute values, table names, and the options of reads and writes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tablature.engine.tables.lookup import table_name_of
from tablature.engine.validation.constraints import (
    ReportViolation,
    Shape,
    StringShape,
    anything,
    enum,
    list_of,
    map_of,
    member,
    string,
    structure,
)

NAME_PATTERN = "[a-zA-Z0-9_.-]+"
_PROPER_NAME = re.compile(NAME_PATTERN[:-1] + "{3,255}")
_WIRE_TYPES = ("S", "N", "B", "SS", "NS", "BS", "M", "L", "NULL", "BOOL")


class AttributeValueShape(Shape):
    """An attribute value in wire form, `{"S": "x"}`; its content is checked in `encoding.values`."""

    def to_java(self, value: Any) -> str:
        members = ", ".join(f"{kind.lower()}={value[kind]}" for kind in _WIRE_TYPES if value.get(kind) is not None)
        return f"AttributeValue({members})"


class AttributeMapShape(Shape):
    """A map of attribute values, which nothing constrains as a whole."""

    def to_java(self, value: Any) -> str:
        return "{" + ", ".join(f"{name}={ATTRIBUTE_VALUE.to_java(given)}" for name, given in value.items()) + "}"


@dataclass(frozen=True)
class TableNameShape(StringShape):
    """A table's name or ARN in an operation on an existing table: the empty name has its own bound."""

    def inspect(self, value: Any, path: str, report: ReportViolation) -> None:
        if not _PROPER_NAME.fullmatch(value):
            super().inspect(value, path, report)

    def violations(self, value: str) -> Iterator[str]:
        if not value:
            yield "Member must have length greater than or equal to 1"
        else:
            yield from _EXISTING_NAME.violations(short_name(value))


class TableKeyShape(StringShape):
    """A table's name or ARN as a key of a batch's map."""

    def violations(self, value: str) -> Iterator[str]:
        return super().violations(short_name(value))


def short_name(name: str) -> str:
    """The table's name, given its name or ARN; any other ARN is returned unchanged, which isn't a valid name."""
    return table_name_of(name) if name.startswith("arn:") else name


NEW_TABLE_NAME = string(3, 255, NAME_PATTERN)
_EXISTING_NAME = string(1, 255, NAME_PATTERN)
TABLE_NAME = TableNameShape()
BATCH_TABLE_NAME = TableKeyShape(3, 255, NAME_PATTERN)
INDEX_NAME = string(3, 255, NAME_PATTERN)
ATTRIBUTE_VALUE = AttributeValueShape()
ATTRIBUTE_MAP = AttributeMapShape()

RETURN_CONSUMED_CAPACITY = enum("INDEXES", "TOTAL", "NONE")
RETURN_ITEM_COLLECTION_METRICS = enum("SIZE", "NONE")
RETURN_VALUES = enum("ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW")
RETURN_ON_CONDITION_FAILURE = enum("ALL_OLD", "NONE")
CONDITIONAL_OPERATOR = enum("OR", "AND")
SELECT = enum("SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES")
COMPARISON_OPERATOR = enum(
    "IN", "NULL", "BETWEEN", "LT", "NOT_CONTAINS", "EQ", "GT", "NOT_NULL", "NE", "LE", "BEGINS_WITH", "GE", "CONTAINS"
)
ATTRIBUTES_TO_GET = list_of(anything(), minimum=1)
EXPECTED = map_of(structure(member("ComparisonOperator", COMPARISON_OPERATOR), name="ExpectedAttributeValue"))
CONDITIONS = map_of(structure(member("ComparisonOperator", COMPARISON_OPERATOR, required=True), name="Condition"))
ATTRIBUTE_UPDATES = map_of(structure(member("Action", enum("DELETE", "PUT", "ADD")), name="AttributeValueUpdate"))
