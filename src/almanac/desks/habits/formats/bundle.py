"""The content of a habits file, whichever program wrote it: what readers return and writers take."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, time
from decimal import Decimal

from almanac.desks.habits.model.history import HabitRule, Vacation

UNKNOWN_DAY = date.min
"""The first day of a rule whose file doesn't give one."""
MAX_FILE_BYTES = 50_000_000
MAX_ENTRIES = 200_000
_DAY = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:[T ].*)?")


@dataclass(slots=True, kw_only=True)
class HabitRecord:
    """One habit with its rules and log. `extras` keeps fields that only another program uses."""

    name: str
    description: str = ""
    tags: tuple[str, ...] = ()
    group: str = ""
    remind_at: time | None = None
    archived_on: date | None = None
    rules: Sequence[HabitRule] = ()
    log: dict[date, Decimal] = field(default_factory=dict)
    skips: set[date] = field(default_factory=set)
    notes: dict[date, str] = field(default_factory=dict)
    extras: Mapping[str, str] = field(default_factory=dict)

    @property
    def first_day(self) -> date | None:
        """The earliest day with an entry, skip or note; None if there are none."""
        return min((*self.log, *self.skips, *self.notes), default=None)


@dataclass(slots=True)
class HabitBundle:
    """The habits of one person. `refused` has a sentence for each part of a file that couldn't be read."""

    habits: list[HabitRecord] = field(default_factory=list)
    vacations: list[Vacation] = field(default_factory=list)
    rest_days: list[date] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


def parse_day(text: str) -> date | None:
    """Parse a day such as `2026-03-02` or `2026/3/2`, with or without a time; None for anything else."""
    match = _DAY.fullmatch(text.strip())
    try:
        return date(int(match[1]), int(match[3]), int(match[4])) if match else None
    except ValueError:
        return None
