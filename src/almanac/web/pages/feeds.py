"""The addresses of private feeds: whoever knows one reads it, and nobody else can guess it."""

from typing import Annotated

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.http.app_state import get_state
from almanac.http.auth import public
from almanac.http.responses import feed_response

pages = APIRouter()


@pages.api_route("/feeds/{token}.{form}", methods=["GET", "HEAD"])
async def read_feed(
    request: Request, token: str, form: str, _principal: Annotated[Principal | None, public()]
) -> Response:
    """What the owner of the saved query may see now, newest first; or that nothing changed since the last time."""
    response = feed_response(request, await get_state(request).services.saved_feeds.feed(token, form), form)
    # The address is a secret: it must not travel to the sites that a reader opens from the feed, nor into an index.
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["X-Robots-Tag"] = "noindex"
    return response
