"""Why points changed: the sentence that the ledger stores in English, and the same sentence for a reader.

The ledger keeps sentences, not codes. There are few of them, so a stored one is recognised and said again in the
reader's language; one that isn't recognised is shown as it is.
"""

import re
from datetime import UTC, date, datetime

from almanac.kit.messages import gettext

_CAUSES = {
    str(cause): cause
    for cause in (
        gettext("Completed"),
        gettext("Entered late"),
        gettext("Undone"),
        gettext("Skipped"),
        gettext("Skip undone"),
        gettext("Imported"),
        gettext("Reconciled"),
        gettext("Created"),
        gettext("The habit was changed"),
        gettext("A new day"),
        gettext("A new time zone"),
        gettext("A vacation"),
        gettext("A vacation was deleted"),
        gettext("A rest day"),
        gettext("A rest day was deleted"),
    )
}
_STORED = re.compile(
    r"(?P<cause>[^(:]+)(?: \((?P<day>\d+ \w+ \d{4})\))?: "
    r"(?:streak of (?P<streak>\d+), (?P<points>\d+) points|the day doesn't count)\."
)


def describe_points_change(cause: str, changed_on: date | None, streak: int, points: int) -> str:
    """Such as `Completed: streak of 7, 20 points.`; with the day of the cause if it is another day."""
    result = (
        gettext("streak of %(streak)s, %(points)s points", streak=streak, points=points)
        if points
        else gettext("the day doesn't count")
    )
    if changed_on is None:
        return gettext("%(cause)s: %(result)s.", cause=cause, result=result)
    return gettext("%(cause)s (%(day)s): %(result)s.", cause=cause, day=changed_on, result=result)


def translate_reason(stored: str) -> str:
    """A stored sentence as one that can be said in other languages."""
    if stored in _CAUSES:
        return _CAUSES[stored]
    match = _STORED.fullmatch(stored)
    if match is None or match["cause"] not in _CAUSES:
        return stored
    day = datetime.strptime(match["day"], "%d %B %Y").replace(tzinfo=UTC).date() if match["day"] else None
    return describe_points_change(_CAUSES[match["cause"]], day, int(match["streak"] or 0), int(match["points"] or 0))
