"""The page behind the links of a reminder. It asks for a click, because mail scanners follow links too."""

from typing import Annotated

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse

from almanac.accounts.model import Principal
from almanac.desks.habits.model.signed_links import verify_link
from almanac.desks.habits.service.entries import apply_link, link_owner
from almanac.desks.habits.service.habits import get_habit
from almanac.http.app_state import get_state
from almanac.http.auth import public
from almanac.http.pages import render_page

links = APIRouter(prefix="/habits/do")
Anybody = Annotated[Principal | None, public()]


@links.get("/{token}")
async def show_link(request: Request, token: str, _principal: Anybody) -> HTMLResponse:
    """What the link would do, with a button to do it."""
    services = get_state(request).services
    link = verify_link(services.key("habit-links"), token, services.clock.now().date())
    snapshot = await get_habit(services, await link_owner(services, link), link.habit_id)
    return await render_page(
        request, "habits/reminder_link.html", token=token, link=link, snapshot=snapshot, is_done=False
    )


@links.post("/{token}")
async def follow_link(request: Request, token: str, _principal: Anybody) -> HTMLResponse:
    """Do what the link says; a second time changes nothing."""
    services = get_state(request).services
    link = verify_link(services.key("habit-links"), token, services.clock.now().date())
    snapshot = await apply_link(services, link)
    return await render_page(
        request, "habits/reminder_link.html", token=token, link=link, snapshot=snapshot, is_done=True
    )
