"""The home page: what waits for the person, an overview of the five desks, today's jobs, and the tour for newcomers."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.accounts import service as accounts
from almanac.accounts.model import Principal
from almanac.http.app_state import get_state
from almanac.http.auth import require, signed_in
from almanac.http.charts import Chart, miniature
from almanac.http.cookies import Flash
from almanac.http.pages import redirect, render_page
from almanac.kit.messages import gettext
from almanac.services import Services
from almanac.setup import SetupProgress
from almanac.setup.service import get_progress
from almanac.web.home_content import DeskCard, load_home
from almanac.web.tour import END_TOUR_PATH, get_tour

pages = APIRouter()


@dataclass(frozen=True, slots=True)
class HomeCard:
    """A desk's card with its chart drawn."""

    of: DeskCard
    chart: Chart | None


@pages.get("/")
async def show_home(
    request: Request, principal: Annotated[Principal, signed_in()], tour: str | None = None
) -> Response:
    """The home page: items that need you, figures of the desks, and recent jobs."""
    state = get_state(request)
    home = await load_home(state.services, state.desks, principal)
    return await render_page(
        request,
        "home.html",
        home=home,
        cards=[_build_card(desk) for desk in home.desks],
        tour=get_tour(principal, tour),
        setup=await _load_setup(state.services, principal),
    )


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


def _build_card(overview: DeskCard) -> HomeCard:
    series = overview.glance.series
    if series is None or series.is_flat:
        return HomeCard(overview, None)
    return HomeCard(overview, miniature(series.title, series.points, over_time=series.over_time))
