"""What the desk's pages share: who may come in, the reader's language, the parts of the desk, and addresses."""

from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Annotated

from fastapi import Path as InPath
from starlette.requests import Request
from starlette.responses import HTMLResponse

from almanac.accounts.model import Principal
from almanac.desks.recap.permissions import READ, WRITE
from almanac.desks.recap.published.record_names import HouseName, format_day
from almanac.desks.recap.urls import PREFIX, WORKSPACE
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
        frame="recap/frame.html",
        is_public=False,
        to=WORKSPACE,
        house=HouseName(wording),
        sections=_sections(principal, wording, section),
        language_links=PHRASES.links(request, wording),
        day=partial(format_day, wording),
        **values,
    )


def _sections(principal: Principal, wording: Translator, current: str) -> list[tuple[str, str, bool]]:
    return [
        (wording(f"section_{name}"), PREFIX + path, name == current)
        for name, path, action in _SECTIONS
        if principal.may(f"desk.recap.{action}")
    ]
