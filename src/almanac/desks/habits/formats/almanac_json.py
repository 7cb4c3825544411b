"""Almanac's own JSON export: everything about a person's habits, so that an import restores all of it."""

from datetime import date, time
from decimal import Decimal
from typing import Any

import msgspec

from almanac.desks.habits.formats.bundle import HabitBundle, HabitRecord
from almanac.desks.habits.model.history import HabitRule, Vacation
from almanac.desks.habits.store.habits import decode_goal, decode_schedule, encode_goal, encode_schedule
from almanac.errors import AlmanacError, InputError
from almanac.kit.json_text import encode_json
from almanac.kit.messages import gettext

FORMAT_NAME = "almanac-habits-1"


class _JsonRule(msgspec.Struct, kw_only=True):
    since: date
    schedule: dict[str, Any]
    goal: dict[str, Any]


class _JsonDay(msgspec.Struct, kw_only=True, omit_defaults=True):
    day: date
    amount: str | None = None
    skipped: bool = False
    note: str = ""


class _JsonHabit(msgspec.Struct, kw_only=True, omit_defaults=True):
    name: str
    description: str = ""
    tags: list[str] = []
    group: str = ""
    remind_at: time | None = None
    archived_on: date | None = None
    rules: list[_JsonRule] = []
    days: list[_JsonDay] = []
    extras: dict[str, str] = {}


class _JsonSpan(msgspec.Struct):
    first_day: date
    last_day: date


class _JsonFile(msgspec.Struct, kw_only=True):
    form: str
    habits: list[_JsonHabit]
    vacations: list[_JsonSpan] = []
    rest_days: list[date] = []


def write_json(bundle: HabitBundle) -> bytes:
    """Encode a bundle."""
    export = _JsonFile(
        form=FORMAT_NAME,
        habits=[_encode_habit(record) for record in bundle.habits],
        vacations=[_JsonSpan(vacation.first, vacation.last) for vacation in bundle.vacations],
        rest_days=list(bundle.rest_days),
    )
    return msgspec.json.format(encode_json(export), indent=2)


def _encode_habit(record: HabitRecord) -> _JsonHabit:
    days = sorted({*record.log, *record.skips, *record.notes})
    return _JsonHabit(
        name=record.name,
        description=record.description,
        tags=list(record.tags),
        group=record.group,
        remind_at=record.remind_at,
        archived_on=record.archived_on,
        rules=[
            _JsonRule(since=rule.since, schedule=encode_schedule(rule.schedule), goal=encode_goal(rule.goal))
            for rule in record.rules
        ],
        days=[
            _JsonDay(
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
    """Decode a file that `write_json` wrote; raises InputError for anything else."""
    try:
        export = msgspec.json.decode(data, type=_JsonFile)
        habits = [_decode_habit(habit) for habit in export.habits]
    except (msgspec.MsgspecError, ArithmeticError, KeyError, TypeError, AttributeError) as error:
        raise InputError(gettext("This isn't a valid export of habits from Almanac; export it again.")) from error
    except AlmanacError as error:
        raise InputError(gettext("This export has an invalid rule; export it again.")) from error
    vacations = [Vacation(vacation.first_day, vacation.last_day) for vacation in export.vacations]
    return HabitBundle(habits, vacations, list(export.rest_days))


def _decode_habit(habit: _JsonHabit) -> HabitRecord:
    return HabitRecord(
        name=habit.name,
        description=habit.description,
        tags=tuple(habit.tags),
        group=habit.group,
        remind_at=habit.remind_at,
        archived_on=habit.archived_on,
        rules=[HabitRule(rule.since, decode_schedule(rule.schedule), decode_goal(rule.goal)) for rule in habit.rules],
        log={entry.day: Decimal(entry.amount) for entry in habit.days if entry.amount is not None},
        skips={entry.day for entry in habit.days if entry.skipped},
        notes={entry.day: entry.note for entry in habit.days if entry.note},
        extras=habit.extras,
    )
