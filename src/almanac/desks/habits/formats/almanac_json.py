"""Our own JSON: everything that is known about a person's habits, so that reading it back loses nothing."""

from datetime import date, time
from decimal import Decimal
from typing import Any

import msgspec

from almanac.desks.habits.formats.bundle import HabitBundle, HabitRecord
from almanac.desks.habits.model.history import HabitRule, Vacation
from almanac.desks.habits.store.habits import decode_goal, decode_schedule, encode_goal, encode_schedule
from almanac.errors import AlmanacError, InputError

FORMAT_NAME = "almanac-habits-1"


class _Rule(msgspec.Struct, kw_only=True):
    since: date
    schedule: dict[str, Any]
    goal: dict[str, Any]


class _Day(msgspec.Struct, kw_only=True, omit_defaults=True):
    day: date
    amount: str | None = None
    skipped: bool = False
    note: str = ""


class _Habit(msgspec.Struct, kw_only=True, omit_defaults=True):
    name: str
    description: str = ""
    tags: list[str] = []
    group: str = ""
    remind_at: time | None = None
    archived_on: date | None = None
    rules: list[_Rule] = []
    days: list[_Day] = []
    extras: dict[str, str] = {}


class _Span(msgspec.Struct):
    first_day: date
    last_day: date


class _File(msgspec.Struct, kw_only=True):
    form: str
    habits: list[_Habit]
    vacations: list[_Span] = []
    rest_days: list[date] = []


def write_json(bundle: HabitBundle) -> bytes:
    """The whole bundle."""
    whole = _File(
        form=FORMAT_NAME,
        habits=[_written(record) for record in bundle.habits],
        vacations=[_Span(one.first, one.last) for one in bundle.vacations],
        rest_days=list(bundle.rest_days),
    )
    return msgspec.json.format(msgspec.json.encode(whole), indent=2)


def _written(record: HabitRecord) -> _Habit:
    days = sorted({*record.log, *record.skips, *record.notes})
    return _Habit(
        name=record.name,
        description=record.description,
        tags=list(record.tags),
        group=record.group,
        remind_at=record.remind_at,
        archived_on=record.archived_on,
        rules=[
            _Rule(since=rule.since, schedule=encode_schedule(rule.schedule), goal=encode_goal(rule.goal))
            for rule in record.rules
        ],
        days=[
            _Day(
                day=day,
                amount=f"{record.log[day].normalize():f}" if day in record.log else None,
                skipped=day in record.skips,
                note=record.notes.get(day, ""),
            )
            for day in days
        ],
        extras=dict(record.extras),
    )


def read_json(data: bytes) -> HabitBundle:
    """What `write_json` wrote."""
    try:
        whole = msgspec.json.decode(data, type=_File)
        habits = [_read(habit) for habit in whole.habits]
    except (msgspec.MsgspecError, ArithmeticError, KeyError, TypeError, AttributeError) as error:
        raise InputError("This is no export of habits as Almanac writes it; export it again.") from error
    except AlmanacError as error:
        raise InputError("A rule in this export makes no sense; export it again.") from error
    vacations = [Vacation(one.first_day, one.last_day) for one in whole.vacations]
    return HabitBundle(habits, vacations, list(whole.rest_days))


def _read(habit: _Habit) -> HabitRecord:
    return HabitRecord(
        name=habit.name,
        description=habit.description,
        tags=tuple(habit.tags),
        group=habit.group,
        remind_at=habit.remind_at,
        archived_on=habit.archived_on,
        rules=[HabitRule(rule.since, decode_schedule(rule.schedule), decode_goal(rule.goal)) for rule in habit.rules],
        log={one.day: Decimal(one.amount) for one in habit.days if one.amount is not None},
        skips={one.day for one in habit.days if one.skipped},
        notes={one.day: one.note for one in habit.days if one.note},
        extras=habit.extras,
    )
