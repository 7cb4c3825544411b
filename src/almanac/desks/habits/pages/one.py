"""One habit: its year, its strength, the reason of every day, and any past day to enter or take back."""

from datetime import date, timedelta

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.desks.habits import service
from almanac.desks.habits.model.explaining import DayReason, explain
from almanac.desks.habits.pages.entering import day_in
from almanac.desks.habits.pages.frame import PREFIX, Id, Reader, desk_page
from almanac.desks.habits.pages.rows import WORDS, row_of
from almanac.desks.habits.pages.year import calendar_of, rates_of, strength_chart
from almanac.desks.habits.service import Settled
from almanac.http.surface import surface_of

router = APIRouter(prefix=PREFIX + "/{habit_id}")
EXPLAINED = 30
LONGEST = 5


@router.get("")
async def show_habit(request: Request, habit_id: Id, principal: Reader, day: str = "") -> Response:
    """A habit's year; `day` opens one of its days."""
    services = surface_of(request).services
    found = await service.get(services, principal, habit_id)
    notes = await service.notes(services, principal, habit_id)
    today = found.standing.today
    chosen = min(day_in(day) or today, today)
    return await desk_page(
        request, "today", "one", found=found, row=row_of(found), calendar=calendar_of(found), words=WORDS,
        chart=strength_chart(found), rates=rates_of(found), chosen=chosen, reason=_reason(found, chosen),
        amount=found.history.log.get(chosen), skipped=chosen in found.history.skips, note=notes.get(chosen, ""),
        notes=sorted(notes.items(), reverse=True)[:EXPLAINED], days=_last_days(found, today), told="",
        runs=sorted(found.standing.runs, key=lambda run: (-run.length, run.first))[:LONGEST],
    )  # fmt: skip


def _reason(found: Settled, day: date) -> DayReason | None:
    return next(iter(explain(found.history, found.standing, day, day)), None)


def _last_days(found: Settled, today: date) -> list[DayReason]:
    """The reasons of the last days, the latest first."""
    return explain(found.history, found.standing, today - timedelta(days=EXPLAINED - 1), today)[::-1]
