"""Pages of the reminders desk."""

from typing import Annotated

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse

from almanac.accounts.model import Principal
from almanac.http.guards import require
from almanac.http.pages import page

pages = APIRouter(prefix="/reminders")


@pages.get("")
async def show_reminders(
    request: Request, _principal: Annotated[Principal, require("desk.reminders.read")]
) -> HTMLResponse:
    """What the desk is for, until its work lives here."""
    return await page(request, "reminders/opening.html")
