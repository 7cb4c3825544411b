"""One habit: its year, its strength, the reason of every day, and any past day to enter or take back."""

from datetime import date, timedelta

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.desks.habits import service
from almanac.desks.habits.model.explaining import DayReason, explain
from almanac.desks.habits.model.habit import mark_of
from almanac.desks.habits.pages.entering import day_in
from almanac.desks.habits.pages.layout import PREFIX, Id, Keeper, Reader, address, desk_page
from almanac.desks.habits.pages.rows import WORDS, row_of
from almanac.desks.habits.pages.year import calendar_of, rates_of, strength_chart
from almanac.desks.habits.service import Settled
from almanac.errors import FieldErrors, StaleEdit
from almanac.http.forms import Word, back_to
from almanac.http.surface import surface_of

router = APIRouter(prefix=PREFIX + "/{habit_id}")
EXPLAINED = 30
LONGEST = 5


@router.get("")
async def show_habit(request: Request, habit_id: Id, principal: Reader, day: str = "") -> Response:
    """A habit's year; `day` opens one of its days."""
    return await _one(request, principal, habit_id, day)


@router.post("/note")
async def write_note(
    request: Request, habit_id: Id, principal: Keeper, day: Word = "", note: Word = "", over: Word = ""
) -> Response:
    """What there is to say about a day; an empty note removes it. Words that came since the page was loaded stay."""
    services = surface_of(request).services
    found = await service.get(services, principal, habit_id)
    on = day_in(day) or found.standing.today
    try:
        await service.write_note(services, principal, habit_id, on, note, over=over or None)
    except FieldErrors as error:
        return await _one(request, principal, habit_id, day, mine=note, problem=error.fields["note"], status=422)
    except StaleEdit:
        there = (await service.notes(services, principal, habit_id)).get(on, "")
        return await _one(request, principal, habit_id, day, mine=note, problem=_changed(there), status=412)
    return back_to(request, address(habit_id), "The note is saved." if note.strip() else "The note is removed.")


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
    services = surface_of(request).services
    found = await service.get(services, principal, habit_id)
    notes = await service.notes(services, principal, habit_id)
    today = found.standing.today
    chosen = min(day_in(day) or today, today)
    there = notes.get(chosen, "")
    return await desk_page(
        request,
        "today",
        "one",
        status_code=status,
        found=found,
        row=row_of(found),
        calendar=calendar_of(found),
        words=WORDS,
        chart=strength_chart(found),
        rates=rates_of(found),
        chosen=chosen,
        reason=_reason(found, chosen),
        amount=found.history.log.get(chosen),
        skipped=chosen in found.history.skips,
        note=there if mine is None else mine,
        over=mark_of(there),
        problem=problem,
        notes=sorted(notes.items(), reverse=True)[:EXPLAINED],
        days=_last_days(found, today),
        told="",
        runs=sorted(found.standing.runs, key=lambda run: (-run.length, run.first))[:LONGEST],
    )


def _changed(there: str) -> str:
    if not there:
        return "The note was removed elsewhere meanwhile; save again to keep these words."
    return f"The note was changed elsewhere meanwhile to “{there}”; save again to put these words in its place."


def _reason(found: Settled, day: date) -> DayReason | None:
    return next(iter(explain(found.history, found.standing, day, day)), None)


def _last_days(found: Settled, today: date) -> list[DayReason]:
    """The reasons of the last days, the latest first."""
    return explain(found.history, found.standing, today - timedelta(days=EXPLAINED - 1), today)[::-1]
