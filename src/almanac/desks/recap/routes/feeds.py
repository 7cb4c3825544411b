"""API: any filter as a feed, for programs that can send a token; saved queries have feeds with secret addresses."""

from typing import Annotated, Literal

from fastapi import Path, Request
from starlette.responses import Response

from almanac.desks.recap import service
from almanac.desks.recap.routes.parts import Reader, Wanted, new_router
from almanac.http.feed_answers import WRITERS, feed_answer
from almanac.http.surface import surface_of

router = new_router()


@router.get(
    "/feeds/articles.{form}",
    response_class=Response,
    responses={200: {"content": {media_type.partition(";")[0]: {} for _, media_type in WRITERS.values()}}},
)
async def read_feed(
    request: Request, form: Annotated[Literal["rss", "atom", "json"], Path()], _principal: Reader, wanted: Wanted
) -> Response:
    """The latest articles that a filter finds, as rss, atom or json."""
    services = surface_of(request).services
    path = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    found = await service.feed(services, wanted, self_link=services.settings.public_url + path)
    return feed_answer(request, found, form)
