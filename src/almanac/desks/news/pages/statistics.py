"""Statistics: how many links stand where, and what the stories are about."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.desks.news import service
from almanac.desks.news.model.links import LinkStatus
from almanac.desks.news.pages.layout import PREFIX, Reader, desk_page
from almanac.desks.news.service.articles import StoryFilter
from almanac.http.app_state import get_state

router = APIRouter(prefix=PREFIX)
SHOWN = (("tag", "Tags"), ("country", "Countries"), ("source", "Sources"))
_MOST = 12


@router.get("/statistics")
async def show_statistics(request: Request, principal: Reader) -> Response:
    """The documented figures with what was added to them, and the stories by what they are about."""
    services = get_state(request).services
    stats = await service.count_links_by_status(services)
    found = await service.find_articles(services, principal, StoryFilter(), facets=[name for name, _ in SHOWN], limit=1)
    links = [(one.capitalize(), getattr(stats, one), f"{PREFIX}/queue?status={one}") for one in LinkStatus]
    about = [(words, found.facets.get(name, [])[:_MOST]) for name, words in SHOWN]
    return await desk_page(
        request,
        "figures",
        "figures",
        total=stats.total_links,
        stories=found.total,
        links=links,
        about=[one for one in about if one[1]],
    )
