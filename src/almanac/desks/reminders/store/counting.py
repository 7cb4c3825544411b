"""How many drafts are in a state, counted once for the pages of a moment.

Every page of the product tells it, and counting reads what it counts. So a count stands until this process writes to
the tables, and for a second at most: what another process writes is told a second later.
"""

from collections.abc import MutableMapping
from dataclasses import dataclass, field
from time import monotonic
from weakref import WeakKeyDictionary

from almanac.desks.reminders import table
from almanac.desks.reminders.model.ladder import DraftState
from tablature.async_database import AsyncDatabase

_STANDS_SECONDS = 1.0


@dataclass(slots=True)
class _Counted:
    """Counts by state and limit, made after so much had been written."""

    written: float
    until: float
    counts: dict[tuple[DraftState, int], int] = field(default_factory=dict)


_KNOWN: MutableMapping[AsyncDatabase, _Counted] = WeakKeyDictionary()


async def count_drafts(tables: AsyncDatabase, state: DraftState, *, upto: int) -> int:
    """How many drafts are in one state. Counting reads them, so it stops at a number."""
    counted = _standing(tables)
    if (state, upto) not in counted.counts:
        found = await tables.count(table.EmailDraft.with_status(status=state), upto=upto)
        counted.counts[state, upto] = found
    return counted.counts[state, upto]


def _standing(tables: AsyncDatabase) -> _Counted:
    """The counts that stand, perhaps none yet. One that was begun before a write is never found after it."""
    known, written, now = _KNOWN.get(tables), tables.costs.total.wcu, monotonic()
    if known is None or known.written != written or known.until <= now:
        known = _KNOWN[tables] = _Counted(written, now + _STANDS_SECONDS)
    return known
