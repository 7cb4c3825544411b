"""Scalar members of the wire protocol and the attribute value, as types msgspec can decode against.

The names are those the service uses in its own messages, so that a mismatch can be worded from the type alone.
"""

from __future__ import annotations

from typing import NewType, TypedDict

Integer = NewType("Integer", int)
Long = NewType("Long", int)
Timestamp = NewType("Timestamp", float)
Blob = NewType("Blob", str)


class AttributeValue(TypedDict, total=False):
    """One attribute value as it travels: a single member names its data type."""

    S: str
    N: str
    B: Blob
    SS: list[str]
    NS: list[str]
    BS: list[Blob]
    M: dict[str, AttributeValue]
    L: list[AttributeValue]
    NULL: bool
    BOOL: bool


AttributeMap = dict[str, AttributeValue]
NameMap = dict[str, str]
