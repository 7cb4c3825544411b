"""What the desk's pages share: who may come in, the reader's language, the parts of the desk, and addresses."""

from typing import Annotated

from fastapi import Path as InPath
from starlette.requests import Request
from starlette.responses import HTMLResponse

from almanac.accounts.model import Principal
from almanac.desks.recap.model.left_out import left_out_words
from almanac.desks.recap.model.office_lines import join_offices
from almanac.desks.recap.model.record_names import category_name, format_day, house_name, language_of
from almanac.desks.recap.permissions import READ, WRITE
from almanac.desks.recap.published.labels import LABELS, SECTIONS
from almanac.desks.recap.urls import PREFIX, WORKSPACE
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.http.language_choice import LANGUAGE_PARAMETER, choose_language, list_language_links
from almanac.http.pages import render_page as render_frame

Reader = Annotated[Principal, require(READ)]
Writer = Annotated[Principal, require(WRITE)]
ArticleId = Annotated[str, InPath(max_length=200)]
Key = Annotated[str, InPath(max_length=400)]

_SECTIONS = (
    ("home", "", "read"),
    ("articles", "/articles", "read"),
    ("speeches", "/speeches", "read"),
    ("people", "/people", "read"),
    ("bills", "/bills", "read"),
    ("corrections", "/corrections", "read"),
    ("tasks", "/tasks", "write"),
    ("reports", "/reports", "write"),
    ("held", "/held", "write"),
)


async def render_page(
    request: Request, principal: Principal, section: str, template: str, /, *, status_code: int = 200, **values: object
) -> HTMLResponse:
    """One of the desk's pages, in the reader's language."""
    language = choose_language(request)
    response = await render_frame(
        request,
        f"recap/{template}.html",
        status_code=status_code,
        frame="recap/frame.html",
        is_public=False,
        to=WORKSPACE,
        house=house_name,
        category_name=category_name,
        lang_of=language_of,
        join_offices=join_offices,
        sections=_sections(principal, section),
        reading_languages=list_language_links(request),
        day=format_day,
        labels=LABELS,
        left_out_words=left_out_words,
        **values,
    )
    if request.query_params.get(LANGUAGE_PARAMETER) == language:
        get_state(request).cookies.set_language(response, language)
    return response


def _sections(principal: Principal, current: str) -> list[tuple[str, str, bool]]:
    return [
        (SECTIONS[name], PREFIX + path, name == current)
        for name, path, action in _SECTIONS
        if principal.may(f"desk.recap.{action}")
    ]
