"""What the desk's pages share: who may open them, their prefix, and the tabs."""

from typing import Annotated

from fastapi import Path
from starlette.requests import Request
from starlette.responses import HTMLResponse

from almanac.accounts.model import Principal
from almanac.desks.news.pages.labels import LABELS, schedule_words
from almanac.desks.news.permissions import READ, WRITE
from almanac.desks.news.urls import TABS
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.http.language_choice import preferred_language
from almanac.http.pages import DeskPages

Reader = Annotated[Principal, require(READ)]
Writer = Annotated[Principal, require(WRITE)]
RowNumber = Annotated[int, Path(ge=1, le=2**31 - 1)]

PREFIX = "/news"
_PAGES = DeskPages(desk="news", tabs=TABS, words={"labels": LABELS, "schedule_words": schedule_words})


async def desk_page(
    request: Request, tab: str, template: str, /, *, status_code: int = 200, **values: object
) -> HTMLResponse:
    """A page of the desk in the reader's language; `?lang=` names the language of the stories."""
    now = get_state(request).services.clock.now()
    language = preferred_language(request)
    return await _PAGES.page(request, tab, template, status_code=status_code, language=language, now=now, **values)
