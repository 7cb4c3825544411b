"""What the desk's pages share: who may come in, the reader's language, the parts of the desk, and addresses."""

from datetime import date
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Annotated
from urllib.parse import quote, urlencode

from fastapi import Path as InPath
from starlette.requests import Request
from starlette.responses import HTMLResponse

from almanac.accounts.model import Principal
from almanac.desks.recap.filters import ArticleFilter
from almanac.http.desk_pages import desk_path
from almanac.http.guards import require
from almanac.http.languages import Phrases, Wording, page_in

Reader = Annotated[Principal, require("desk.recap.read")]
Operator = Annotated[Principal, require("desk.recap.write")]
ArticleId = Annotated[str, InPath(max_length=200)]
Key = Annotated[str, InPath(max_length=400)]

PREFIX = "/recap"
address = partial(desk_path, "recap")
PHRASES = Phrases.load(Path(str(files("almanac.desks.recap"))) / "words", ("en", "ja"))
_SECTIONS = (
    ("home", "", "read"),
    ("articles", "/articles", "read"),
    ("people", "/people", "read"),
    ("bills", "/bills", "read"),
    ("tasks", "/tasks", "write"),
    ("reports", "/reports", "write"),
)
_HOUSES = {"衆議院": "house_shugi", "参議院": "house_sangi", "両院": "house_joint"}


async def show(
    request: Request, principal: Principal, section: str, template: str, /, *, status_code: int = 200, **values: object
) -> HTMLResponse:
    """One of the desk's pages, in the reader's language."""
    wording = PHRASES.for_reader(request, principal)
    return await page_in(
        request,
        wording,
        f"recap/{template}.html",
        status_code=status_code,
        to=Addresses(),
        house=HouseName(wording),
        sections=_sections(principal, wording, section),
        language_links=PHRASES.links(request, wording),
        day=lambda text: _day(wording, text),
        **values,
    )


class Addresses:
    """Where things of this desk are, as templates ask for them."""

    def article(self, article_id: str, level: str = "") -> str:
        return address("articles", article_id) + (f"?level={quote(level)}" if level else "")

    def speech(self, article_id: str, order: int) -> str:
        """The permanent address of a speech, whatever part of the minutes it is in."""
        return address("articles", article_id, "speeches", str(order))

    def person(self, name: str, key: str = "", bill: str = "") -> str:
        return address("people", name) + _query(key=key, bill=bill)

    def bill(self, key: str) -> str:
        return address("bills", key)

    def agenda(self, key: str) -> str:
        return address("agenda", key)

    def issue(self, issue_id: str) -> str:
        return address("issues", issue_id)

    def articles(self, **chosen: str) -> str:
        return address("articles") + _query(**chosen)

    def report(self, article_id: str, order: int | None = None) -> str:
        return address("articles", article_id, "report") + (_query(order=str(order)) if order is not None else "")


def listing_address(wanted: ArticleFilter, *extra: tuple[str, str]) -> str:
    """Where the list shows a filter, in the shortest form that can be shared."""
    query = urlencode([*wanted.parameters(), *extra])
    return address("articles") + (f"?{query}" if query else "")


class HouseName:
    """A house as the reader's language calls it; the record's own name where it has no other."""

    def __init__(self, wording: Wording) -> None:
        self._wording = wording

    def __call__(self, name: str | None) -> str:
        return self._wording(_HOUSES[name]) if name in _HOUSES else name or ""


def _sections(principal: Principal, wording: Wording, current: str) -> list[tuple[str, str, bool]]:
    return [
        (wording(f"section_{name}"), PREFIX + path, name == current)
        for name, path, action in _SECTIONS
        if principal.may(f"desk.recap.{action}")
    ]


def _day(wording: Wording, text: str | date) -> str:
    """A day as the language writes it; what is no day stays as it is."""
    if isinstance(text, date):
        return wording.day(text)
    try:
        return wording.day(date.fromisoformat(text[:10]))
    except ValueError:
        return text


def _query(**values: str) -> str:
    query = urlencode({name: value for name, value in values.items() if value})
    return f"?{query}" if query else ""
