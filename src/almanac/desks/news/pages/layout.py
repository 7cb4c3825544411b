"""What the desk's pages share: who may open them, their prefix, and the tabs."""

from typing import Annotated

from fastapi import Path
from starlette.requests import Request
from starlette.responses import HTMLResponse

from almanac.accounts.model import Principal
from almanac.desks.news.pages.labels import LABELS
from almanac.desks.news.permissions import READ, WRITE
from almanac.desks.news.urls import TABS
from almanac.http.auth import require
from almanac.http.language_choice import preferred_language
from almanac.http.pages import DeskPages

Reader = Annotated[Principal, require(READ)]
Writer = Annotated[Principal, require(WRITE)]
RowNumber = Annotated[int, Path(ge=1, le=2**31 - 1)]

PREFIX = "/news"
_PAGES = DeskPages(desk="news", tabs=TABS, words={"labels": LABELS})


async def desk_page(
    request: Request, tab: str, template: str, /, *, status_code: int = 200, **values: object
) -> HTMLResponse:
    """A page of the desk in the reader's language; `?lang=` names the language of the stories."""
    language = preferred_language(request)
    return await _PAGES.page(request, tab, template, status_code=status_code, language=language, **values)
