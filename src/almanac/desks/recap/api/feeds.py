"""API: any filter as a feed, or whole as a file, for programs that can send a token.

Saved queries have feeds with secret addresses.
"""

from typing import Annotated, Literal

from fastapi import Path, Request
from starlette.responses import Response, StreamingResponse

from almanac.desks.recap import service
from almanac.desks.recap.api.dependencies import Reader, Wanted, new_router
from almanac.feeds.writers import FEED_WRITERS
from almanac.http.downloads import attachment
from almanac.http.feed_answers import feed_answer
from almanac.http.surface import surface_of

router = new_router()
LINES = "application/jsonl"


@router.get(
    "/feeds/articles.jsonl",
    response_class=Response,
    responses={200: {"content": {LINES: {}}, "description": "One article a line, as JSON."}},
)
async def download_articles(request: Request, _principal: Reader, wanted: Wanted) -> Response:
    """Every article that a filter finds, with all its texts, one a line; not only the latest."""
    lines = service.export_articles(surface_of(request).services, wanted)
    return StreamingResponse(lines, media_type=LINES, headers=attachment("meetings.jsonl"))


@router.get(
    "/feeds/articles.{form}",
    response_class=Response,
    responses={200: {"content": {media_type: {} for _, media_type in FEED_WRITERS.values()}}},
)
async def read_feed(
    request: Request, form: Annotated[Literal["rss", "atom", "json"], Path()], _principal: Reader, wanted: Wanted
) -> Response:
    """The latest articles that a filter finds, as rss, atom or json."""
    services = surface_of(request).services
    path = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    found = await service.feed(services, wanted, self_link=services.settings.public_url + path)
    return feed_answer(request, found, form)
