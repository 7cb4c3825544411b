"""Where in storage the items lie that a key condition asks for: the partition, and the bounds of its sort keys."""

from collections.abc import Sequence

from tablature.engine.expressions.bound import KeyRange
from tablature.engine.keys import closed, encode, joined, partition, successor
from tablature.engine.schema import KeyAttribute
from tablature.engine.storage.reader import Bounds
from tablature.engine.values import AttributeValue


def stored_partition(key_range: KeyRange, hashes: Sequence[KeyAttribute]) -> bytes:
    """The partition that the condition names."""
    return partition(joined(_encoded(hashes, key_range.hash_values)))


def sort_bounds(key_range: KeyRange, ranges: Sequence[KeyAttribute]) -> Bounds:
    """Which sort keys of the partition the condition allows."""
    if key_range.operator is None:
        return Bounds()
    kind = ranges[len(key_range.leading)].type
    values = [encode(kind, bound[kind]) for bound in key_range.bounds]
    if len(ranges) == 1:
        return _alone(key_range.operator, values)
    leading = b"".join(map(closed, _encoded(ranges, key_range.leading)))
    return _among(key_range.operator, values, leading)


def _encoded(attributes: Sequence[KeyAttribute], values: Sequence[AttributeValue]) -> list[bytes]:
    return [encode(key.type, value[key.type]) for key, value in zip(attributes, values, strict=False)]


def _alone(operator: str, values: list[bytes]) -> Bounds:
    """The bounds where one attribute is the whole sort key."""
    first = values[0]
    match operator:
        case "=":
            return Bounds(first, first)
        case "<" | "<=":
            return Bounds(None, first, high_is_open=operator == "<")
        case ">" | ">=":
            return Bounds(first, None, low_is_open=operator == ">")
        case "BETWEEN":
            return Bounds(first, values[1])
    return Bounds(first, successor(first), high_is_open=True)


def _among(operator: str, values: list[bytes], leading: bytes) -> Bounds:
    """The bounds where others come before the compared attribute or after it: from the first such key up to the next.

    Every key that begins with the same attributes lies between their bytes and the least bytes after all of these.
    """
    first, last = leading + closed(values[0]), leading + closed(values[-1])
    low: bytes | None = first
    high: bytes | None = successor(last)
    match operator:
        case "<" | "<=":
            low, high = leading, first if operator == "<" else successor(first)
        case ">" | ">=":
            low, high = successor(first) if operator == ">" else first, successor(leading)
        case "begins_with":
            # What follows the beginning is open, so its end is not marked.
            low = first[: -len(closed(b""))]
            high = successor(low)
    return Bounds(low, high, high_is_open=True)
