"""Reads the JSON export of Beaver Habit Tracker: habits with records by day, and a period with a count."""

from decimal import Decimal

import msgspec

from almanac.desks.habits.formats.bundle import UNKNOWN_DAY, HabitBundle, HabitRecord, parse_day
from almanac.desks.habits.model.history import HabitRule
from almanac.desks.habits.model.schedule import DAYS_PER_WEEK, HabitSchedule
from almanac.errors import InputError
from almanac.kit.messages import gettext

_DAYS = {"W": DAYS_PER_WEEK, "M": 30}


class _BeaverRecord(msgspec.Struct):
    day: str
    done: bool | None = False
    text: str | None = None


class _BeaverPeriod(msgspec.Struct):
    period_type: str = "D"
    period_count: int = 1
    target_count: int = 1


class _BeaverHabit(msgspec.Struct):
    name: str
    records: list[msgspec.Raw] | None = None
    tags: list[str] | None = None
    status: str | None = None
    period: _BeaverPeriod | None = None


class _BeaverFile(msgspec.Struct):
    habits: list[msgspec.Raw]


def read_beaver(data: bytes) -> HabitBundle:
    """Parse a Beaver export. Habits and days that can't be read are skipped and listed in `refused`."""
    try:
        export = msgspec.json.decode(data, type=_BeaverFile)
    except msgspec.MsgspecError as error:
        raise InputError(gettext("This JSON isn't an Almanac or Beaver export; export it again.")) from error
    bundle = HabitBundle()
    for number, raw in enumerate(export.habits, 1):
        try:
            habit = msgspec.json.decode(raw, type=_BeaverHabit, strict=False)
        except msgspec.MsgspecError:
            bundle.refused.append(gettext("Habit %(number)s can't be read.", number=number))
            continue
        if habit.status == "soft_delete":
            bundle.refused.append(gettext("%(name)s: deleted in Beaver.", name=habit.name))
            continue
        bundle.habits.append(_read(habit, bundle))
    return bundle


def _read(habit: _BeaverHabit, bundle: HabitBundle) -> HabitRecord:
    record = HabitRecord(name=habit.name, tags=tuple(habit.tags or ()))
    for raw in habit.records or ():
        try:
            entry = msgspec.json.decode(raw, type=_BeaverRecord, strict=False)
            day = parse_day(entry.day)
        except msgspec.MsgspecError:
            bundle.refused.append(gettext("%(name)s: a day can't be read.", name=habit.name))
            continue
        if day is None:
            bundle.refused.append(gettext("%(name)s: %(day)s isn't a date.", name=habit.name, day=repr(entry.day)))
            continue
        if entry.done:
            record.log[day] = Decimal(1)
        if entry.text:
            record.notes[day] = entry.text
    record.rules = [HabitRule(record.first_day or UNKNOWN_DAY, _schedule(habit.period))]
    if habit.status == "archive":
        record.archived_on = max(record.log, default=record.rules[0].since)
    return record


def _schedule(period: _BeaverPeriod | None) -> HabitSchedule:
    if period is None:
        return HabitSchedule()
    days, target = max(1, period.period_count) * _DAYS.get(period.period_type, 1), max(1, period.target_count)
    if days == DAYS_PER_WEEK:
        return HabitSchedule(kind="per_week", times=min(target, DAYS_PER_WEEK))
    if days == _DAYS["M"]:
        return HabitSchedule(kind="per_month", times=min(target, 28))
    if period.period_type == "Y":
        return HabitSchedule(kind="yearly")
    # Several weeks or months: use the average number of days between two times.
    every = days // target
    return HabitSchedule() if every <= 1 else HabitSchedule(kind="every_days", every=min(every, 366))
