"""The command palette as a page and as the list in its dialog, and the keys of a page."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import HTMLResponse, Response

from almanac.accounts.model import Principal
from almanac.http.app_state import get_state
from almanac.http.auth import require, signed_in
from almanac.http.cookies import Flash
from almanac.http.language_choice import choose_language, reader_languages, title_languages
from almanac.http.pages import FormText, is_htmx_request, redirect, render_fragment, render_page, safe_local_path
from almanac.http.shortcuts import SHORTCUTS, list_shortcuts
from almanac.kit.messages import gettext
from almanac.web.page_finder import list_static_pages
from almanac.web.palette import PaletteQuestion, answer_palette

pages = APIRouter()
LONGEST_QUESTION = 200

PagePath = Annotated[str, Query(max_length=500)]


@pages.get("/palette")
async def show_palette(
    request: Request,
    principal: Annotated[Principal, signed_in()],
    q: Annotated[str, Query(max_length=LONGEST_QUESTION)] = "",
    page: PagePath = "/",
) -> Response:
    """Actions, pages, things and help that match; only the list for the dialog, a whole page without scripts."""
    state = get_state(request)
    question = PaletteQuestion(
        words=q.strip(),
        principal=principal,
        services=state.services,
        desks=state.desks,
        language=choose_language(request),
        reading=reader_languages(request),
        titles_in=title_languages(request),
        path=safe_local_path(page),
    )
    groups = await answer_palette(question)
    if is_htmx_request(request):
        return HTMLResponse(render_fragment(request, "palette/results.html", groups=groups, q=q))
    return await render_page(request, "palette/palette.html", groups=groups, q=q)


@pages.get("/shortcuts")
async def show_shortcuts(
    request: Request, principal: Annotated[Principal, signed_in()], page: PagePath = "", rows: bool = True
) -> Response:
    """The keys of a page for the dialog, `rows` if it has a list to walk through, or those of every page."""
    state = get_state(request)
    places = {link.href for link in list_static_pages(state.desks, principal)}
    groups = list_shortcuts(page, places, has_rows=rows) if page else SHORTCUTS
    if is_htmx_request(request):
        return HTMLResponse(render_fragment(request, "palette/keys.html", groups=groups))
    return await render_page(
        request, "palette/shortcuts.html", groups=groups, keys_are_on=state.cookies.keys_are_on(request.cookies)
    )


@pages.post("/account/keys")
async def switch_keys(
    request: Request, _principal: Annotated[Principal, require("account.own")], keys: FormText = ""
) -> Response:
    """Switch single-key shortcuts on or off in this browser."""
    is_on = keys == "on"
    sentence = gettext("Single keys are on.") if is_on else gettext("Single keys are off in this browser.")
    response = redirect(request, "/shortcuts", Flash(sentence))
    get_state(request).cookies.set_keys(response, is_on=is_on)
    return response
