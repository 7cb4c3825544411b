"""The page of one habit: its year, strength, explained days and notes, with a form for any past day."""

from dataclasses import replace
from datetime import timedelta

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.desks.habits.explainer import trace_days, trace_habit
from almanac.desks.habits.model.explanation import explain_days
from almanac.desks.habits.model.habit import note_hash
from almanac.desks.habits.pages.layout import PREFIX, Id, Reader, Writer, address, desk_page, parse_form_day
from almanac.desks.habits.pages.today import EFFECT_LABELS, build_row
from almanac.desks.habits.pages.year_charts import build_calendar, compute_rates, habit_charts, list_year_effects
from almanac.desks.habits.pipeline.settlement import HabitSnapshot
from almanac.desks.habits.service import entries, habits
from almanac.errors import FieldErrors, StaleEdit
from almanac.http.app_state import get_state
from almanac.http.conflicts import EditConflict, make_conflict
from almanac.http.pages import FormText, redirect_with_message
from almanac.kit.messages import gettext
from almanac.why import WhyReader, WhyTrace

router = APIRouter(prefix=PREFIX + "/{habit_id}")
EXPLAINED_DAYS = 30


@router.get("")
async def show_habit(request: Request, habit_id: Id, principal: Reader, day: str = "") -> Response:
    """A habit with its year; `day` selects one of its days."""
    return await _detail_page(request, principal, habit_id, day)


@router.post("/note")
async def write_note(
    request: Request, habit_id: Id, principal: Writer, day: FormText = "", note: FormText = "", version: FormText = ""
) -> Response:
    """Save the note of a day; an empty note deletes it. A note changed since the page was loaded is kept."""
    services = get_state(request).services
    snapshot = await habits.get_habit(services, principal, habit_id)
    on = parse_form_day(day) or snapshot.stats.today
    try:
        await entries.write_note(services, principal, habit_id, on, note, over=version or None)
    except FieldErrors as error:
        return await _detail_page(
            request, principal, habit_id, day, unsaved=note, problem=error.fields["note"], status=422
        )
    except StaleEdit:
        stored = (await entries.list_notes(services, principal, habit_id)).get(on, "")
        rows = [(gettext("Note"), note, stored)]
        conflict = await make_conflict(request, rows, note_hash(stored), f"{address(habit_id)}?day={on}#day")
        return await _detail_page(request, principal, habit_id, day, unsaved=note, conflict=conflict, status=412)
    return redirect_with_message(
        request, address(habit_id), gettext("Note saved.") if note.strip() else gettext("Note deleted.")
    )


async def _detail_page(
    request: Request,
    principal: Principal,
    habit_id: str,
    day: str,
    *,
    unsaved: str | None = None,
    problem: str = "",
    conflict: EditConflict | None = None,
    status: int = 200,
) -> Response:
    """The page; `unsaved` is the text of a note that couldn't be saved, shown with the problem."""
    services = get_state(request).services
    snapshot = await habits.get_habit(services, principal, habit_id)
    notes = await entries.list_notes(services, principal, habit_id)
    today = snapshot.stats.today
    year = list_year_effects(snapshot)
    rates = compute_rates(today, year)
    chosen = min(parse_form_day(day) or today, today)
    stored_note = notes.get(chosen, "")
    return await desk_page(
        request,
        "today",
        "habit_detail",
        status_code=status,
        snapshot=snapshot,
        row=build_row(snapshot),
        calendar=build_calendar(today, year),
        effect_labels=EFFECT_LABELS,
        kept_rate=rates.all,
        charts=habit_charts(snapshot, rates),
        chosen=chosen,
        reason=next(iter(explain_days(snapshot.history, snapshot.stats, chosen, chosen)), None),
        amount=snapshot.history.log.get(chosen),
        skipped=chosen in snapshot.history.skips,
        note=stored_note if unsaved is None else unsaved,
        version=note_hash(stored_note),
        problem=problem,
        conflict=conflict,
        notes=sorted(notes.items(), reverse=True)[:EXPLAINED_DAYS],
        trace=_trace_last_days(WhyReader(services, principal), snapshot),
        message="",
    )


def _trace_last_days(reader: WhyReader, snapshot: HabitSnapshot) -> WhyTrace:
    """Why the streak stands or broke, with the last days, latest first."""
    today = snapshot.stats.today
    days = explain_days(snapshot.history, snapshot.stats, today - timedelta(days=EXPLAINED_DAYS - 1), today)
    return replace(trace_habit(reader, snapshot), steps=trace_days(snapshot.habit.id, days[::-1]), actions=())
