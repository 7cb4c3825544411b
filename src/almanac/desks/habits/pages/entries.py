"""One-tap actions: done, amount, undo and skip. Each answers with the habit's row, or redirects back."""

from decimal import Decimal
from urllib.parse import urlsplit

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from almanac.accounts.model import Principal
from almanac.desks.habits.day import load_day
from almanac.desks.habits.model.goal import parse_amount
from almanac.desks.habits.pages.layout import PREFIX, Id, Writer, address, parse_form_day
from almanac.desks.habits.pages.today import build_row, summarize
from almanac.desks.habits.pipeline.settlement import HabitSnapshot
from almanac.desks.habits.service import entries, habits
from almanac.http.app_state import get_state
from almanac.http.auth import identify
from almanac.http.day_content import day_of
from almanac.http.language_choice import choose_language
from almanac.http.pages import FormText, is_htmx_request, redirect_with_message, render_fragment
from almanac.kit.messages import gettext

router = APIRouter(prefix=PREFIX + "/{habit_id}")
# Where a form leads back to; otherwise to the page of the habit.
_BACK = {"": PREFIX, "home": "/"}


@router.post("/done")
async def complete_day(
    request: Request, habit_id: Id, principal: Writer, day: FormText = "", amount: FormText = "", back: FormText = ""
) -> Response:
    """Complete today or the given day; a second tap changes nothing."""
    snapshot = await entries.complete_habit(
        get_state(request).services, principal, habit_id, day=parse_form_day(day), amount=_parse_optional(amount)
    )
    return await _respond(request, principal, snapshot, back, _describe_entry(snapshot))


@router.post("/undone")
async def undo_day(
    request: Request, habit_id: Id, principal: Writer, day: FormText = "", back: FormText = ""
) -> Response:
    """Delete an entry with everything it earned."""
    services = get_state(request).services
    current = await habits.get_habit(services, principal, habit_id)
    on = parse_form_day(day) or current.stats.today
    snapshot = await entries.undo_completion(services, principal, habit_id, on)
    return await _respond(request, principal, snapshot, back, gettext("%(name)s: undone.", name=snapshot.habit.name))


@router.post("/skipped")
async def skip_day(
    request: Request, habit_id: Id, principal: Writer, day: FormText = "", back: FormText = ""
) -> Response:
    """Skip a day; the streak is protected."""
    services = get_state(request).services
    snapshot = await entries.skip_day(services, principal, habit_id, day=parse_form_day(day))
    return await _respond(
        request,
        principal,
        snapshot,
        back,
        gettext("%(name)s: skipped; the streak is protected.", name=snapshot.habit.name),
    )


@router.post("/unskipped")
async def unskip_day(
    request: Request, habit_id: Id, principal: Writer, day: FormText = "", back: FormText = ""
) -> Response:
    """Undo a skip."""
    services = get_state(request).services
    current = await habits.get_habit(services, principal, habit_id)
    snapshot = await entries.unskip_day(services, principal, habit_id, parse_form_day(day) or current.stats.today)
    return await _respond(
        request, principal, snapshot, back, gettext("%(name)s: no longer skipped.", name=snapshot.habit.name)
    )


@router.post("/moved")
async def move_row(request: Request, habit_id: Id, principal: Writer, to: FormText = "") -> Response:
    """Move a habit one place up or down in today's list."""
    moved = await habits.move_habit(get_state(request).services, principal, habit_id, up=to == "up")
    if to == "up":
        return redirect_with_message(request, PREFIX, gettext("%(name)s moved up.", name=moved.name))
    return redirect_with_message(request, PREFIX, gettext("%(name)s moved down.", name=moved.name))


async def _respond(
    request: Request, principal: Principal, snapshot: HabitSnapshot, back: str, message: str
) -> Response:
    if not is_htmx_request(request):
        return redirect_with_message(request, _BACK.get(back) or address(snapshot.habit.id), message)
    csrf = (await identify(request)).csrf()
    if back == "home":
        services = get_state(request).services
        content = await load_day(services, principal, day_of(services, principal, "", choose_language(request)))
        shown = {"content": content, "desk_name": "habits", "message": message, "csrf": csrf}
        return HTMLResponse(render_fragment(request, "day/tasks.html", **shown))
    # Only today's list has a line of sums to update; other pages that show the row have none.
    is_today = urlsplit(request.headers.get("hx-current-url", "")).path == PREFIX
    own = await habits.list_habits(get_state(request).services, principal) if is_today else []
    return HTMLResponse(
        render_fragment(
            request,
            "habits/row.html",
            row=build_row(snapshot),
            message=message,
            csrf=csrf,
            summary=summarize(own) if is_today else None,
        )
    )


def _describe_entry(snapshot: HabitSnapshot) -> str:
    habit = snapshot.habit
    if snapshot.unlocked:
        return gettext(
            "%(streak)s in a row: a badge for %(name)s.",
            streak=habit.streak_words(snapshot.unlocked[-1]),
            name=habit.name,
        )
    if not snapshot.points:
        return gettext("%(name)s: saved.", name=habit.name)
    return gettext("%(name)s: saved, %(points)s points.", name=habit.name, points=f"{snapshot.points:+}")


def _parse_optional(amount: str) -> Decimal | None:
    return parse_amount(amount.strip().replace(",", ".")) if amount.strip() else None
