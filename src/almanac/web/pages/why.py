"""Ask why: a page with one field, the trace of what is asked about, and what can be asked where nothing is yet."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.http.app_state import get_state
from almanac.http.auth import signed_in
from almanac.http.pages import render_page
from almanac.web.explainers import list_sources
from almanac.web.why_answer import WhyAnswer, answer_why

pages = APIRouter()
LONGEST_ABOUT = 4000


@pages.get("/why")
async def show_why(
    request: Request,
    principal: Annotated[Principal, signed_in()],
    about: Annotated[str, Query(max_length=LONGEST_ABOUT)] = "",
) -> Response:
    """Explain why something is as it is; `about` is a name, an address, a sentence or a subject such as job:12."""
    state = get_state(request)
    about = about.strip()
    answer = await answer_why(state.services, state.desks, principal, about) if about else WhyAnswer(about="")
    examples = [
        example
        for source in list_sources(state.desks)
        if principal.may(source.permission)
        for example in source.examples
    ]
    return await render_page(request, "why.html", answer=answer, examples=examples)
