"""A habit's history: its rules over time, its log, and the days that are forgiven.

All stats of a habit are computed from this history and today's date.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from functools import cached_property
from typing import Literal

from almanac.desks.habits.model.goal import Goal
from almanac.desks.habits.model.schedule import HabitSchedule
from almanac.kit.messages import gettext, join_texts

Forgiveness = Literal["skip", "vacation", "rest", "travel"]


@dataclass(frozen=True, slots=True)
class HabitRule:
    """The schedule and goal that apply from a day on, until a later rule replaces them."""

    since: date
    schedule: HabitSchedule = field(default_factory=HabitSchedule)
    goal: Goal = field(default_factory=Goal)

    @property
    def limits_whole_span(self) -> bool:
        """Whether the goal limits the total of a whole week, month, year or N-day span instead of each day."""
        return self.goal.is_limit and self.schedule.is_once_per_span

    @property
    def sentence(self) -> str:
        """The rule in plain words, such as `every day, at least 20 pages`."""
        goal, schedule = self.goal.sentence, self.schedule
        if self.limits_whole_span:
            return gettext("%(goal)s in %(span)s", goal=goal, span=schedule.span_name)
        return gettext("%(schedule)s, %(goal)s", schedule=schedule.sentence, goal=goal)

    @property
    def label(self) -> str:
        """The rule for lists, such as `at least 20 pages · every day`; a goal of `done` isn't mentioned."""
        goal = [] if self.goal.kind == "done" else [self.goal.sentence]
        return self.sentence if self.limits_whole_span else join_texts([*goal, self.schedule.sentence], " · ")


@dataclass(frozen=True, slots=True)
class Vacation:
    """Days on which streaks can't break; `first` and `last` are included."""

    first: date
    last: date


@dataclass(frozen=True, kw_only=True)
class HabitHistory:
    """A habit's past. `log` maps each day with an entry to its amount; rules are ordered by their first day.

    The class has no slots because it caches properties that are expensive over years of days.
    """

    rules: Sequence[HabitRule]
    log: Mapping[date, Decimal] = field(default_factory=dict)
    skips: frozenset[date] = frozenset()
    vacations: Sequence[Vacation] = ()
    rest_days: frozenset[date] = frozenset()
    travel: frozenset[date] = frozenset()
    archived_on: date | None = None

    @cached_property
    def first_day(self) -> date:
        """The first day that counts: that of the first rule, or of an earlier entry."""
        return min(self.rules[0].since, min(self.log, default=self.rules[0].since))

    @cached_property
    def last_day(self) -> date | None:
        """The last day that counts for an archived habit, else None. The day of archiving counts only with an entry."""
        if self.archived_on is None:
            return None
        return self.archived_on if self.archived_on in self.log else self.archived_on - timedelta(days=1)

    @cached_property
    def amounts(self) -> dict[int, Decimal]:
        """The log keyed by day ordinals."""
        return {day.toordinal(): amount for day, amount in self.log.items()}

    def rule_on(self, day: date) -> HabitRule:
        """The rule that applies on a day; the first rule also applies before its start."""
        current = self.rules[0]
        for rule in self.rules[1:]:
            if rule.since > day:
                break
            current = rule
        return current

    def forgiven(self, last: date) -> dict[int, Forgiveness]:
        """Days up to `last` that can't break a streak, with the reason. A day with an entry is never forgiven."""
        days_forgiven: dict[int, Forgiveness] = {day.toordinal(): "travel" for day in self.travel}
        days_forgiven |= {day.toordinal(): "rest" for day in self.rest_days}
        begin, end = self.first_day.toordinal(), last.toordinal()
        for vacation in self.vacations:
            days = range(max(begin, vacation.first.toordinal()), min(end, vacation.last.toordinal()) + 1)
            days_forgiven |= dict.fromkeys(days, "vacation")
        days_forgiven |= {day.toordinal(): "skip" for day in self.skips}
        if not days_forgiven:
            return days_forgiven
        return {day: reason for day, reason in days_forgiven.items() if day not in self.amounts}
