"""What the desk's pages share: who may come in, the reader's language, the parts of the desk, and addresses."""

from datetime import date
from importlib.resources import files
from pathlib import Path
from typing import Annotated

from fastapi import Path as InPath
from starlette.requests import Request
from starlette.responses import HTMLResponse

from almanac.accounts.model import Principal
from almanac.desks.recap.permissions import READ, WRITE
from almanac.desks.recap.urls import PREFIX, RecapUrls
from almanac.http.auth import require
from almanac.http.i18n import TranslationCatalog, render_translated_page
from almanac.language.translations import Translator

Reader = Annotated[Principal, require(READ)]
Writer = Annotated[Principal, require(WRITE)]
ArticleId = Annotated[str, InPath(max_length=200)]
Key = Annotated[str, InPath(max_length=400)]

PHRASES = TranslationCatalog.load(Path(str(files("almanac.desks.recap"))) / "locales", ("en", "ja"))
_SECTIONS = (
    ("home", "", "read"),
    ("articles", "/articles", "read"),
    ("people", "/people", "read"),
    ("bills", "/bills", "read"),
    ("tasks", "/tasks", "write"),
    ("reports", "/reports", "write"),
)
_HOUSES = {"衆議院": "house_shugi", "参議院": "house_sangi", "両院": "house_joint"}


async def render_page(
    request: Request, principal: Principal, section: str, template: str, /, *, status_code: int = 200, **values: object
) -> HTMLResponse:
    """One of the desk's pages, in the reader's language."""
    wording = PHRASES.choose(request, principal)
    return await render_translated_page(
        request,
        wording,
        f"recap/{template}.html",
        status_code=status_code,
        to=RecapUrls(),
        house=HouseName(wording),
        sections=_sections(principal, wording, section),
        language_links=PHRASES.links(request, wording),
        day=lambda text: _day(wording, text),
        **values,
    )


class HouseName:
    """A house as the reader's language calls it; the record's own name where it has no other."""

    def __init__(self, wording: Translator) -> None:
        self._wording = wording

    def __call__(self, name: str | None) -> str:
        return self._wording(_HOUSES[name]) if name in _HOUSES else name or ""


def _sections(principal: Principal, wording: Translator, current: str) -> list[tuple[str, str, bool]]:
    return [
        (wording(f"section_{name}"), PREFIX + path, name == current)
        for name, path, action in _SECTIONS
        if principal.may(f"desk.recap.{action}")
    ]


def _day(wording: Translator, text: str | date) -> str:
    """A day as the language writes it; what is no day stays as it is."""
    if isinstance(text, date):
        return wording.day(text)
    try:
        return wording.day(date.fromisoformat(text[:10]))
    except ValueError:
        return text
