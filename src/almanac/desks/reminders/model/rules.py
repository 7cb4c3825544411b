"""The rules of the ladder: its levels, the gaps between them, and on which days reminders go out."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from almanac.errors import FieldErrors

SATURDAY = 5
LONGEST_GAP_DAYS = 3650
MOST_HOLIDAYS = 1000


@dataclass(frozen=True, slots=True)
class LevelRule:
    """One rung: none of its kind within so many days, and so many days after the rung before."""

    name: str
    none_within_days: int
    days_after_previous: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderRules:
    """What an installation has chosen. Days are full days of 24 hours; the time zone tells which day it is."""

    levels: tuple[LevelRule, ...] = (
        LevelRule("first", none_within_days=7),
        LevelRule("second", none_within_days=5, days_after_previous=7),
        LevelRule("final", none_within_days=3, days_after_previous=5),
    )
    grace_days: int = 0
    business_days_only: bool = False
    holidays: frozenset[date] = frozenset()
    time_zone: str = "UTC"
    version: int = 0

    @property
    def longest_gap_days(self) -> int:
        """How far back a reminder can keep another one from being sent."""
        return max(max(level.none_within_days, level.days_after_previous) for level in self.levels)

    def level(self, name: str) -> LevelRule | None:
        return next((level for level in self.levels if level.name == name), None)

    def before(self, name: str) -> LevelRule | None:
        """The rung below, if there is one."""
        names = [level.name for level in self.levels]
        at = names.index(name)
        return self.levels[at - 1] if at else None

    def zone(self, of_customer: str | None = None) -> ZoneInfo:
        return ZoneInfo(of_customer or self.time_zone)

    def is_sending_day(self, day: date) -> bool:
        return not self.business_days_only or (day.weekday() < SATURDAY and day not in self.holidays)

    def next_sending_moment(self, moment: datetime, zone: ZoneInfo) -> datetime:
        """The moment itself on a day on which reminders go out, else the beginning of the next such day."""
        day = moment.astimezone(zone).date()
        if self.is_sending_day(day):
            return moment
        while not self.is_sending_day(day):
            day += timedelta(days=1)
        return datetime.combine(day, time(), zone).astimezone(UTC)


DEFAULT_RULES = LadderRules()


def check_rules(rules: LadderRules) -> LadderRules:
    """Refuse rules that no ladder can follow, with one sentence for each field."""
    wrong: dict[str, str] = {}
    names = [level.name for level in rules.levels]
    if not 1 <= len(names) <= 10 or len(set(names)) < len(names):
        wrong["levels"] = "Give one to ten levels with different names."
    if not all(name.isidentifier() and name.isascii() and len(name) <= 30 for name in names):
        wrong["levels"] = "Name levels with letters, digits and underscores, up to 30 of them."
    gaps = [gap for level in rules.levels for gap in (level.none_within_days, level.days_after_previous)]
    if not all(0 <= gap <= LONGEST_GAP_DAYS for gap in (*gaps, rules.grace_days)):
        wrong["gaps"] = f"Gaps are 0 to {LONGEST_GAP_DAYS} days."
    if len(rules.holidays) > MOST_HOLIDAYS:
        wrong["holidays"] = f"Give at most {MOST_HOLIDAYS:,} days; those that are over can go."
    if wrong:
        raise FieldErrors(wrong)
    return rules
