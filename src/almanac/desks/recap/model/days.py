"""Days as programs write them: 2026-01-31, a moment on that day, or with other digits and signs."""

import re
import unicodedata
from datetime import date

_DAY = re.compile(r"\s*(\d{4})[-/.年]?(\d{1,2})[-/.月]?(\d{1,2})")


def parse_day(text: str | None) -> date | None:
    """The day at the beginning of a text; None where there is none."""
    match = _DAY.match(unicodedata.normalize("NFKC", text or ""))
    try:
        return date(*map(int, match.groups())) if match else None
    except ValueError:
        return None
