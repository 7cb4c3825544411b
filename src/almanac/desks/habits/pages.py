"""Pages of the habits desk."""

from typing import Annotated

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse

from almanac.accounts.model import Principal
from almanac.desks.habits.linked import links
from almanac.http.guards import require
from almanac.http.pages import page

pages = APIRouter()
pages.include_router(links)


@pages.get("/habits")
async def show_habits(request: Request, _principal: Annotated[Principal, require("desk.habits.read")]) -> HTMLResponse:
    """What the desk is for, until its work lives here."""
    return await page(request, "habits/opening.html")
