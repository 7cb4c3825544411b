"""The date that a document gives for itself, in the forms that files and feeds use; one that can't be true is none."""

import re
from datetime import UTC, date, datetime, timedelta

_DAY = re.compile(r"(?<!\d)(\d{4})(?:[-/]|\. ?| ?[年년] ?)?(\d{1,2})(?:[-/]|\. ?| ?[月월] ?)?(\d{1,2})")
_EARLIEST = date(1900, 1, 1)
_AHEAD = timedelta(days=2)


def date_in(text: str) -> date | None:
    """The first day written as year, month, day: `2026-03-01T…`, `D:20260301…`, `2026 年 3 月 1 日`."""
    found = _DAY.search(text)
    if not found:
        return None
    try:
        return plausible(date(int(found[1]), int(found[2]), int(found[3])))
    except ValueError:
        return None


def plausible(day: date | None) -> date | None:
    """The day itself unless no document can have it: files without a clock say 1601, 1904 or tomorrow's century."""
    if day is None or day < _EARLIEST or day > datetime.now(UTC).date() + _AHEAD:
        return None
    return day
