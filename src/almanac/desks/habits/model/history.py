"""What is known about a habit: its rules from one day on to the next, its log, and the days that are forgiven.

Everything about a habit's standing follows from this and from which day it is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from functools import cached_property
from typing import Literal

from almanac.desks.habits.model.goal import Goal
from almanac.desks.habits.model.schedule import Schedule

Forgiveness = Literal["skip", "vacation", "rest", "travel"]


@dataclass(frozen=True, slots=True)
class Rule:
    """What counts from a day on, until a later rule takes its place."""

    since: date
    schedule: Schedule = field(default_factory=Schedule)
    goal: Goal = field(default_factory=Goal)

    @property
    def limits_a_span(self) -> bool:
        """Whether it is a limit on a week, month, year or stretch as a whole. So many days of one are limited each."""
        return self.goal.is_a_limit and self.schedule.is_once_a_span

    @property
    def sentence(self) -> str:
        """How a person would say it."""
        if self.limits_a_span:
            return f"{self.goal.sentence} in {self.schedule.span_words}"
        return f"{self.schedule.sentence}, {self.goal.sentence}"


@dataclass(frozen=True, slots=True)
class Vacation:
    """Days on which nothing breaks; both ends belong to it."""

    first: date
    last: date


@dataclass(frozen=True, kw_only=True)
class History:
    """A habit's past. `log` has the amount of each day that has an entry; rules are in order of their days.

    What years of days have to be walked through for is kept once it was asked for, so this class has no slots.
    """

    rules: Sequence[Rule]
    log: Mapping[date, Decimal] = field(default_factory=dict)
    skips: frozenset[date] = frozenset()
    vacations: Sequence[Vacation] = ()
    rest_days: frozenset[date] = frozenset()
    travel: frozenset[date] = frozenset()
    archived_on: date | None = None

    @cached_property
    def first_day(self) -> date:
        """Where counting begins: with the first rule, or with what was entered for days before it."""
        return min(self.rules[0].since, min(self.log, default=self.rules[0].since))

    @cached_property
    def last_day(self) -> date | None:
        """The last day that counts of an archived habit: the one on which it was archived only if that has an entry."""
        if self.archived_on is None:
            return None
        return self.archived_on if self.archived_on in self.log else self.archived_on - timedelta(days=1)

    @cached_property
    def amounts(self) -> dict[int, Decimal]:
        """The log by ordinals."""
        return {day.toordinal(): amount for day, amount in self.log.items()}

    def rule_on(self, day: date) -> Rule:
        """The rule of that time; the first one also holds for the days before it."""
        found = self.rules[0]
        for rule in self.rules[1:]:
            if rule.since > day:
                break
            found = rule
        return found

    def forgiven(self, last: date) -> dict[int, Forgiveness]:
        """The days, up to a last one, that ask for nothing; an entry is always worth more than an excuse."""
        found: dict[int, Forgiveness] = {day.toordinal(): "travel" for day in self.travel}
        found |= {day.toordinal(): "rest" for day in self.rest_days}
        begin, end = self.first_day.toordinal(), last.toordinal()
        for vacation in self.vacations:
            days = range(max(begin, vacation.first.toordinal()), min(end, vacation.last.toordinal()) + 1)
            found |= dict.fromkeys(days, "vacation")
        found |= {day.toordinal(): "skip" for day in self.skips}
        if not found:
            return found
        return {day: why for day, why in found.items() if day not in self.amounts}
