"""Days as people write them in a query: a year, a month, a day, or a range of them; all in UTC."""

import re
import unicodedata
from datetime import UTC, datetime, timedelta

DATE_FIELDS = ("date", "after", "before")
_DAY = re.compile(r"(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2}))?)?")
_HOW = "write a year, month or day such as 2026, 2026-01 or 2026-01-31"

Span = tuple[datetime | None, datetime | None]


def read_days(name: str, text: str) -> Span:
    """The first moment meant and the first moment after it. `after:` includes its day, `before:` leaves it out.

    A ValueError says what to write instead.
    """
    text = unicodedata.normalize("NFKC", text)
    if name == "after":
        return _span(text)[0], None
    if name == "before":
        return None, _span(text)[0]
    first, dots, last = text.partition("..")
    if not dots:
        return _span(text)
    if not first and not last:
        raise ValueError(f"“{text}” names no date; {_HOW}.")
    since, until = _span(first)[0] if first else None, _span(last)[1] if last else None
    if since and until and since >= until:
        raise ValueError(f"the range {text} ends before it begins; turn it round.")
    return since, until


def _span(text: str) -> tuple[datetime, datetime]:
    parts = match.groups() if (match := _DAY.fullmatch(text)) else ("0", None, None)
    try:
        return _bounds(*(int(part) if part else None for part in parts))
    except (ValueError, OverflowError) as error:
        raise ValueError(f"“{text}” is no date; {_HOW}.") from error


def _bounds(year: int | None, month: int | None, day: int | None) -> tuple[datetime, datetime]:
    assert year is not None
    first = datetime(year, month or 1, day or 1, tzinfo=UTC)
    if day:
        return first, first + timedelta(days=1)
    if month:
        return first, (first + timedelta(days=31)).replace(day=1)
    return first, first.replace(year=year + 1)
