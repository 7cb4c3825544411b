"""Pages of the recap desk."""

from typing import Annotated

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse

from almanac.accounts.model import Principal
from almanac.http.guards import require
from almanac.http.pages import page

pages = APIRouter(prefix="/recap")


@pages.get("")
async def show_recap(request: Request, _principal: Annotated[Principal, require("desk.recap.read")]) -> HTMLResponse:
    """What the desk is for, until its work lives here."""
    return await page(request, "recap/opening.html")
