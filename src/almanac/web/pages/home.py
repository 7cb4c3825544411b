"""The home page: a person's day with what to decide, to do and to read, what happened, and the tour for newcomers."""

from typing import Annotated

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.accounts import service as accounts
from almanac.accounts.model import Principal
from almanac.http.app_state import get_state
from almanac.http.auth import require, signed_in
from almanac.http.cookies import Flash
from almanac.http.day_content import DayContent, day_of, load_day
from almanac.http.language_choice import choose_language
from almanac.http.pages import redirect, render_page
from almanac.kit.messages import figure_text, gettext
from almanac.services import Services
from almanac.setup import SetupProgress
from almanac.setup.service import get_progress
from almanac.web.tour import END_TOUR_PATH, get_tour

pages = APIRouter()


@pages.get("/")
async def show_home(
    request: Request, principal: Annotated[Principal, signed_in()], day: str = "", tour: str | None = None
) -> Response:
    """The page of a day: today, or the day in `day`."""
    state = get_state(request)
    services = state.services
    chosen = day_of(services, principal, day, choose_language(request))
    # Read anew for this page; the frame counts the same ones.
    state.open_failures.clear()
    failures = await state.open_failures.get(services.jobs.failures)
    content = await load_day(services, state.desks, principal, chosen, failures)
    events = content.events
    return await render_page(
        request,
        "home.html",
        content=content,
        waiting_count=_count_waiting(content),
        decided=[event for event in events if event.kind == "decided"],
        events=[event for event in events if event.kind != "decided" or not chosen.is_past],
        tour=get_tour(principal, tour) if chosen.is_today else None,
        setup=await _load_setup(services, principal) if chosen.is_today else None,
    )


def _count_waiting(content: DayContent) -> str:
    """How many items wait in all; empty without any."""
    waiting = content.waiting
    number = sum(group.count for group in waiting)
    if any(group.or_more for group in waiting):
        return gettext("%(number)s or more", number=figure_text(number))
    return figure_text(number) if number else ""


async def _load_setup(services: Services, principal: Principal) -> SetupProgress | None:
    """How far set-up is; None for those who can't set up, and when nobody needs to be reminded of it."""
    if not principal.may("setup.manage"):
        return None
    progress = await get_progress(services.setup)
    return None if progress.is_over else progress


@pages.post(END_TOUR_PATH)
async def end_tour(request: Request, principal: Annotated[Principal, require("account.own")]) -> Response:
    """End the tour."""
    await accounts.end_tour(get_state(request).services.accounts, principal)
    return redirect(request, "/", Flash(gettext("Tour ended. You can start it again from your menu."), "plain"))
