"""The page behind a reminder's links: asks once, since mail scanners follow links too, and then does what it says."""

from typing import Annotated

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse

from almanac.accounts.model import Principal
from almanac.desks.habits.model.signed_links import SignedLink, verify_link
from almanac.desks.habits.pipeline.settlement import HabitSnapshot
from almanac.desks.habits.service import entries, habits
from almanac.errors import NotFound
from almanac.http.app_state import get_state
from almanac.http.auth import public
from almanac.http.pages import render_page
from almanac.saved.owners import owner_of
from almanac.services import Services

links = APIRouter(prefix="/habits/do")
Anybody = Annotated[Principal | None, public()]


@links.get("/{token}")
async def ask(request: Request, token: str, _principal: Anybody) -> HTMLResponse:
    """What the link would do, with a button to do it."""
    services = get_state(request).services
    linked = verify_link(services.key("habit-links"), token, services.clock.now().date())
    found = await habits.get_habit(services, await _owner(services, linked), linked.habit_id)
    return await render_page(request, "habits/linked.html", token=token, linked=linked, found=found, is_done=False)


@links.post("/{token}")
async def act(request: Request, token: str, _principal: Anybody) -> HTMLResponse:
    """Do what the link says; again changes nothing."""
    services = get_state(request).services
    linked = verify_link(services.key("habit-links"), token, services.clock.now().date())
    found = await act_on(services, linked)
    return await render_page(request, "habits/linked.html", token=token, linked=linked, found=found, is_done=True)


async def act_on(services: Services, linked: SignedLink) -> HabitSnapshot:
    """What the link says, as the habit's owner."""
    owner = await _owner(services, linked)
    if linked.act == "skip":
        return await entries.skip_day(services, owner, linked.habit_id, day=linked.day)
    return await entries.complete_habit(services, owner, linked.habit_id, day=linked.day)


async def _owner(services: Services, linked: SignedLink) -> Principal:
    owner = await owner_of(services.accounts, linked.owner_id)
    if owner is None:
        raise NotFound("The account that this link belongs to is closed.")
    return owner
