"""A habit as today's list shows it: what is asked of today, how the week went, and how the streak stands."""

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from almanac.desks.habits.model.explaining import Effect, explain
from almanac.desks.habits.service import Settled

WEEK = 7
WORDS: dict[Effect, str] = {
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
    effect: Effect
    sentence: str

    @property
    def words(self) -> str:
        return WORDS[self.effect]

    @property
    def date(self) -> str:
        """As in `Monday 2 March`."""
        return f"{self.day:%A %-d %B}"


@dataclass(frozen=True, slots=True, kw_only=True)
class HabitRow:
    """A row of today's list."""

    settled: Settled
    week: list[DayMark]
    amount: Decimal | None

    @property
    def id(self) -> str:
        return self.settled.habit.id

    @property
    def today(self) -> date:
        return self.settled.standing.today

    @property
    def is_done(self) -> bool:
        """Whether what today asks for was entered."""
        return self.amount is not None and self.today.toordinal() in self.settled.standing.kept_days

    @property
    def is_at_risk(self) -> bool:
        """Whether a streak ends today unless something is entered; where there is none, none can end."""
        return self.settled.standing.at_risk and self.settled.standing.current_streak > 0

    @property
    def is_forgiven(self) -> bool:
        return self.today in self.settled.history.skips

    @property
    def asked(self) -> str:
        """What it asks for and how often, as in `At least 20 pages · every day`."""
        rule = self.settled.habit.rule
        words = [] if rule.goal.kind == "done" else [rule.goal.sentence]
        told = rule.sentence if rule.limits_a_span else " · ".join([*words, rule.schedule.sentence])
        return told[0].upper() + told[1:]

    @property
    def takes_an_amount(self) -> bool:
        return self.settled.habit.rule.goal.kind in ("at_least", "times", "at_most")

    @property
    def is_silent(self) -> bool:
        """Whether it is kept by entering nothing."""
        return self.settled.habit.rule.goal.is_a_limit


def row_of(settled: Settled) -> HabitRow:
    """A habit with the last seven days."""
    today = settled.standing.today
    reasons = {
        one.day: one for one in explain(settled.history, settled.standing, today - timedelta(days=WEEK - 1), today)
    }
    week = []
    for ago in range(WEEK - 1, -1, -1):
        day = today - timedelta(days=ago)
        reason = reasons.get(day)
        week.append(
            DayMark(day, reason.effect if reason else "nothing", reason.sentence if reason else "Before it began.")
        )
    return HabitRow(settled=settled, week=week, amount=settled.history.log.get(today))


def grouped(rows: list[HabitRow]) -> list[tuple[str, list[HabitRow]]]:
    """Rows under their groups, in the order of the first of each."""
    groups: dict[str, list[HabitRow]] = {}
    for row in rows:
        groups.setdefault(row.settled.habit.group, []).append(row)
    return list(groups.items())
