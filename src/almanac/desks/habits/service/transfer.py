"""Imports habits from a file, with a dry run first, and exports all of them."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from almanac.accounts.model import Principal
from almanac.desks.habits.events import HABIT_CHANGED
from almanac.desks.habits.formats.bundle import UNKNOWN_DAY, HabitBundle, HabitRecord
from almanac.desks.habits.formats.registry import ExportFormat, HabitExport, read_file, write_file
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
from almanac.desks.habits.service.habits import MAX_HABITS
from almanac.desks.habits.store import entries, habits, people
from almanac.desks.habits.store.people import HabitOwner, PlannedVacation
from almanac.errors import AlmanacError, FieldErrors
from almanac.kit.ids import new_id
from almanac.kit.messages import gettext, ngettext
from almanac.relational import Unit
from almanac.services import Services

_MAX_SHOWN = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedHabit:
    """The result of importing one habit; `entries_known` were stored already."""

    name: str
    is_new: bool
    entries: int
    entries_known: int
    skips: int
    notes: int


@dataclass(slots=True)
class HabitImportReport:
    """The result of an import; `days_off` are vacations and rest days. A dry run changes nothing."""

    dry_run: bool
    habits: list[ImportedHabit] = field(default_factory=list)
    days_off: int = 0
    refused: list[str] = field(default_factory=list)

    @property
    def entries(self) -> int:
        return sum(habit.entries for habit in self.habits)


async def import_habits(services: Services, principal: Principal, data: bytes, *, dry_run: bool) -> HabitImportReport:
    """Import a file. A habit of the same name gets the missing days and keeps its own; a second import adds nothing."""
    bundle = await asyncio.to_thread(read_file, data)
    report = HabitImportReport(dry_run, refused=bundle.refused)
    async with lock_owner(services, principal) as (unit, owner):
        own = await habits.list_habits(unit, owner.id, archived=True)
        records = [
            record for record in bundle.habits if _accepts(report, record.name, partial(_clean, owner, record, report))
        ]
        matched = _match_habits(records, own)
        if len(own) + sum(habit is None for _, habit in matched) > MAX_HABITS:
            raise FieldErrors(
                {
                    "file": gettext(
                        "You can have up to %(limit)s habits; the file has %(number)s.",
                        limit=MAX_HABITS,
                        number=len(bundle.habits),
                    )
                }
            )
        await _import_days_off(unit, owner, bundle, report)
        for record, habit in matched:
            await _import_habit(services, unit, owner, habit, record, report)
        if report.days_off and not dry_run:
            # Days off apply to all habits, also to those that aren't in the file.
            await settle_all_habits(services, unit, owner, None, "Imported", quiet=True)
    return report


def _accepts(report: HabitImportReport, name: str, check: Callable[[], object]) -> bool:
    """Whether a check passes; if not, the reason is added to `refused`."""
    try:
        check()
    except AlmanacError as error:
        report.refused.append(
            gettext(
                "%(name)s: %(problem)s",
                name=(name if len(name) <= _MAX_SHOWN else name[:_MAX_SHOWN]) or gettext("A habit"),
                problem=_sentence(error),
            )
        )
        return False
    return True


def _match_habits(records: Sequence[HabitRecord], own: Sequence[Habit]) -> list[tuple[HabitRecord, Habit | None]]:
    """Each record with the stored habit of the same name, or None. Several habits may share a name: those with equal
    rules are matched first."""
    left, matches = list(own), dict[int, Habit]()
    for matches_record in (_has_same_rules, _has_same_name):
        for index, record in enumerate(records):
            habit = next((habit for habit in left if matches_record(habit, record)), None)
            if habit is not None and index not in matches:
                matches[index] = habit
                left.remove(habit)
    return [(record, matches.get(index)) for index, record in enumerate(records)]


def _has_same_name(habit: Habit, record: HabitRecord) -> bool:
    return habit.name.casefold() == record.name.casefold()


def _has_same_rules(habit: Habit, record: HabitRecord) -> bool:
    rules = tuple(record.rules), record.archived_on is None
    return _has_same_name(habit, record) and (tuple(habit.rules), habit.archived_on is None) == rules


async def _import_days_off(unit: Unit, owner: HabitOwner, bundle: HabitBundle, report: HabitImportReport) -> None:
    """Add new vacations and rest days; a dry run only counts them."""
    planned = {vacation.days for vacation in await people.list_vacations(unit, owner.id)}
    rested = set(await people.list_rest_days(unit, owner.id))
    for days in dict.fromkeys(vacation for vacation in bundle.vacations if vacation not in planned):
        if _accepts(
            report,
            gettext("The vacation from %(first)s", first=days.first.isoformat()),
            partial(check_vacation, owner, days),
        ):
            report.days_off += 1
            if not report.dry_run:
                vacation = PlannedVacation(id=new_id(), first_day=days.first, last_day=days.last)
                await people.add_vacation(unit, owner.id, vacation)
    for day in dict.fromkeys(rest_day for rest_day in bundle.rest_days if rest_day not in rested):
        if _accepts(
            report, gettext("The rest day on %(day)s", day=day.isoformat()), partial(require_plannable_day, owner, day)
        ):
            report.days_off += 1
            if not report.dry_run:
                await people.add_rest_day(unit, owner.id, day)


async def _import_habit(
    services: Services,
    unit: Unit,
    owner: HabitOwner,
    habit: Habit | None,
    record: HabitRecord,
    report: HabitImportReport,
) -> None:
    existing = {entry.day for entry in await entries.list_completions(unit, habit.id)} if habit else set()
    report.habits.append(
        ImportedHabit(
            name=record.name,
            is_new=habit is None,
            entries=len(record.log.keys() - existing),
            entries_known=len(record.log.keys() & existing),
            skips=len(record.skips),
            notes=len(record.notes),
        )
    )
    if not report.dry_run:
        await _write_habit(services, unit, owner, habit, record)


def _sentence(error: AlmanacError) -> str:
    return next(iter(error.fields.values())) if isinstance(error, FieldErrors) else error.sentence


def _clean(owner: HabitOwner, record: HabitRecord, report: HabitImportReport) -> None:
    """Validate a record in place. Days out of range are dropped and reported; skips and notes may be in the future."""
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
        report.refused.append(
            ngettext(
                "%(name)s: %(num)s day is in the future or too long ago.",
                "%(name)s: %(num)s days are in the future or too long ago.",
                len(wrong),
                name=record.name,
            )
        )
    record.log = {day: parse_amount(amount) for day, amount in record.log.items()}
    record.notes = {day: clean_note(note) for day, note in record.notes.items()}
    first = record.first_day or owner.today
    rules = record.rules or [HabitRule(first)]
    record.rules = [replace(rule, since=first) if rule.since == UNKNOWN_DAY else rule for rule in rules]
    for rule in record.rules:
        require_plannable_day(owner, rule.since, "since")
    record.archived_on = first if record.archived_on == UNKNOWN_DAY else record.archived_on


async def _write_habit(
    services: Services, unit: Unit, owner: HabitOwner, existing: Habit | None, record: HabitRecord
) -> None:
    habit = existing or await _create_habit(services, unit, owner, record)
    now = services.clock.now()
    await entries.put_completions(unit, habit, record.log, now)
    await entries.put_skips(unit, habit.id, sorted(record.skips), now)
    written = await entries.list_notes(unit, habit.id)
    for day in sorted(record.notes.keys() - written.keys()):
        await entries.put_note(unit, habit.id, day, record.notes[day], now)
    cause = SettlementCause(name=HABIT_CHANGED, day=owner.today, words="Imported", quiet=True)
    await settle_habit(services, unit, habit, owner.today, cause)


async def _create_habit(services: Services, unit: Unit, owner: HabitOwner, record: HabitRecord) -> Habit:
    habit_id = new_id()
    fields = HabitInput(
        name=record.name,
        description=record.description,
        tags=record.tags,
        group=record.group,
        remind_at=record.remind_at,
    ).cleaned()
    await habits.insert_habit(
        unit, habit_id, owner.id, fields, now=services.clock.now(), archived_on=record.archived_on, extras=record.extras
    )
    await habits.write_rules(unit, habit_id, record.rules)
    habit = await habits.find_habit(unit, habit_id)
    assert habit is not None
    await services.search.put(unit, habit_document(habit))
    return habit


async def export_habits(services: Services, principal: Principal, export_format: ExportFormat) -> HabitExport:
    """Export all habits of the principal. JSON and Loop's archive can be imported again without loss."""
    bundle = await load_bundle(services, principal)
    return await asyncio.to_thread(write_file, bundle, export_format)


async def load_bundle(services: Services, principal: Principal) -> HabitBundle:
    """All habits and days off of the principal."""
    async with services.database.unit() as unit:
        owner = await find_owner(services, unit, principal)
        bundle = HabitBundle(
            vacations=[vacation.days for vacation in await people.list_vacations(unit, owner.id)],
            rest_days=await people.list_rest_days(unit, owner.id),
        )
        for habit in await habits.list_habits(unit, owner.id, archived=True):
            bundle.habits.append(await _load_record(unit, habit))
    return bundle


async def _load_record(unit: Unit, habit: Habit) -> HabitRecord:
    return HabitRecord(
        name=habit.name,
        description=habit.description,
        tags=habit.tags,
        group=habit.group,
        remind_at=habit.remind_at,
        archived_on=habit.archived_on,
        rules=habit.rules,
        log={entry.day: entry.amount for entry in await entries.list_completions(unit, habit.id)},
        skips=set(await entries.list_skips(unit, habit.id)),
        notes=await entries.list_notes(unit, habit.id),
        extras=habit.extras,
    )
