"""The page behind the link in a reminder: a customer opts out, without signing in."""

from typing import Annotated

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.desks.reminders import service
from almanac.desks.reminders.sending.opting_out import PATH, customer_of_link
from almanac.http.guards import public
from almanac.http.pages import page
from almanac.http.surface import surface_of

router = APIRouter(prefix=PATH)


@router.get("/{token}")
async def show_opt_out(request: Request, token: str, _principal: Annotated[Principal | None, public()]) -> Response:
    """Ask once before opting out, since mail scanners follow links too."""
    customer_of_link(surface_of(request).services, token)
    return await page(request, "reminders/opt_out.html", action=f"{PATH}/{token}", done=False)


@router.post("/{token}")
async def opt_out(request: Request, token: str, _principal: Annotated[Principal | None, public()]) -> Response:
    """Opt out; mail programs post here by themselves when a reader clicks their button."""
    await service.opt_out(surface_of(request).services, token)
    return await page(request, "reminders/opt_out.html", action=f"{PATH}/{token}", done=True)
