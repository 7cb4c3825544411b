"""What all pages of the desk share: who may come in, where things are, and the desk's tabs."""

from typing import Annotated
from urllib.parse import quote

from fastapi import Path
from starlette.requests import Request
from starlette.responses import HTMLResponse

from almanac.accounts.model import Principal
from almanac.http.guards import require
from almanac.http.pages import page

Reader = Annotated[Principal, require("desk.habits.read")]
Keeper = Annotated[Principal, require("desk.habits.write")]
HabitId = Annotated[str, Path(min_length=1, max_length=64)]

PREFIX = "/habits"
TABS = (
    ("today", "Today", PREFIX),
    ("badges", "Badges", f"{PREFIX}/badges"),
    ("points", "Points", f"{PREFIX}/points"),
    ("report", "Report", f"{PREFIX}/report"),
    ("leaderboard", "Leaderboard", f"{PREFIX}/leaderboard"),
    ("files", "Import and export", f"{PREFIX}/files"),
    ("settings", "Settings", f"{PREFIX}/settings"),
)


def address(*parts: str) -> str:
    """The path of one of the desk's pages."""
    return "/".join((PREFIX, *(quote(part, safe="") for part in parts)))


async def desk_page(
    request: Request, tab: str, template: str, /, *, status_code: int = 200, **values: object
) -> HTMLResponse:
    """A page of the desk, with the tab that it belongs to."""
    tabs = [(words, href, name == tab) for name, words, href in TABS]
    return await page(request, f"habits/{template}.html", status_code=status_code, tabs=tabs, **values)
