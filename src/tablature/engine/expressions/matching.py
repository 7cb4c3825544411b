"""What the comparisons and functions of conditions mean for two attribute values."""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from tablature.engine.values import (
    AttributeValue,
    binary,
    binary_length,
    equal,
    is_comparable,
    kind_of,
    order_key,
    text_length,
)

Operand: TypeAlias = AttributeValue | None

_MEMBER_TYPES: Final = {"SS": "S", "NS": "N", "BS": "B"}


def equals(left: Operand, right: Operand) -> bool:
    return left is not None and right is not None and equal(left, right)


def differs(left: Operand, right: Operand) -> bool:
    """Not the same, which is also true of an attribute that isn't there."""
    return not equals(left, right)


def _ordered(holds: Callable[[bytes, bytes], bool]) -> Callable[[Operand, Operand], bool]:
    def compare(left: Operand, right: Operand) -> bool:
        if left is None or right is None or not is_comparable(left, right):
            return False
        return holds(order_key(left), order_key(right))

    return compare


COMPARATORS: Final[Mapping[str, Callable[[Operand, Operand], bool]]] = {
    "=": equals,
    "<>": differs,
    "<": _ordered(lambda left, right: left < right),
    "<=": _ordered(lambda left, right: left <= right),
    ">": _ordered(lambda left, right: left > right),
    ">=": _ordered(lambda left, right: left >= right),
}


def is_between(operand: Operand, lower: Operand, upper: Operand) -> bool:
    return COMPARATORS[">="](operand, lower) and COMPARATORS["<="](operand, upper)


def begins_with(operand: Operand, prefix: Operand) -> bool:
    if operand is None or prefix is None:
        return False
    if "S" in operand and "S" in prefix:
        text: str = operand["S"]
        return text.startswith(prefix["S"])
    return "B" in operand and "B" in prefix and binary(operand["B"]).startswith(binary(prefix["B"]))


def contains(container: Operand, wanted: Operand) -> bool:
    if container is None or wanted is None:
        return False
    kind = kind_of(container)
    if kind == "L":
        return any(equal(member, wanted) for member in container["L"])
    if kind in _MEMBER_TYPES:
        return wanted.get(_MEMBER_TYPES[kind]) in container[kind]
    if kind == "S":
        return "S" in wanted and wanted["S"] in container["S"]
    return kind == "B" and "B" in wanted and binary(wanted["B"]) in binary(container["B"])


def size_of(operand: Operand) -> Operand:
    """A string's or binary's length in bytes, a collection's count; nothing for types that have no size."""
    if operand is None:
        return None
    kind = kind_of(operand)
    if kind in ("N", "BOOL", "NULL"):
        return None
    measure = {"S": text_length, "B": binary_length}.get(kind, len)
    return {"N": str(measure(operand[kind]))}


def has_type(operand: Operand, kind: Operand) -> bool:
    return operand is not None and kind is not None and kind.get("S") in operand
