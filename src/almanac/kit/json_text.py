"""JSON and plain values by msgspec: a text for people is written in English, as it is stored."""

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from almanac.kit.messages import Translatable


def encode_json(value: object, *, order: Literal["deterministic", "sorted"] | None = None) -> bytes:
    """The value as JSON."""
    return msgspec.json.encode(value, enc_hook=_plain, order=order)


def to_builtins(value: object, *, builtin_types: Sequence[type] | None = None) -> Any:
    """The value as dictionaries, lists and plain values."""
    return msgspec.to_builtins(value, builtin_types=builtin_types, enc_hook=_plain)


def _plain(value: object) -> object:
    """Called for what msgspec doesn't know."""
    if isinstance(value, Translatable):
        return str(value)
    raise TypeError(f"{type(value).__name__} can't be written as JSON")
