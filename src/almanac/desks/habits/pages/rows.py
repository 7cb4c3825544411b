"""A habit as today's list shows it: what is asked of today, how the week went, and how the streak stands."""

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from almanac.desks.habits.model.explanation import DayEffect, explain_days
from almanac.desks.habits.pipeline.settlement import HabitSnapshot

DAYS_SHOWN = 7
EFFECT_LABELS: dict[DayEffect, str] = {
    "counts": "done",
    "protects": "protected",
    "breaks": "missed",
    "open": "open",
    "nothing": "nothing asked",
}


@dataclass(frozen=True, slots=True)
class DayMark:
    """One day of the strip."""

    day: date
    effect: DayEffect
    sentence: str

    @property
    def words(self) -> str:
        return EFFECT_LABELS[self.effect]

    @property
    def date(self) -> str:
        """As in `Monday 2 March`."""
        return f"{self.day:%A %-d %B}"


@dataclass(frozen=True, slots=True, kw_only=True)
class HabitRow:
    """A row of today's list."""

    snapshot: HabitSnapshot
    week: list[DayMark]
    amount: Decimal | None

    @property
    def id(self) -> str:
        return self.snapshot.habit.id

    @property
    def today(self) -> date:
        return self.snapshot.stats.today

    @property
    def is_done(self) -> bool:
        """Whether what today asks for was entered."""
        return self.amount is not None and self.today.toordinal() in self.snapshot.stats.kept_days

    @property
    def is_at_risk(self) -> bool:
        """Whether a streak ends today unless something is entered; where there is none, none can end."""
        return self.snapshot.stats.at_risk and self.snapshot.stats.current_streak > 0

    @property
    def is_forgiven(self) -> bool:
        return self.today in self.snapshot.history.skips

    @property
    def asked(self) -> str:
        """What it asks for and how often, as in `At least 20 pages · every day`."""
        rule = self.snapshot.habit.rule
        words = [] if rule.goal.kind == "done" else [rule.goal.sentence]
        told = rule.sentence if rule.limits_whole_span else " · ".join([*words, rule.schedule.sentence])
        return told[0].upper() + told[1:]

    @property
    def takes_an_amount(self) -> bool:
        return self.snapshot.habit.rule.goal.kind in ("at_least", "times", "at_most")

    @property
    def is_silent(self) -> bool:
        """Whether it is kept by entering nothing."""
        return self.snapshot.habit.rule.goal.is_limit


def build_row(snapshot: HabitSnapshot) -> HabitRow:
    """A habit with the last seven days."""
    today = snapshot.stats.today
    reasons = {
        one.day: one
        for one in explain_days(snapshot.history, snapshot.stats, today - timedelta(days=DAYS_SHOWN - 1), today)
    }
    week = []
    for ago in range(DAYS_SHOWN - 1, -1, -1):
        day = today - timedelta(days=ago)
        reason = reasons.get(day)
        week.append(
            DayMark(day, reason.effect if reason else "nothing", reason.sentence if reason else "Before it began.")
        )
    return HabitRow(snapshot=snapshot, week=week, amount=snapshot.history.log.get(today))


def group_rows(rows: list[HabitRow]) -> list[tuple[str, list[HabitRow]]]:
    """Rows under their groups, in the order of the first of each."""
    groups: dict[str, list[HabitRow]] = {}
    for row in rows:
        groups.setdefault(row.snapshot.habit.group, []).append(row)
    return list(groups.items())
