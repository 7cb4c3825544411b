"""People who follow something by mail without an account: how many, and what is stored about one address.

An address is posted and never stands in a URL, since URLs end up in logs.
"""

from typing import Annotated

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.errors import FieldErrors, NotFound
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.http.cookies import Flash
from almanac.http.pages import FormText, redirect, render_page
from almanac.http.responses import attachment_header
from almanac.kit.json_text import encode_json
from almanac.kit.messages import gettext
from almanac.subscribers.model import SubscriberFile

pages = APIRouter()
Administrator = Annotated[Principal, require("users.manage")]
_NOTHING = gettext("Nothing is stored about this address.")


@pages.get("/subscribers")
async def show_subscribers(request: Request, _principal: Administrator) -> Response:
    """How many people follow something by mail."""
    return await _render(request)


@pages.post("/subscribers")
async def find_subscriber(request: Request, _principal: Administrator, email: FormText = "") -> Response:
    """Show what is stored about an address."""
    try:
        stored = await get_state(request).services.subscribers.find(email)
    except FieldErrors as error:
        return await _render(request, email=email, error=error.fields["email"])
    return await _render(request, email=email, stored=stored, error="" if stored else _NOTHING)


@pages.post("/subscribers/export")
async def export_subscriber(request: Request, _principal: Administrator, email: FormText = "") -> Response:
    """Everything that is stored about an address, as a file for its owner."""
    stored = await get_state(request).services.subscribers.find(email)
    if stored is None:
        raise NotFound(_NOTHING)
    return Response(encode_json(stored), media_type="application/json", headers=attachment_header("subscriber.json"))


@pages.post("/subscribers/erase")
async def erase_subscriber(
    request: Request, principal: Administrator, email: FormText = "", forever: FormText = ""
) -> Response:
    """Delete an address, what it follows and the texts of the mails to it."""
    subscribers = get_state(request).services.subscribers
    await subscribers.erase(email, principal.actor, forever=bool(forever))
    return redirect(request, "/subscribers", Flash(gettext("The address is erased.")))


async def _render(
    request: Request, *, email: str = "", stored: SubscriberFile | None = None, error: str = ""
) -> Response:
    return await render_page(
        request,
        "mail/subscribers.html",
        status_code=422 if error else 200,
        counts=await get_state(request).services.subscribers.count(),
        email=email,
        stored=stored,
        error=error,
    )
