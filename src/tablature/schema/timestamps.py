"""Timestamps as text and numbers: ISO 8601 in UTC with a Z, epoch seconds, and the strftime parts used in keys."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, time
from typing import Literal

Precision = Literal["auto", "seconds", "milliseconds", "microseconds"]

_DIRECTIVES: dict[str, tuple[Callable[[datetime], str], str]] = {
    "Y": (lambda v: f"{v.year:04d}", r"\d{4}"),
    "m": (lambda v: f"{v.month:02d}", r"\d{2}"),
    "d": (lambda v: f"{v.day:02d}", r"\d{2}"),
    "H": (lambda v: f"{v.hour:02d}", r"\d{2}"),
    "M": (lambda v: f"{v.minute:02d}", r"\d{2}"),
    "S": (lambda v: f"{v.second:02d}", r"\d{2}"),
    "f": (lambda v: f"{v.microsecond:06d}", r"\d{6}"),
    "j": (lambda v: f"{v.timetuple().tm_yday:03d}", r"\d{3}"),
}


def in_utc(value: object) -> datetime:
    """The datetime in UTC. Raises for a naive one, because it means a different time on each machine."""
    if not isinstance(value, datetime):
        raise TypeError(f"expected a datetime, got {type(value).__name__}")
    if value.tzinfo is UTC:
        return value
    if value.tzinfo is None:
        raise ValueError("give the datetime a time zone, for instance datetime.now(UTC)")
    return value.astimezone(UTC)


def to_iso(value: object, precision: Precision = "auto") -> str:
    return in_utc(value).isoformat(timespec=precision)[:-6] + "Z"


def from_iso(text: str) -> datetime:
    """Parse any ISO form. Without an offset, UTC is assumed."""
    value = datetime.fromisoformat(text)
    return value if value.tzinfo else value.replace(tzinfo=UTC)


def truncate(value: datetime, precision: Precision) -> datetime:
    if precision == "seconds":
        return value.replace(microsecond=0)
    if precision == "milliseconds":
        return value.replace(microsecond=value.microsecond // 1000 * 1000)
    return value


def to_epoch(value: object) -> str:
    return str(int(in_utc(value).timestamp()))


def from_epoch(text: str) -> datetime:
    return datetime.fromtimestamp(float(text), UTC)


def date_from_iso(text: str) -> date:
    return date.fromisoformat(text)


def strftime_pieces(spec: str) -> list[tuple[str, str]]:
    """Split into ("text", literal) and ("part", directive). Raises ValueError for an unknown directive."""
    pieces = []
    for match in re.finditer(r"%(.)|([^%]+)", spec):
        directive, literal = match.groups()
        if literal is not None or directive == "%":
            pieces.append(("text", literal or "%"))
        elif directive in _DIRECTIVES:
            pieces.append(("part", directive))
        else:
            raise ValueError(f"keys can use %{', %'.join(_DIRECTIVES)} of a date, not %{directive}")
    return pieces


def strftime_formatter(spec: str) -> Callable[[date], str]:
    """Fixed-width on every platform, unlike the system's strftime."""
    pieces = strftime_pieces(spec)

    def render(value: date) -> str:
        moment = in_utc(value) if isinstance(value, datetime) else datetime.combine(value, time.min)
        return "".join(piece if kind == "text" else _DIRECTIVES[piece][0](moment) for kind, piece in pieces)

    return render


def strftime_regex(spec: str) -> str:
    return "".join(
        re.escape(piece) if kind == "text" else _DIRECTIVES[piece][1] for kind, piece in strftime_pieces(spec)
    )


def strftime_is_complete(spec: str, *, whole_day: bool) -> bool:
    """Whether the format contains the whole value: the date, and for a datetime the time to the second."""
    parts = {piece for kind, piece in strftime_pieces(spec) if kind == "part"}
    has_day = {"Y", "m", "d"} <= parts or {"Y", "j"} <= parts
    return has_day and (whole_day or {"H", "M", "S"} <= parts)


def strftime_is_ordered(spec: str) -> bool:
    """Whether text order is time order: from the year downwards without a gap."""
    parts = [piece for kind, piece in strftime_pieces(spec) if kind == "part"]
    return any(parts == list(order)[: len(parts)] for order in ("YmdHMSf", "YjHMSf"))


def from_strftime(text: str, spec: str) -> datetime:
    return datetime.strptime(text, spec).replace(tzinfo=UTC)
