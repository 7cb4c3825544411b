"""Converts between Almanac's rules and entries and those of Loop Habit Tracker, for its CSV and database formats."""

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
    """A habit's frequency and goal in Loop's terms."""

    times: int
    within: int
    is_amount: bool = False
    is_limit: bool = False
    target: Decimal = Decimal(0)
    unit: str = ""


def rule_from_loop(loop_habit: LoopHabit, since: date) -> HabitRule:
    """The Almanac rule for a Loop habit."""
    return HabitRule(since, _schedule(loop_habit), _goal(loop_habit))


def _schedule(loop_habit: LoopHabit) -> HabitSchedule:
    times, within = max(1, loop_habit.times), max(1, loop_habit.within)
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
    # Loop allows 2 times in 5 days; the nearest number of times a week replaces it.
    return HabitSchedule(kind="per_week", times=max(1, min(DAYS_PER_WEEK - 1, round(times * DAYS_PER_WEEK / within))))


def _goal(loop_habit: LoopHabit) -> Goal:
    if not loop_habit.is_amount:
        return Goal()
    if loop_habit.is_limit:
        if loop_habit.target == 0:
            return Goal(kind="avoid")
        return Goal(kind="at_most", target=loop_habit.target, unit=loop_habit.unit)
    target = loop_habit.target if loop_habit.target > 0 else Decimal(1)
    return Goal(kind="at_least", target=target, unit=loop_habit.unit)


def to_loop_habit(record: HabitRecord) -> LoopHabit:
    """The latest rule, as closely as Loop can express it."""
    rule = record.rules[-1]
    times, within = rule.schedule.frequency
    if rule.goal.kind == "done":
        return LoopHabit(times, within)
    unit = rule.goal.unit or ("times" if rule.goal.kind == "times" else "")
    target = rule.goal.limit if rule.goal.is_limit else rule.goal.target
    return LoopHabit(times, within, is_amount=True, is_limit=rule.goal.is_limit, target=target, unit=unit)


def add_loop_value(record: HabitRecord, loop_habit: LoopHabit, day: date, value: int) -> None:
    """Add one value to a record. Automatic checkmarks and missing days add nothing."""
    if loop_habit.is_amount:
        if value == SKIPPED:
            record.skips.add(day)
        elif value > 0:
            record.log[day] = Decimal(value) / THOUSANDTHS
    elif value == YES:
        record.log[day] = Decimal(1)
    elif value == SKIPPED:
        record.skips.add(day)


def loop_value_on(record: HabitRecord, loop_habit: LoopHabit, day: date) -> int:
    """Loop's value for a day."""
    if day in record.log:
        amount = record.log[day]
        if loop_habit.is_amount:
            return int(amount * THOUSANDTHS)
        return YES if amount >= 1 else 0
    return SKIPPED if day in record.skips else 0


def add_loop_extras(record: HabitRecord, **values: str) -> None:
    """Keep fields that only Loop uses, for a later export to Loop."""
    extras: Mapping[str, str] = {f"loop_{name}": value for name, value in values.items() if value}
    record.extras = {**record.extras, **extras}
