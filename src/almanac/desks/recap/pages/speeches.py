"""The list of speeches: words and filters in any combination, each hit in the words of the record."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.desks.recap.pages.follows import find_followed
from almanac.desks.recap.pages.layout import Reader, render_page
from almanac.desks.recap.published.list_view import query_values
from almanac.desks.recap.published.speech_view import load_speeches
from almanac.desks.recap.urls import PREFIX, WORKSPACE
from almanac.http.app_state import get_state
from almanac.http.paging import Cursor

router = APIRouter(prefix=PREFIX)


@router.get("/speeches")
async def show_speeches(request: Request, principal: Reader, cursor: Cursor = None) -> Response:
    """Speeches that match all filters."""
    values = await load_speeches(get_state(request).services, query_values(request.query_params), cursor, WORKSPACE)
    followed = await find_followed(request, principal, values["follow"])
    status_code = 422 if values["problem"] else 200
    return await render_page(
        request, principal, "speeches", "speeches", status_code=status_code, followed=followed, **values
    )
