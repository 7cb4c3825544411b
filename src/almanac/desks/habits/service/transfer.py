"""Bringing habits from a file, tried first and then for good, and taking all of them away in a file."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal, get_args

from almanac.accounts.model import Principal
from almanac.desks.habits.events import HABIT_CHANGED
from almanac.desks.habits.formats.almanac_json import write_json
from almanac.desks.habits.formats.bundle import UNKNOWN_DAY, HabitBundle, HabitRecord
from almanac.desks.habits.formats.loop_csv import write_loop_csv
from almanac.desks.habits.formats.loop_db import write_loop_db
from almanac.desks.habits.formats.plain_csv import write_csv
from almanac.desks.habits.formats.registry import read_file
from almanac.desks.habits.indexing import habit_document
from almanac.desks.habits.model.goal import parse_amount
from almanac.desks.habits.model.habit import Habit, HabitInput, clean_name, clean_note
from almanac.desks.habits.model.history import HabitRule
from almanac.desks.habits.pipeline.settlement import SettlementCause, settle_all_habits, settle_habit
from almanac.desks.habits.service.access import (
    EARLIEST_DAY,
    PLANNING_HORIZON,
    find_owner,
    lock_owner,
    require_plannable_day,
)
from almanac.desks.habits.service.days_off import check_vacation
from almanac.desks.habits.service.habits import MOST_HABITS
from almanac.desks.habits.store import entries, habits, people
from almanac.desks.habits.store.people import HabitOwner, PlannedVacation
from almanac.errors import AlmanacError, FieldErrors
from almanac.kit.ids import new_id
from almanac.relational import Unit
from almanac.services import Services

ExportFormat = Literal["json", "csv", "loop", "loop-db"]
EXPORT_FORMATS: tuple[ExportFormat, ...] = get_args(ExportFormat)
_WRITERS: dict[ExportFormat, tuple[Callable[[HabitBundle], bytes], str, str]] = {
    "json": (write_json, "application/json", "habits.json"),
    "csv": (write_csv, "text/csv", "habits.csv"),
    "loop": (write_loop_csv, "application/zip", "Loop Habits CSV.zip"),
    "loop-db": (write_loop_db, "application/vnd.sqlite3", "Loop Habits Backup.db"),
}
MEDIA_TYPES = tuple(media_type for _, media_type, _ in _WRITERS.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedHabit:
    """What becomes, or became, of one habit of a file."""

    name: str
    is_new: bool
    entries: int
    entries_known: int
    skips: int
    notes: int


@dataclass(slots=True)
class HabitImportReport:
    """What a file brings; `days_off` are vacations and rest days. After a dry run nothing has changed."""

    dry_run: bool
    habits: list[ImportedHabit] = field(default_factory=list)
    days_off: int = 0
    refused: list[str] = field(default_factory=list)

    @property
    def entries(self) -> int:
        return sum(one.entries for one in self.habits)


@dataclass(frozen=True, slots=True)
class HabitExport:
    """A file to take away."""

    name: str
    content_type: str
    data: bytes


async def import_habits(services: Services, principal: Principal, data: bytes, *, dry_run: bool) -> HabitImportReport:
    """Bring habits from a file. One of the same name gets the days it lacks and keeps its own; again brings nothing."""
    bundle = await asyncio.to_thread(read_file, data)
    report = HabitImportReport(dry_run, refused=bundle.refused)
    async with lock_owner(services, principal) as (unit, owner):
        own = await habits.list_habits(unit, owner.id, archived=True)
        fine = [one for one in bundle.habits if _fits(report, one.name, partial(_tidy, owner, one, report))]
        matched = _matched(fine, own)
        if len(own) + sum(known is None for _, known in matched) > MOST_HABITS:
            raise FieldErrors({"file": f"{MOST_HABITS} habits are the most; the file has {len(bundle.habits)}."})
        await _take_days_off(unit, owner, bundle, report)
        for record, known in matched:
            await _take(services, unit, owner, known, record, report)
        if report.days_off and not dry_run:
            # They are days off from all habits, also from those that the file doesn't tell of.
            await settle_all_habits(services, unit, owner, None, "Imported", quiet=True)
    return report


def _fits(report: HabitImportReport, name: str, check: Callable[[], object]) -> bool:
    """Whether something can be kept; what can't is told of and left out."""
    try:
        check()
    except AlmanacError as error:
        report.refused.append(f"{name[:40] or 'A habit'}: {_told(error)}")
        return False
    return True


def _matched(records: Sequence[HabitRecord], own: Sequence[Habit]) -> list[tuple[HabitRecord, Habit | None]]:
    """Each habit of a file with one's own of its name. Of several with one name, each is another habit: first those
    find each other that have the same rules."""
    left, known = list(own), dict[int, Habit]()
    for alike in (_is_same, _is_namesake):
        for place, record in enumerate(records):
            found = next((habit for habit in left if alike(habit, record)), None) if place not in known else None
            if found is not None:
                known[place] = found
                left.remove(found)
    return [(record, known.get(place)) for place, record in enumerate(records)]


def _is_namesake(habit: Habit, record: HabitRecord) -> bool:
    return habit.name.casefold() == record.name.casefold()


def _is_same(habit: Habit, record: HabitRecord) -> bool:
    told = tuple(record.rules), record.archived_on is None
    return _is_namesake(habit, record) and (tuple(habit.rules), habit.archived_on is None) == told


async def _take_days_off(unit: Unit, owner: HabitOwner, bundle: HabitBundle, report: HabitImportReport) -> None:
    """Vacations and rest days that are not known; in a dry run they are only counted."""
    planned = {one.days for one in await people.list_vacations(unit, owner.id)}
    rested = set(await people.list_rest_days(unit, owner.id))
    for days in dict.fromkeys(one for one in bundle.vacations if one not in planned):
        if _fits(report, f"The vacation from {days.first}", partial(check_vacation, owner, days)):
            report.days_off += 1
            if not report.dry_run:
                wanted = PlannedVacation(id=new_id(), first_day=days.first, last_day=days.last)
                await people.add_vacation(unit, owner.id, wanted)
    for day in dict.fromkeys(one for one in bundle.rest_days if one not in rested):
        if _fits(report, f"The rest day on {day}", partial(require_plannable_day, owner, day)):
            report.days_off += 1
            if not report.dry_run:
                await people.add_rest_day(unit, owner.id, day)


async def _take(
    services: Services,
    unit: Unit,
    owner: HabitOwner,
    known: Habit | None,
    record: HabitRecord,
    report: HabitImportReport,
) -> None:
    there = {one.day for one in await entries.list_completions(unit, known.id)} if known else set()
    report.habits.append(
        ImportedHabit(
            name=record.name,
            is_new=known is None,
            entries=len(record.log.keys() - there),
            entries_known=len(record.log.keys() & there),
            skips=len(record.skips),
            notes=len(record.notes),
        )
    )
    if not report.dry_run:
        await _write(services, unit, owner, known, record)


def _told(error: AlmanacError) -> str:
    return next(iter(error.fields.values())) if isinstance(error, FieldErrors) else error.sentence


def _tidy(owner: HabitOwner, record: HabitRecord, report: HabitImportReport) -> None:
    """Days that can't be entered are left out and told of. Skips and notes may be planned, as they may be here."""
    record.name = clean_name(record.name)
    wrong = {day for day in record.log if not EARLIEST_DAY <= day <= owner.today}
    wrong |= {
        day for day in (*record.skips, *record.notes) if not EARLIEST_DAY <= day <= owner.today + PLANNING_HORIZON
    }
    for day in wrong:
        record.log.pop(day, None)
        record.skips.discard(day)
        record.notes.pop(day, None)
    if wrong:
        report.refused.append(f"{record.name}: {len(wrong)} days are in the future or too long ago.")
    record.log = {day: parse_amount(amount) for day, amount in record.log.items()}
    record.notes = {day: clean_note(note) for day, note in record.notes.items()}
    first = record.first_day or owner.today
    rules = record.rules or [HabitRule(first)]
    record.rules = [replace(rule, since=first) if rule.since == UNKNOWN_DAY else rule for rule in rules]
    for rule in record.rules:
        require_plannable_day(owner, rule.since, "since")
    record.archived_on = first if record.archived_on == UNKNOWN_DAY else record.archived_on


async def _write(services: Services, unit: Unit, owner: HabitOwner, known: Habit | None, record: HabitRecord) -> None:
    habit = known or await _begin(services, unit, owner, record)
    now = services.clock.now()
    await entries.put_completions(unit, habit, record.log, now)
    await entries.put_skips(unit, habit.id, sorted(record.skips), now)
    written = await entries.list_notes(unit, habit.id)
    for day in sorted(record.notes.keys() - written.keys()):
        await entries.put_note(unit, habit.id, day, record.notes[day], now)
    cause = SettlementCause(name=HABIT_CHANGED, day=owner.today, words="Imported", quiet=True)
    await settle_habit(services, unit, habit, owner.today, cause)


async def _begin(services: Services, unit: Unit, owner: HabitOwner, record: HabitRecord) -> Habit:
    habit_id = new_id()
    wish = HabitInput(
        name=record.name,
        description=record.description,
        tags=record.tags,
        group=record.group,
        remind_at=record.remind_at,
    ).cleaned()
    await habits.insert_habit(
        unit, habit_id, owner.id, wish, now=services.clock.now(), archived_on=record.archived_on, extras=record.extras
    )
    await habits.write_rules(unit, habit_id, record.rules)
    made = await habits.find_habit(unit, habit_id)
    assert made is not None
    await services.search.put(unit, habit_document(made))
    return made


async def export_habits(services: Services, principal: Principal, form: ExportFormat) -> HabitExport:
    """All one's habits with their rules and log. JSON and Loop's archive lose nothing on the way back."""
    bundle = await load_bundle(services, principal)
    write, content_type, name = _WRITERS[form]
    return HabitExport(name, content_type, await asyncio.to_thread(write, bundle))


async def load_bundle(services: Services, principal: Principal) -> HabitBundle:
    """Everything that is known about one's habits."""
    async with services.database.unit() as unit:
        owner = await find_owner(services, unit, principal)
        bundle = HabitBundle(
            vacations=[one.days for one in await people.list_vacations(unit, owner.id)],
            rest_days=await people.list_rest_days(unit, owner.id),
        )
        for habit in await habits.list_habits(unit, owner.id, archived=True):
            bundle.habits.append(await _record(unit, habit))
    return bundle


async def _record(unit: Unit, habit: Habit) -> HabitRecord:
    return HabitRecord(
        name=habit.name,
        description=habit.description,
        tags=habit.tags,
        group=habit.group,
        remind_at=habit.remind_at,
        archived_on=habit.archived_on,
        rules=habit.rules,
        log={one.day: one.amount for one in await entries.list_completions(unit, habit.id)},
        skips=set(await entries.list_skips(unit, habit.id)),
        notes=await entries.list_notes(unit, habit.id),
        extras=habit.extras,
    )
