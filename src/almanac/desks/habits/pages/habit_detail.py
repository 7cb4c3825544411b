"""One habit: its year, its strength, the reason of every day, and any past day to enter or take back."""

from datetime import date, timedelta

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.desks.habits.model.explanation import DayReason, explain_days
from almanac.desks.habits.model.habit import note_hash
from almanac.desks.habits.pages.entries import parse_form_day
from almanac.desks.habits.pages.layout import PREFIX, Id, Reader, Writer, address, desk_page
from almanac.desks.habits.pages.rows import EFFECT_LABELS, build_row
from almanac.desks.habits.pages.year_charts import build_calendar, compute_rates, strength_chart
from almanac.desks.habits.pipeline.settlement import HabitSnapshot
from almanac.desks.habits.service import entries, habits
from almanac.errors import FieldErrors, StaleEdit
from almanac.http.app_state import get_state
from almanac.http.pages import FormText, redirect_with_message

router = APIRouter(prefix=PREFIX + "/{habit_id}")
EXPLAINED = 30
LONGEST = 5


@router.get("")
async def show_habit(request: Request, habit_id: Id, principal: Reader, day: str = "") -> Response:
    """A habit's year; `day` opens one of its days."""
    return await _one(request, principal, habit_id, day)


@router.post("/note")
async def write_note(
    request: Request, habit_id: Id, principal: Writer, day: FormText = "", note: FormText = "", over: FormText = ""
) -> Response:
    """What there is to say about a day; an empty note removes it. Words that came since the page was loaded stay."""
    services = get_state(request).services
    found = await habits.get_habit(services, principal, habit_id)
    on = parse_form_day(day) or found.stats.today
    try:
        await entries.write_note(services, principal, habit_id, on, note, over=over or None)
    except FieldErrors as error:
        return await _one(request, principal, habit_id, day, mine=note, problem=error.fields["note"], status=422)
    except StaleEdit:
        there = (await entries.list_notes(services, principal, habit_id)).get(on, "")
        return await _one(request, principal, habit_id, day, mine=note, problem=_changed(there), status=412)
    return redirect_with_message(
        request, address(habit_id), "The note is saved." if note.strip() else "The note is removed."
    )


async def _one(
    request: Request,
    principal: Principal,
    habit_id: str,
    day: str,
    *,
    mine: str | None = None,
    problem: str = "",
    status: int = 200,
) -> Response:
    """The page; `mine` are words about the day that could not be kept, with the problem beside them."""
    services = get_state(request).services
    found = await habits.get_habit(services, principal, habit_id)
    notes = await entries.list_notes(services, principal, habit_id)
    today = found.stats.today
    chosen = min(parse_form_day(day) or today, today)
    there = notes.get(chosen, "")
    return await desk_page(
        request,
        "today",
        "one",
        status_code=status,
        found=found,
        row=build_row(found),
        calendar=build_calendar(found),
        words=EFFECT_LABELS,
        chart=strength_chart(found),
        rates=compute_rates(found),
        chosen=chosen,
        reason=_reason(found, chosen),
        amount=found.history.log.get(chosen),
        skipped=chosen in found.history.skips,
        note=there if mine is None else mine,
        over=note_hash(there),
        problem=problem,
        notes=sorted(notes.items(), reverse=True)[:EXPLAINED],
        days=_last_days(found, today),
        told="",
        runs=sorted(found.stats.runs, key=lambda run: (-run.length, run.first))[:LONGEST],
    )


def _changed(there: str) -> str:
    if not there:
        return "The note was removed elsewhere meanwhile; save again to keep these words."
    return f"The note was changed elsewhere meanwhile to “{there}”; save again to put these words in its place."


def _reason(found: HabitSnapshot, day: date) -> DayReason | None:
    return next(iter(explain_days(found.history, found.stats, day, day)), None)


def _last_days(found: HabitSnapshot, today: date) -> list[DayReason]:
    """The reasons of the last days, the latest first."""
    return explain_days(found.history, found.stats, today - timedelta(days=EXPLAINED - 1), today)[::-1]
