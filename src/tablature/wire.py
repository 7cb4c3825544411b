"""Values in DynamoDB's wire form: their sizes, and the conversion of untyped values to and from it."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, TypeAlias

AttributeValue: TypeAlias = dict[str, Any]
Item: TypeAlias = dict[str, AttributeValue]
Request: TypeAlias = dict[str, Any]
Response: TypeAlias = dict[str, Any]

NULL: AttributeValue = {"NULL": True}
LARGEST_ITEM = 400 * 1024
_LARGEST_FLOAT, _SMALLEST_FLOAT = 9.99e125, 1e-130


def float_to_wire(value: float) -> AttributeValue:
    """A float as a number; as text if it is infinite, NaN or out of the service's range."""
    if value == 0 or _SMALLEST_FLOAT <= abs(value) <= _LARGEST_FLOAT:
        return {"N": repr(value)}
    return {"S": repr(value)}


def float_from_wire(value: AttributeValue) -> float:
    return float(value["N"] if "N" in value else value["S"])


def number_from_wire(text: str) -> int | float | Decimal:
    """The simplest type that loses nothing: int, else float, else Decimal."""
    exact = Decimal(text)
    if exact == exact.to_integral_value():
        return int(exact)
    approximate = float(text)
    return approximate if Decimal(repr(approximate)) == exact else exact


def to_wire(value: object) -> AttributeValue:  # noqa: PLR0911 - one branch per type reads best as a table
    """Convert an untyped value. The elements of a set must have one type."""
    match value:
        case None:
            return dict(NULL)
        case bool():
            return {"BOOL": value}
        case str():
            return {"S": str(value)}
        case int() | Decimal():
            return {"N": str(value)}
        case float():
            return float_to_wire(value)
        case bytes() | bytearray():
            return {"B": b64encode(value).decode()}
        case Mapping():
            return {"M": {str(name): to_wire(inner) for name, inner in value.items()}}
        case list() | tuple():
            return {"L": [to_wire(inner) for inner in value]}
        case set() | frozenset():
            return set_to_wire(value)
    raise TypeError(f"a {type(value).__name__} can't be stored in an untyped field; declare its type")


def set_to_wire(values: set[Any] | frozenset[Any]) -> AttributeValue:
    kinds = {next(iter(to_wire(value))) for value in values}
    if len(kinds) != 1 or not kinds <= {"S", "N", "B"}:
        raise TypeError("a stored set needs at least one element, all of them text, all numbers or all bytes")
    kind = kinds.pop()
    return {kind + "S": sorted(to_wire(value)[kind] for value in values)}


def from_wire(value: AttributeValue) -> Any:
    """Convert to a plain Python value, without a declared type."""
    ((kind, content),) = value.items()
    # Most values are texts, and texts in maps and lists: these are read without another call.
    if kind == "S":
        return content
    if kind == "M":
        return {name: from_wire(inner) for name, inner in content.items()}
    if kind == "L":
        return [from_wire(inner) for inner in content]
    return _READERS[kind](content)


_READERS: dict[str, Any] = {
    "BOOL": bool,
    "NULL": lambda _: None,
    "N": number_from_wire,
    "B": b64decode,
    "SS": set,
    "NS": lambda content: {number_from_wire(text) for text in content},
    "BS": lambda content: {b64decode(text) for text in content},
}


def size_of_item(item: Mapping[str, AttributeValue]) -> int:
    """Bytes as the service counts them: attribute names and values."""
    return sum(_text_size(name) + size_of(value) for name, value in item.items())


def size_of(value: AttributeValue) -> int:
    ((kind, content),) = value.items()
    size: int = _SIZES[kind](content)
    return size


def _text_size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())


def _number_size(text: str) -> int:
    digits = text.lstrip("-").replace(".", "").split("E")[0].split("e")[0].strip("0")
    return (len(digits) + 1) // 2 + 1 + text.startswith("-")


def _binary_size(text: str) -> int:
    return len(text) * 3 // 4 - text.count("=")


_SIZES: dict[str, Any] = {
    "S": _text_size,
    "N": _number_size,
    "B": _binary_size,
    "BOOL": lambda _: 1,
    "NULL": lambda _: 1,
    "SS": lambda content: sum(map(_text_size, content)),
    "NS": lambda content: sum(map(_number_size, content)),
    "BS": lambda content: sum(map(_binary_size, content)),
    "L": lambda content: 3 + sum(1 + size_of(inner) for inner in content),
    "M": lambda content: 3 + sum(1 + _text_size(name) + size_of(inner) for name, inner in content.items()),
}
