"""API: the points of a story with the words of the article that support them, and people's verdicts."""

from fastapi import Request

from almanac.desks.news.api.dependencies import new_router
from almanac.desks.news.permissions import READ, WRITE
from almanac.desks.news.service.reader import open_readable_story
from almanac.http.api_models import RowId
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.http.reader_api import ApiPart, add_reader_routes
from almanac.reader.model import ReadableDocument

router = new_router()


async def _open(request: Request, link_id: RowId, part: ApiPart = "") -> ReadableDocument:
    return await open_readable_story(get_state(request).services, link_id, part)


add_reader_routes(router, "/articles/{link_id}", _open, require(READ), require(WRITE))
