"""What all pages of the desk share: who may come in, where things are, and the desk's tabs."""

from typing import Annotated

from fastapi import Path
from starlette.requests import Request
from starlette.responses import HTMLResponse

from almanac.accounts.model import Principal
from almanac.http.guards import require
from almanac.http.pages import page

Reader = Annotated[Principal, require("desk.news.read")]
Editor = Annotated[Principal, require("desk.news.write")]
Number = Annotated[int, Path(ge=1, le=2**31 - 1)]

PREFIX = "/news"
TABS = (
    ("stories", "Stories", PREFIX),
    ("tasks", "Tasks", f"{PREFIX}/tasks"),
    ("queue", "Queue", f"{PREFIX}/queue"),
    ("fate", "Why is this not here?", f"{PREFIX}/fate"),
    ("sites", "Sites", f"{PREFIX}/sites"),
    ("rules", "Rules", f"{PREFIX}/rules"),
    ("figures", "Statistics", f"{PREFIX}/statistics"),
)


async def desk_page(
    request: Request, tab: str, template: str, /, *, status_code: int = 200, **values: object
) -> HTMLResponse:
    """A page of the desk, with the tab that it belongs to."""
    tabs = [(words, href, name == tab) for name, words, href in TABS]
    return await page(request, f"news/{template}.html", status_code=status_code, tabs=tabs, **values)
