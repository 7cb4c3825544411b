"""The list of a person's newsletters, and what is done with a whole one: begin, duplicate, delete."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from almanac.desks.newsletter import service
from almanac.desks.newsletter.model.configuration import LONGEST_TITLE, ConfigurationEdit
from almanac.desks.newsletter.pages.wizard import (
    PREFIX,
    STATUS_TONES,
    STEP_PAGES,
    Author,
    Code,
    Reader,
    address,
    opened,
)
from almanac.desks.newsletter.service.finding import ORDERS, FoundNewsletters, find_own
from almanac.errors import FieldErrors
from almanac.http.app_state import get_state
from almanac.http.pages import FormText, redirect_with_message, render_page
from almanac.http.paging import with_query

router = APIRouter(prefix=PREFIX)
_STATUSES = {"draft": "Draft", "completed": "Completed", "exported": "Exported"}
_ROWS = 50


@router.get("")
async def show_newsletters(
    request: Request,
    principal: Reader,
    q: Annotated[str, Query(max_length=200)] = "",
    status: str = "",
    sort: str = "-updated",
    start: Annotated[int, Query(ge=0, le=100_000)] = 0,
) -> Response:
    """One's own newsletters, the latest first."""
    status = status if status in _STATUSES else ""
    found = await find_own(get_state(request).services, principal, status=status, text=q, order=sort)
    rest = found.items[start : start + _ROWS]
    more = start + _ROWS < len(found.items)
    return await render_page(
        request,
        "newsletter/list.html",
        newsletters=rest,
        found=found,
        q=q,
        status=status,
        sort=sort,
        facets=_facets(request, found, status),
        sort_links=_sort_links(request, sort),
        tones=STATUS_TONES,
        statuses=_STATUSES,
        step_words=dict(enumerate(STEP_PAGES, 1)),
        next_url=with_query(request.url, start=str(start + _ROWS)) if more else "",
        first_url=with_query(request.url, start=None) if start else "",
    )


@router.get("/new")
async def show_new(request: Request, _principal: Author) -> Response:
    """The first step: a title."""
    return await _new(request, "", {})


@router.post("/new")
async def begin(request: Request, principal: Author, title: FormText = "") -> Response:
    """Begin a newsletter and go on to its configuration."""
    try:
        made = await service.create(get_state(request).services, principal, ConfigurationEdit(title=title))
    except FieldErrors as error:
        return await _new(request, title, error.fields)
    return redirect_with_message(request, address(made.code, "configuration"), f"{made.code} is begun.")


@router.get("/{code}")
async def resume(request: Request, code: Code, principal: Reader) -> Response:
    """Go on where the person left off."""
    full = await opened(request, principal, code)
    step = max(1, min(full.newsletter.current_step, len(STEP_PAGES)))
    return redirect_with_message(request, address(code, STEP_PAGES[step - 1]))


@router.post("/{code}/duplicate")
async def duplicate(request: Request, code: Code, principal: Author) -> Response:
    """Begin the next issue from this one."""
    made = await service.duplicate(get_state(request).services, principal, code)
    words = f"{made.code} has the configuration and topics of {code}."
    return redirect_with_message(request, address(made.code, "configuration"), words)


@router.post("/{code}/delete")
async def delete(request: Request, code: Code, principal: Author) -> Response:
    """Delete it with everything that is its own; the page asked before."""
    await service.delete(get_state(request).services, principal, code)
    return redirect_with_message(request, "/newsletter", f"{code} is deleted.")


async def _new(request: Request, title: str, errors: dict[str, str]) -> Response:
    status = 422 if errors else 200
    return await render_page(
        request, "newsletter/new.html", status_code=status, title=title, errors=errors, longest=LONGEST_TITLE
    )


def _facets(request: Request, found: FoundNewsletters, status: str) -> list[tuple[str, int | None, str, bool]]:
    every = with_query(request.url, status=None, start=None)
    facets: list[tuple[str, int | None, str, bool]] = [("All", found.by_status.total(), every, not status)]
    for name, words in _STATUSES.items():
        href = with_query(request.url, status=name, start=None)
        facets.append((words, found.by_status[name], href, status == name))
    return facets


def _sort_links(request: Request, sort: str) -> dict[str, str]:
    """Each column's address; the one in force turns round."""
    turned = {name: f"-{name}" if sort == name else name for name in ORDERS}
    return {name: with_query(request.url, sort=order, start=None) for name, order in turned.items()}
