"""Attribute values in wire form (`{"S": "x"}`): validation, normal form, size, equality and order.

JSON types are checked earlier, by the request shapes.
"""

import base64
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from tablature.engine.encoding.numbers import normalise_number, sortable, storage_size
from tablature.engine.errors import EngineError, invalid_parameter, keep_wording, malformed_request, validation_error

AttributeValue = dict[str, Any]
Item = dict[str, AttributeValue]

TYPES = frozenset({"S", "N", "B", "SS", "NS", "BS", "L", "M", "BOOL", "NULL"})
DEEPEST_NESTING = 32
LARGEST_ITEM = 409_600
LONGEST_NAME = 65_535
NAME_TOO_LONG = f"Attribute name is too large, must be less than {LONGEST_NAME + 1} bytes"
_SURELY_SHORT_NAME = LONGEST_NAME // 4
_COLLECTION_OVERHEAD = 3

_encode = msgspec.json.Encoder().encode


def kind_of(value: Mapping[str, Any]) -> str:
    """The type name of a normalised value: `S`, `N`, `L` and so on."""
    return next(iter(value))


def normalise(value: Mapping[str, Any], depth: int = 1) -> AttributeValue:
    """A value in normal form. Raises if it is invalid. The given value is never changed."""
    if len(value) == 1:
        ((kind, given),) = value.items()
        check = _NORMALISERS.get(kind)
        if check is not None and given is not None:
            return {kind: check(given, depth)}
    return _normalise_unusual(value, depth)


def _normalise_unusual(value: Mapping[str, Any], depth: int) -> AttributeValue:
    members = [(kind, given) for kind, given in value.items() if kind in TYPES and given is not None]
    if not members:
        raise validation_error("Supplied AttributeValue is empty, must contain exactly one of the supported datatypes")
    normalised = {kind: _NORMALISERS[kind](given, depth) for kind, given in members}
    if len(normalised) > 1:
        raise validation_error(
            "Supplied AttributeValue has more than one datatypes set, "
            "must contain exactly one of the supported datatypes"
        )
    return normalised


def normalise_item(item: Mapping[str, Mapping[str, Any]]) -> Item:
    """Every attribute of an item in normal form. Strings always are, so they are kept as they are."""
    normal_item: Item = {}
    for name, value in item.items():
        if not name or len(name) > _SURELY_SHORT_NAME:
            check_name(name)
        is_string = len(value) == 1 and value.get("S") is not None
        normal_item[name] = value if is_string else normalise(value)  # type: ignore[assignment]  # only ever read
    return normal_item


def check_name(name: str) -> None:
    """Reject an attribute name that is empty or too long."""
    if not name:
        raise invalid_parameter("Empty attribute name")
    if text_length(name) > LONGEST_NAME:
        raise invalid_parameter(NAME_TOO_LONG)


def _unchanged(given: Any, _depth: int) -> Any:
    return given


def _number(given: str, _depth: int) -> str:
    return normalise_number(given)


def _null(given: bool, _depth: int) -> bool:
    if given is not True:
        raise keep_wording(_malformed_parameter("Null attribute value types must have the value of true"))
    return given


def _string_set(given: list[str], _depth: int) -> list[str]:
    if not given:
        raise _malformed_parameter("An string set  may not be empty")
    if len(set(given)) != len(given):
        raise _malformed_parameter(f"Input collection [{', '.join(given)}] contains duplicates.")
    return list(given)


def _number_set(given: list[str], _depth: int) -> list[str]:
    if not given:
        raise _malformed_parameter("An number set  may not be empty")
    members = [normalise_number(member) for member in given]
    if len(set(members)) != len(members):
        raise malformed_request("Input collection contains duplicates")
    return members


def _binary_set(given: list[str], _depth: int) -> list[str]:
    if not given:
        raise _malformed_parameter("Binary sets should not be empty")
    if len(set(given)) != len(given):
        raise _malformed_parameter(f"Input collection [{', '.join(given)}]of type BS contains duplicates.")
    return list(given)


def _list(given: list[Mapping[str, Any]], depth: int) -> list[AttributeValue]:
    _check_depth(depth)
    return [normalise(member, depth + 1) for member in given]


def _map(given: Mapping[str, Mapping[str, Any]], depth: int) -> Item:
    _check_depth(depth)
    for name in given:
        if len(name) > _SURELY_SHORT_NAME:
            check_name(name)
    return {name: normalise(member, depth + 1) for name, member in given.items()}


def depth_of(value: Mapping[str, Any]) -> int:
    """How many levels a value has: a scalar is one, a list or map one more than what it holds."""
    ((kind, given),) = value.items()
    if kind == "L":
        return 1 + max(map(depth_of, given), default=0)
    return 1 + max(map(depth_of, given.values()), default=0) if kind == "M" else 1


def _malformed_parameter(detail: str) -> EngineError:
    return malformed_request(f"One or more parameter values were invalid: {detail}")


def _check_depth(depth: int) -> None:
    if depth >= DEEPEST_NESTING:
        raise nested_too_deep()


def nested_too_deep() -> EngineError:
    return keep_wording(
        validation_error(
            "Nesting Levels have exceeded supported limits: "
            "Attributes in the item have nested levels beyond supported limit"
        )
    )


_NORMALISERS: dict[str, Callable[[Any, int], Any]] = {
    "S": _unchanged,
    "N": _number,
    "B": _unchanged,
    "BOOL": _unchanged,
    "NULL": _null,
    "SS": _string_set,
    "NS": _number_set,
    "BS": _binary_set,
    "L": _list,
    "M": _map,
}


def binary(text: str) -> bytes:
    """The bytes of a base64 value."""
    return base64.b64decode(text)


def binary_length(text: str) -> int:
    """How many bytes a base64 value stands for, without decoding it."""
    return len(text) // 4 * 3 - (text.endswith("=") + text.endswith("=="))


def text_length(text: str) -> int:
    """How many bytes a string takes in UTF-8."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def value_size(value: Mapping[str, Any]) -> int:
    """What one value adds to its item's size, without its name."""
    ((kind, given),) = value.items()
    if kind == "S":
        return text_length(given)
    return _SIZES[kind](given)


def may_be_large(item: Mapping[str, Mapping[str, Any]], limit: int) -> bool:
    """Whether an item's size may exceed a limit. A cheap test: no item is larger than its JSON."""
    return len(_encode(item)) > limit


def item_size(item: Mapping[str, Mapping[str, Any]]) -> int:
    """An item's size as the service counts it: every name and every value."""
    total = 0
    for name, value in item.items():
        total += len(name) if name.isascii() else text_length(name)
        ((kind, given),) = value.items()
        if kind == "S":
            total += len(given) if given.isascii() else text_length(given)
        else:
            total += _SIZES[kind](given)
    return total


def _sum_of(measure: Callable[[str], int]) -> Callable[[list[str]], int]:
    return lambda members: sum(measure(member) for member in members)


def _list_size(members: list[Mapping[str, Any]]) -> int:
    return _COLLECTION_OVERHEAD + sum(1 + value_size(member) for member in members)


def _map_size(members: Mapping[str, Mapping[str, Any]]) -> int:
    return _COLLECTION_OVERHEAD + len(members) + item_size(members)


_SIZES: dict[str, Callable[[Any], int]] = {
    "S": text_length,
    "N": storage_size,
    "B": binary_length,
    "BOOL": lambda _given: 1,
    "NULL": lambda _given: 1,
    "SS": _sum_of(text_length),
    "NS": _sum_of(storage_size),
    "BS": _sum_of(binary_length),
    "L": _list_size,
    "M": _map_size,
}


def equal(left: Mapping[str, Any], right: Mapping[str, Any]) -> bool:
    """Whether two normalised values are the same; the order of a set's members doesn't matter, at any depth."""
    if left == right:
        return True
    (kind, left_value), (other_kind, right_value) = next(iter(left.items())), next(iter(right.items()))
    if kind != other_kind:
        return False
    if kind in ("SS", "NS", "BS"):
        return set(left_value) == set(right_value)
    if kind == "L":
        return len(left_value) == len(right_value) and all(map(equal, left_value, right_value))
    return kind == "M" and same_item(left_value, right_value)


def same_item(left: Mapping[str, Any], right: Mapping[str, Any]) -> bool:
    """Whether two normalised items (or maps) carry the same attributes."""
    if left.keys() != right.keys():
        return False
    for name, value in left.items():
        other = right[name]
        if value != other and not equal(value, other):
            return False
    return True


def order_key(value: Mapping[str, Any]) -> bytes:
    """Bytes by which values of one scalar type (S, N or B) sort as the service sorts them."""
    ((kind, given),) = value.items()
    if kind == "S":
        return given.encode("utf-8", "surrogatepass")  # type: ignore[no-any-return]  # a JSON string
    return sortable(given) if kind == "N" else binary(given)


def is_comparable(left: Mapping[str, Any], right: Mapping[str, Any]) -> bool:
    """Whether two values can be ordered: both have the same scalar type S, N or B."""
    kind = kind_of(left)
    return kind in ("S", "N", "B") and kind in right
