"""The taps: done, an amount, undo and skip, each answered by the habit's row, or by the page it came from."""

from datetime import date
from decimal import Decimal

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from almanac.desks.habits import service
from almanac.desks.habits.model.goal import amount_of
from almanac.desks.habits.pages.layout import PREFIX, Id, Keeper, address
from almanac.desks.habits.pages.rows import row_of
from almanac.desks.habits.service import Settled
from almanac.errors import InputError
from almanac.http.forms import Word, back_to, is_fragment
from almanac.http.identity import identify
from almanac.http.pages import fragment
from almanac.http.surface import surface_of

router = APIRouter(prefix=PREFIX + "/{habit_id}")


@router.post("/done")
async def enter(
    request: Request, habit_id: Id, principal: Keeper, day: Word = "", amount: Word = "", back: Word = ""
) -> Response:
    """Done today, or on the day given; a second tap changes nothing."""
    settled = await service.complete(
        surface_of(request).services, principal, habit_id, day=day_in(day), amount=_amount(amount)
    )
    return await _answer(request, settled, back, _told(settled))


@router.post("/undone")
async def take_back(request: Request, habit_id: Id, principal: Keeper, day: Word = "", back: Word = "") -> Response:
    """Take an entry back, with everything that followed from it."""
    services = surface_of(request).services
    found = await service.get(services, principal, habit_id)
    settled = await service.undo(services, principal, habit_id, day_in(day) or found.standing.today)
    return await _answer(request, settled, back, f"{settled.habit.name} is taken back.")


@router.post("/skipped")
async def skip(request: Request, habit_id: Id, principal: Keeper, day: Word = "", back: Word = "") -> Response:
    """Ask nothing of a day; the streak is protected."""
    settled = await service.skip(surface_of(request).services, principal, habit_id, day=day_in(day))
    return await _answer(request, settled, back, f"{settled.habit.name} is skipped; the streak is protected.")


@router.post("/unskipped")
async def take_skip_back(
    request: Request, habit_id: Id, principal: Keeper, day: Word = "", back: Word = ""
) -> Response:
    """Ask again of a day what the rule asks."""
    services = surface_of(request).services
    found = await service.get(services, principal, habit_id)
    settled = await service.unskip(services, principal, habit_id, day_in(day) or found.standing.today)
    return await _answer(request, settled, back, f"{settled.habit.name} is asked for again.")


@router.post("/moved")
async def move(request: Request, habit_id: Id, principal: Keeper, to: Word = "") -> Response:
    """One place up, or down, in today's list."""
    moved = await service.move(surface_of(request).services, principal, habit_id, up=to == "up")
    return back_to(request, PREFIX, f"{moved.name} is moved {'up' if to == 'up' else 'down'}.")


async def row_fragment(request: Request, settled: Settled, told: str) -> str:
    """The habit's row as it is now, with a word about what was done."""
    identity = await identify(request)
    return fragment(request, "habits/row.html", row=row_of(settled), told=told, csrf=identity.csrf())


async def _answer(request: Request, settled: Settled, back: str, words: str) -> Response:
    if is_fragment(request):
        return HTMLResponse(await row_fragment(request, settled, words))
    return back_to(request, address(settled.habit.id) if back == "habit" else PREFIX, words)


def _told(settled: Settled) -> str:
    if settled.unlocked:
        return f"{settled.habit.streak_words(settled.unlocked[-1])} in a row: a badge for {settled.habit.name}."
    if not settled.points:
        return f"{settled.habit.name} is entered."
    return f"{settled.habit.name} is entered: {settled.points:+} points."


def day_in(text: str) -> date | None:
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
    return amount_of(text.strip().replace(",", "."))
