"""Loop Habit Tracker's ways of saying things, for both of its forms: frequencies, kinds of habits and values."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from almanac.desks.habits.model.goal import Goal
from almanac.desks.habits.model.history import Rule
from almanac.desks.habits.model.schedule import WEEK, Schedule
from almanac.desks.habits.transfer.bundle import HabitRecord

THOUSANDTHS = 1000
YES, YES_BY_ITSELF, SKIPPED = 2, 1, 3
_MONTHS, _YEARS = range(28, 32), range(365, 367)


@dataclass(frozen=True, slots=True)
class LoopHabit:
    """A habit's own line in Loop's terms."""

    times: int
    within: int
    is_amount: bool = False
    is_limit: bool = False
    target: Decimal = Decimal(0)
    unit: str = ""


def rule_of(told: LoopHabit, since: date) -> Rule:
    """The rule that says the same."""
    return Rule(since, _schedule(told), _goal(told))


def _schedule(told: LoopHabit) -> Schedule:
    times, within = max(1, told.times), max(1, told.within)
    if times >= within:
        return Schedule()
    if within == WEEK:
        return Schedule(kind="weekly") if times == 1 else Schedule(kind="per_week", times=times)
    if within in _MONTHS:
        return Schedule(kind="monthly") if times == 1 else Schedule(kind="per_month", times=min(times, 28))
    if times == 1:
        return Schedule(kind="yearly") if within in _YEARS else Schedule(kind="every_days", every=min(within, 366))
    # Loop can ask for 2 times in 5 days; the nearest that a week can ask for stands in for it.
    return Schedule(kind="per_week", times=max(1, min(WEEK - 1, round(times * WEEK / within))))


def _goal(told: LoopHabit) -> Goal:
    if not told.is_amount:
        return Goal()
    if told.is_limit:
        return Goal(kind="avoid") if told.target == 0 else Goal(kind="at_most", target=told.target, unit=told.unit)
    target = told.target if told.target > 0 else Decimal(1)
    return Goal(kind="at_least", target=target, unit=told.unit)


def in_loops_words(record: HabitRecord) -> LoopHabit:
    """The present rule, as near as Loop can say it."""
    rule = record.rules[-1]
    times, within = rule.schedule.frequency
    if rule.goal.kind == "done":
        return LoopHabit(times, within)
    unit = rule.goal.unit or ("times" if rule.goal.kind == "times" else "")
    target = rule.goal.limit if rule.goal.is_a_limit else rule.goal.target
    return LoopHabit(times, within, is_amount=True, is_limit=rule.goal.is_a_limit, target=target, unit=unit)


def take_value(record: HabitRecord, told: LoopHabit, day: date, value: int) -> None:
    """Enter one value; what Loop filled in by itself, or knows to be missing, is no entry."""
    if told.is_amount:
        if value == SKIPPED:
            record.skips.add(day)
        elif value > 0:
            record.log[day] = Decimal(value) / THOUSANDTHS
    elif value == YES:
        record.log[day] = Decimal(1)
    elif value == SKIPPED:
        record.skips.add(day)


def value_on(record: HabitRecord, told: LoopHabit, day: date) -> int:
    """What Loop would have for a day that is told of."""
    if day in record.log:
        amount = record.log[day]
        if told.is_amount:
            return int(amount * THOUSANDTHS)
        return YES if amount >= 1 else 0
    return SKIPPED if day in record.skips else 0


def kept_extras(record: HabitRecord, **values: str) -> None:
    """Remember fields of Loop's own, so that it gets them back."""
    extras: Mapping[str, str] = {f"loop_{name}": value for name, value in values.items() if value}
    record.extras = {**record.extras, **extras}
