"""What the pages of a desk share: addresses under its path, and a page with the tab that it belongs to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse

from almanac.http.pages import page

# The tab's name, its words, and the page that it opens.
Tab = tuple[str, str, str]


def desk_path(desk: str, *parts: str) -> str:
    """The path of a desk's page, with whatever its parts are made of escaped."""
    return "/".join((f"/{desk}", *(quote(part, safe="") for part in parts)))


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskPages:
    """The pages of one desk. `words` are values that its templates find on every page."""

    desk: str
    tabs: tuple[Tab, ...]
    words: Mapping[str, object] = field(default_factory=dict)

    def address(self, *parts: str) -> str:
        """The path of one of the desk's pages."""
        return desk_path(self.desk, *parts)

    async def page(
        self, request: Request, tab: str, template: str, /, *, status_code: int = 200, **values: object
    ) -> HTMLResponse:
        """A page of the desk, with the tab that it belongs to."""
        tabs = [(words, href, name == tab) for name, words, href in self.tabs]
        return await page(
            request, f"{self.desk}/{template}.html", status_code=status_code, tabs=tabs, **self.words, **values
        )
