"""Loop Habit Tracker's ways of saying things, for both of its forms: frequencies, kinds of habits and values."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from almanac.desks.habits.formats.bundle import HabitRecord
from almanac.desks.habits.model.goal import Goal
from almanac.desks.habits.model.history import HabitRule
from almanac.desks.habits.model.schedule import DAYS_PER_WEEK, HabitSchedule

THOUSANDTHS = 1000
YES, YES_AUTO, SKIPPED = 2, 1, 3
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


def rule_from_loop(told: LoopHabit, since: date) -> HabitRule:
    """The rule that says the same."""
    return HabitRule(since, _schedule(told), _goal(told))


def _schedule(told: LoopHabit) -> HabitSchedule:
    times, within = max(1, told.times), max(1, told.within)
    if times >= within:
        return HabitSchedule()
    if within == DAYS_PER_WEEK:
        return HabitSchedule(kind="weekly") if times == 1 else HabitSchedule(kind="per_week", times=times)
    if within in _MONTHS:
        return HabitSchedule(kind="monthly") if times == 1 else HabitSchedule(kind="per_month", times=min(times, 28))
    if times == 1:
        return (
            HabitSchedule(kind="yearly")
            if within in _YEARS
            else HabitSchedule(kind="every_days", every=min(within, 366))
        )
    # Loop can ask for 2 times in 5 days; the nearest that a week can ask for stands in for it.
    return HabitSchedule(kind="per_week", times=max(1, min(DAYS_PER_WEEK - 1, round(times * DAYS_PER_WEEK / within))))


def _goal(told: LoopHabit) -> Goal:
    if not told.is_amount:
        return Goal()
    if told.is_limit:
        return Goal(kind="avoid") if told.target == 0 else Goal(kind="at_most", target=told.target, unit=told.unit)
    target = told.target if told.target > 0 else Decimal(1)
    return Goal(kind="at_least", target=target, unit=told.unit)


def to_loop_habit(record: HabitRecord) -> LoopHabit:
    """The present rule, as near as Loop can say it."""
    rule = record.rules[-1]
    times, within = rule.schedule.frequency
    if rule.goal.kind == "done":
        return LoopHabit(times, within)
    unit = rule.goal.unit or ("times" if rule.goal.kind == "times" else "")
    target = rule.goal.limit if rule.goal.is_limit else rule.goal.target
    return LoopHabit(times, within, is_amount=True, is_limit=rule.goal.is_limit, target=target, unit=unit)


def add_loop_value(record: HabitRecord, told: LoopHabit, day: date, value: int) -> None:
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


def loop_value_on(record: HabitRecord, told: LoopHabit, day: date) -> int:
    """What Loop would have for a day that is told of."""
    if day in record.log:
        amount = record.log[day]
        if told.is_amount:
            return int(amount * THOUSANDTHS)
        return YES if amount >= 1 else 0
    return SKIPPED if day in record.skips else 0


def add_loop_extras(record: HabitRecord, **values: str) -> None:
    """Remember fields of Loop's own, so that it gets them back."""
    extras: Mapping[str, str] = {f"loop_{name}": value for name, value in values.items() if value}
    record.extras = {**record.extras, **extras}
