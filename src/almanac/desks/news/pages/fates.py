"""Why is this not here? Paste an address, and see what became of it."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from almanac.desks.news import service
from almanac.desks.news.model.links import RETRIABLE
from almanac.desks.news.pages.layout import PREFIX, Reader, desk_page
from almanac.desks.news.pages.queue import TONES
from almanac.desks.news.service import UrlFate
from almanac.errors import InputError
from almanac.http.app_state import get_state

router = APIRouter(prefix=PREFIX)


@router.get("/fate")
async def show_fate(request: Request, _principal: Reader, url: Annotated[str, Query(max_length=4000)] = "") -> Response:
    """What became of an address, whatever its spelling."""
    fate: UrlFate | None = None
    problem = ""
    try:
        fate = await service.look_up_url(get_state(request).services, url) if url.strip() else None
    except InputError as error:
        problem = error.sentence
    return await desk_page(
        request,
        "fate",
        "fate",
        status_code=422 if problem else 200,
        url=url,
        fate=fate,
        problem=problem,
        tones=TONES,
        retriable=RETRIABLE,
    )
