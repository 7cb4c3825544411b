"""The taps: done, an amount, undo and skip, each answered by the habit's row, or by the page it came from."""

from datetime import date
from decimal import Decimal

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from almanac.desks.habits.model.goal import parse_amount
from almanac.desks.habits.pages.layout import PREFIX, Id, Writer, address
from almanac.desks.habits.pages.rows import build_row
from almanac.desks.habits.pipeline.settlement import HabitSnapshot
from almanac.desks.habits.service import entries, habits
from almanac.errors import InputError
from almanac.http.app_state import get_state
from almanac.http.auth import identify
from almanac.http.pages import FormText, is_htmx_request, redirect_with_message, render_fragment

router = APIRouter(prefix=PREFIX + "/{habit_id}")


@router.post("/done")
async def enter(
    request: Request, habit_id: Id, principal: Writer, day: FormText = "", amount: FormText = "", back: FormText = ""
) -> Response:
    """Done today, or on the day given; a second tap changes nothing."""
    snapshot = await entries.complete_habit(
        get_state(request).services, principal, habit_id, day=parse_form_day(day), amount=_amount(amount)
    )
    return await _answer(request, snapshot, back, _told(snapshot))


@router.post("/undone")
async def take_back(
    request: Request, habit_id: Id, principal: Writer, day: FormText = "", back: FormText = ""
) -> Response:
    """Take an entry back, with everything that followed from it."""
    services = get_state(request).services
    found = await habits.get_habit(services, principal, habit_id)
    snapshot = await entries.undo_completion(services, principal, habit_id, parse_form_day(day) or found.stats.today)
    return await _answer(request, snapshot, back, f"{snapshot.habit.name} is taken back.")


@router.post("/skipped")
async def skip(request: Request, habit_id: Id, principal: Writer, day: FormText = "", back: FormText = "") -> Response:
    """Ask nothing of a day; the streak is protected."""
    snapshot = await entries.skip_day(get_state(request).services, principal, habit_id, day=parse_form_day(day))
    return await _answer(request, snapshot, back, f"{snapshot.habit.name} is skipped; the streak is protected.")


@router.post("/unskipped")
async def take_skip_back(
    request: Request, habit_id: Id, principal: Writer, day: FormText = "", back: FormText = ""
) -> Response:
    """Ask again of a day what the rule asks."""
    services = get_state(request).services
    found = await habits.get_habit(services, principal, habit_id)
    snapshot = await entries.unskip_day(services, principal, habit_id, parse_form_day(day) or found.stats.today)
    return await _answer(request, snapshot, back, f"{snapshot.habit.name} is asked for again.")


@router.post("/moved")
async def move(request: Request, habit_id: Id, principal: Writer, to: FormText = "") -> Response:
    """One place up, or down, in today's list."""
    moved = await habits.move_habit(get_state(request).services, principal, habit_id, up=to == "up")
    return redirect_with_message(request, PREFIX, f"{moved.name} is moved {'up' if to == 'up' else 'down'}.")


async def row_fragment(request: Request, snapshot: HabitSnapshot, told: str) -> str:
    """The habit's row as it is now, with a word about what was done."""
    identity = await identify(request)
    return render_fragment(request, "habits/row.html", row=build_row(snapshot), told=told, csrf=identity.csrf())


async def _answer(request: Request, snapshot: HabitSnapshot, back: str, words: str) -> Response:
    if is_htmx_request(request):
        return HTMLResponse(await row_fragment(request, snapshot, words))
    return redirect_with_message(request, address(snapshot.habit.id) if back == "habit" else PREFIX, words)


def _told(snapshot: HabitSnapshot) -> str:
    if snapshot.unlocked:
        return f"{snapshot.habit.streak_words(snapshot.unlocked[-1])} in a row: a badge for {snapshot.habit.name}."
    if not snapshot.points:
        return f"{snapshot.habit.name} is entered."
    return f"{snapshot.habit.name} is entered: {snapshot.points:+} points."


def parse_form_day(text: str) -> date | None:
    """The day that a form or an address names."""
    if not text:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InputError("Write the day as year-month-day, such as 2026-03-02.") from None


def _amount(text: str) -> Decimal | None:
    if not text.strip():
        return None
    return parse_amount(text.strip().replace(",", "."))
