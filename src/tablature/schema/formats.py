"""Formats of key template slots, from value to text and back: escaping, zero-padding, ISO and strftime forms."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID

from tablature.records import record
from tablature.schema.kinds import TEXT, ValueKind
from tablature.schema.timestamps import (
    date_from_iso,
    from_iso,
    from_strftime,
    strftime_formatter,
    strftime_is_complete,
    strftime_is_ordered,
    strftime_regex,
    to_iso,
)

ESCAPE = "%"
RAW = "raw"
_ESCAPED = r"%(?:[0-9A-F]{2}|u[0-9A-F]{6})"
_LAST_SHORT = 0xFF
_ISO_MOMENT = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?"


@record
class SlotFormat:
    """Text form of a value in a key. `parse` is None if the value can't be recovered from the text."""

    render: Callable[[Any], str]
    regex: str
    parse: Callable[[str], Any] | None
    is_ordered: bool
    is_raw: bool = False
    reserved: str = ""


def escape(text: str, reserved: str) -> str:
    """Percent-encode the escape character and the reserved characters, so that a value never contains a delimiter."""
    return "".join(_code(char) if char in reserved or char == ESCAPE else char for char in text)


def _code(char: str) -> str:
    return f"{ESCAPE}{ord(char):02X}" if ord(char) <= _LAST_SHORT else f"{ESCAPE}u{ord(char):06X}"


def unescape(text: str) -> str:
    return re.sub(_ESCAPED, lambda match: chr(int(match[0][1:].lstrip("u"), 16)), text) if ESCAPE in text else text


def format_for(kind: ValueKind, spec: str, reserved: str) -> SlotFormat:
    """The format of a slot. `reserved` are the characters to escape in its value."""
    if spec == RAW and kind.shape not in ("text", "choice"):
        raise ValueError("only text can be raw")
    builder = _BUILDERS.get(kind.shape)
    if builder is None:
        raise ValueError(f"a {kind.name} can't be part of a key")
    return builder(kind, spec, reserved)


def _needs_value(text: str) -> str:
    if not text:
        raise ValueError("an empty text can't be part of a key")
    return text


def _text_format(kind: ValueKind, spec: str, reserved: str) -> SlotFormat:
    def exact(value: Any) -> str:
        text: str = value if value.__class__ is str and kind is TEXT else kind.encode(value)[kind.wire]
        return _needs_value(text)

    if spec == RAW:
        return SlotFormat(exact, r"(?s:.+)", str, is_ordered=True, is_raw=True)
    part = re.fullmatch(r"\[(\d*):(\d*)\]", spec)
    if spec and part is None:
        raise ValueError(f"text takes no format but 'raw' and a part such as '[:4]', not {spec!r}")
    special = re.compile(f"[{re.escape(reserved + ESCAPE)}]")

    def escaped(value: Any) -> str:
        text = exact(value)
        return escape(text, reserved) if special.search(text) else text

    def parse(text: str) -> Any:
        return kind.decode({kind.wire: unescape(text)})

    allowed = f"(?:[^{re.escape(reserved + ESCAPE)}]|{_ESCAPED})+"
    if part is not None:
        start, end = (int(place) if place else None for place in part.groups())
        return SlotFormat(lambda value: escaped(exact(value)[start:end]), allowed, None, is_ordered=not start)
    return SlotFormat(escaped, allowed, parse, is_ordered=True, reserved=reserved)


def _integer_format(kind: ValueKind, spec: str, _: str) -> SlotFormat:
    if not spec:
        return SlotFormat(lambda v: str(kind.encode(v)["N"]), r"-?\d+", int, is_ordered=False)
    match = re.fullmatch(r"0(\d+)d", spec)
    if not match:
        raise ValueError(f"a whole number takes a format such as 010d, not {spec!r}")
    width = int(match[1])

    def padded(value: Any) -> str:
        text = str(kind.encode(value)["N"]).zfill(width)
        if len(text) > width or text.startswith("-"):
            raise ValueError(f"{value} does not fit {width} digits, so its order would be lost")
        return text

    return SlotFormat(padded, rf"\d{{{width}}}", int, is_ordered=True)


def _number_format(kind: ValueKind, spec: str, _: str) -> SlotFormat:
    def parse(text: str) -> Any:
        return kind.decode({"N": text})

    if not spec:
        return SlotFormat(lambda value: str(kind.encode(value)["N"]), r"[-+.\deE]+", parse, is_ordered=False)
    return SlotFormat(lambda value: format(value, spec), r"[-+.\deE]+", parse, is_ordered=spec.startswith("0"))


def _moment_format(kind: ValueKind, spec: str, _: str) -> SlotFormat:
    if spec in ("", "iso"):
        fixed = kind.precision != "auto"
        return SlotFormat(lambda value: to_iso(value, kind.precision), _ISO_MOMENT, from_iso, is_ordered=fixed)
    parse = (lambda text: from_strftime(text, spec)) if strftime_is_complete(spec, whole_day=False) else None
    return SlotFormat(strftime_formatter(spec), strftime_regex(spec), parse, strftime_is_ordered(spec))


def _day_format(_kind: ValueKind, spec: str, _: str) -> SlotFormat:
    def iso(value: Any) -> str:
        if isinstance(value, datetime):
            raise TypeError("expected a date, got a datetime")
        return str(value.isoformat())

    if spec in ("", "iso"):
        return SlotFormat(iso, r"\d{4}-\d\d-\d\d", date_from_iso, is_ordered=True)
    complete = strftime_is_complete(spec, whole_day=True)
    parse = (lambda text: from_strftime(text, spec).date()) if complete else None
    return SlotFormat(strftime_formatter(spec), strftime_regex(spec), parse, strftime_is_ordered(spec))


def _uuid_format(_kind: ValueKind, spec: str, _: str) -> SlotFormat:
    if spec:
        raise ValueError(f"a UUID takes no format, not {spec!r}")
    return SlotFormat(lambda value: str(UUID(str(value))), r"[0-9a-f-]{36}", UUID, is_ordered=True)


def _flag_format(_kind: ValueKind, spec: str, _: str) -> SlotFormat:
    if spec:
        raise ValueError(f"a bool takes no format, not {spec!r}")
    return SlotFormat(
        lambda value: "true" if value else "false", "true|false", lambda text: text == "true", is_ordered=True
    )


def _binary_format(_kind: ValueKind, spec: str, _: str) -> SlotFormat:
    if spec:
        raise ValueError(f"bytes take no format, not {spec!r}")
    return SlotFormat(lambda value: bytes(value).hex(), r"[0-9a-f]+", bytes.fromhex, is_ordered=True)


_BUILDERS: dict[str, Callable[[ValueKind, str, str], SlotFormat]] = {
    "text": _text_format,
    "choice": _text_format,
    "integer": _integer_format,
    "number": _number_format,
    "moment": _moment_format,
    "day": _day_format,
    "uuid": _uuid_format,
    "flag": _flag_format,
    "binary": _binary_format,
}
