"""The addresses of private feeds: whoever knows one reads it, and nobody else can guess it."""

from collections.abc import Callable, Mapping
from typing import Annotated

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.feeds import Feed, atom, json_feed, rss
from almanac.feeds.atom import MEDIA_TYPE as ATOM
from almanac.feeds.json_feed import MEDIA_TYPE as JSON
from almanac.feeds.rss import MEDIA_TYPE as RSS
from almanac.http.conditional import conditional
from almanac.http.guards import public
from almanac.http.surface import surface_of

pages = APIRouter()
WRITERS: Mapping[str, tuple[Callable[[Feed], bytes], str]] = {
    "rss": (rss, f"{RSS}; charset=utf-8"),
    "atom": (atom, f"{ATOM}; charset=utf-8"),
    "json": (json_feed, f"{JSON}; charset=utf-8"),
}


@pages.api_route("/feeds/{token}.{form}", methods=["GET", "HEAD"])
async def read_feed(
    request: Request, token: str, form: str, _principal: Annotated[Principal | None, public()]
) -> Response:
    """What the owner of the saved query may see now, newest first; or that nothing changed since the last time."""
    feed = await surface_of(request).services.saved_feeds.feed(token, form)
    write, media_type = WRITERS[form]
    response = conditional(request, write(feed), media_type, modified=feed.updated if feed.items else None)
    # The address is a secret: it must not travel to the sites that a reader opens from the feed, nor into an index.
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["X-Robots-Tag"] = "noindex"
    return response
