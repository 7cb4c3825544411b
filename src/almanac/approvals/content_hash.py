"""One hash for one content: facts are written in a single canonical form, however they were put together.

The order of dictionary keys and of sets doesn't count, the order of lists does. Numbers are equal when their values
are (1500, 1500.00 and Decimal("1.5E3") are one), moments when they are the same instant; a date is its ISO text.
Text counts to the last character.
"""

import hashlib
from base64 import b64encode
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum
from json.encoder import encode_basestring_ascii as quoted
from uuid import UUID

_FORM = b"almanac-content-1\n"


def content_hash(facts: object) -> str:
    """64 hexadecimal digits that change with anything in the facts: a dataclass, a dictionary, or values of these."""
    return hashlib.sha256(_FORM + canonical_json(facts).encode("ascii")).hexdigest()


def canonical_json(facts: object) -> str:
    """The one spelling of the facts, in ASCII. What has no certain spelling is a TypeError or a ValueError."""
    # Text and what is missing come first: a list of drafts hashes hundreds of them, and the other questions cost more.
    if type(facts) is str:
        return quoted(facts)
    if facts is None:
        return "null"
    match facts:
        case list() | tuple():
            return f"[{','.join(map(canonical_json, facts))}]"
        case Enum():
            return canonical_json(facts.value)
        case AbstractSet():
            return f"[{','.join(sorted(map(canonical_json, facts)))}]"
    members = _members(facts)
    return _value(facts) if members is None else _object(members)


def _members(facts: object) -> Mapping[str, object] | None:
    if isinstance(facts, Mapping):
        return {_key(name): value for name, value in facts.items()}
    if is_dataclass(facts) and not isinstance(facts, type):
        return {field.name: getattr(facts, field.name) for field in fields(facts)}
    return None


def _value(fact: object) -> str:
    match fact:
        case bool():
            return "true" if fact else "false"
        case str():
            return quoted(fact)
        case int() | float() | Decimal():
            return _number(fact)
        case date() | UUID() | bytes():
            return quoted(_text(fact))
    raise TypeError(f"{type(fact).__name__} can't be part of what is approved; turn it into text or a dataclass.")


def _object(members: Mapping[str, object]) -> str:
    return f"{{{','.join(f'{quoted(name)}:{canonical_json(members[name])}' for name in sorted(members))}}}"


def _key(name: object) -> str:
    if not isinstance(name, str):
        raise TypeError(f"The key {name!r} must be text; other keys have no certain order.")
    return name


def _number(value: float | Decimal) -> str:
    exact = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    if not exact.is_finite():
        raise ValueError(f"{value} isn't a number that can be approved.")
    digits = f"{exact:f}"
    digits = digits.rstrip("0").rstrip(".") if "." in digits else digits
    return "0" if digits in ("-0", "") else digits


def _text(value: date | UUID | bytes) -> str:
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError("A moment without a time zone can't be approved; give it one.")
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    if isinstance(value, bytes):
        return b64encode(value).decode("ascii")
    return value.isoformat() if isinstance(value, date) else str(value)
