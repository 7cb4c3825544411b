"""API: the sentences of a recap with the words of the speeches that support them, and people's verdicts."""

from fastapi import Request

from almanac.desks.recap.api.dependencies import new_router
from almanac.desks.recap.permissions import READ, WRITE
from almanac.desks.recap.service.reader import open_readable_recap
from almanac.http.api_models import Id
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.http.reader_api import ApiPart, add_reader_routes
from almanac.reader.model import ReadableDocument

router = new_router()


async def _open(request: Request, article_id: Id, part: ApiPart = "") -> ReadableDocument:
    return await open_readable_recap(get_state(request).services, article_id, part)


add_reader_routes(router, "/articles/{article_id}", _open, require(READ), require(WRITE))
