"""Pages of the newsletter desk."""

from typing import Annotated

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse

from almanac.accounts.model import Principal
from almanac.http.guards import require
from almanac.http.pages import page

pages = APIRouter(prefix="/newsletter")


@pages.get("")
async def show_newsletter(
    request: Request, _principal: Annotated[Principal, require("desk.newsletter.read")]
) -> HTMLResponse:
    """What the desk is for, until its work lives here."""
    return await page(request, "newsletter/opening.html")
