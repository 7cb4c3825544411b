"""The list of a person's newsletters, and creating, duplicating and deleting one."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from almanac.desks.newsletter.model.configuration import MAX_TITLE_LENGTH, ConfigurationEdit
from almanac.desks.newsletter.pages.layout import (
    STATUS_TONES,
    STATUSES,
    STEP_PAGES,
    Code,
    Reader,
    Writer,
    load_newsletter,
)
from almanac.desks.newsletter.service import newsletters as newsletter_service
from almanac.desks.newsletter.service.newsletters import ORDERS, NewsletterSearch, search_own_newsletters
from almanac.desks.newsletter.urls import PREFIX, newsletter_path
from almanac.errors import FieldErrors
from almanac.http.app_state import get_state
from almanac.http.pages import FormText, redirect_with_message, render_page
from almanac.http.paging import with_query
from almanac.kit.messages import gettext, pgettext

router = APIRouter(prefix=PREFIX)
_ROWS = 50
STEP_WORDS = (
    pgettext("step of a newsletter", "configuration"),
    pgettext("step of a newsletter", "topics"),
    pgettext("step of a newsletter", "outline"),
    pgettext("step of a newsletter", "draft"),
)


@router.get("")
async def show_newsletters(
    request: Request,
    principal: Reader,
    q: Annotated[str, Query(max_length=200)] = "",
    status: str = "",
    sort: str = "-updated",
    start: Annotated[int, Query(ge=0, le=100_000)] = 0,
) -> Response:
    """Your own newsletters, the latest first."""
    status = status if status in STATUSES else ""
    search = await search_own_newsletters(get_state(request).services, principal, status=status, text=q, order=sort)
    shown = search.items[start : start + _ROWS]
    more = start + _ROWS < len(search.items)
    return await render_page(
        request,
        "newsletter/list.html",
        newsletters=shown,
        search=search,
        q=q,
        status=status,
        sort=sort,
        facets=_facets(request, search, status),
        sort_links=_sort_links(request, sort),
        tones=STATUS_TONES,
        statuses=STATUSES,
        step_words=dict(enumerate(STEP_WORDS, 1)),
        next_url=with_query(request.url, start=str(start + _ROWS)) if more else "",
        first_url=with_query(request.url, start=None) if start else "",
    )


@router.get("/new")
async def show_new(request: Request, _principal: Writer) -> Response:
    """The form for a new newsletter."""
    return await _show_form(request, "", {})


@router.post("/new")
async def create_newsletter(request: Request, principal: Writer, title: FormText = "") -> Response:
    """Create a newsletter and go to its configuration."""
    try:
        newsletter = await newsletter_service.create_newsletter(
            get_state(request).services, principal, ConfigurationEdit(title=title)
        )
    except FieldErrors as error:
        return await _show_form(request, title, error.fields)
    return redirect_with_message(
        request, newsletter_path(newsletter.code, "configuration"), gettext("Newsletter created.")
    )


@router.get("/{code}")
async def resume_newsletter(request: Request, code: Code, principal: Reader) -> Response:
    """Redirect to the step where the person left off."""
    full = await load_newsletter(request, principal, code)
    step = max(1, min(full.newsletter.current_step, len(STEP_PAGES)))
    return redirect_with_message(request, newsletter_path(code, STEP_PAGES[step - 1]))


@router.post("/{code}/duplicate")
async def duplicate_newsletter(request: Request, code: Code, principal: Writer) -> Response:
    """Create the next issue from this one."""
    newsletter = await newsletter_service.duplicate_newsletter(get_state(request).services, principal, code)
    words = gettext("Newsletter created with the configuration and topics of %(code)s.", code=code)
    return redirect_with_message(request, newsletter_path(newsletter.code, "configuration"), words)


@router.post("/{code}/delete")
async def delete_newsletter(request: Request, code: Code, principal: Writer) -> Response:
    """Delete the newsletter; the page asked for confirmation."""
    await newsletter_service.delete_newsletter(get_state(request).services, principal, code)
    return redirect_with_message(request, "/newsletter", gettext("Deleted %(code)s.", code=code))


async def _show_form(request: Request, title: str, errors: dict[str, str]) -> Response:
    status = 422 if errors else 200
    return await render_page(
        request, "newsletter/new.html", status_code=status, title=title, errors=errors, longest=MAX_TITLE_LENGTH
    )


def _facets(request: Request, search: NewsletterSearch, status: str) -> list[tuple[str, int | None, str, bool]]:
    every = with_query(request.url, status=None, start=None)
    facets: list[tuple[str, int | None, str, bool]] = [(gettext("All"), search.by_status.total(), every, not status)]
    for name, words in STATUSES.items():
        href = with_query(request.url, status=name, start=None)
        facets.append((words, search.by_status[name], href, status == name))
    return facets


def _sort_links(request: Request, sort: str) -> dict[str, str]:
    """The address of each column; the current one reverses the order."""
    orders = {name: f"-{name}" if sort == name else name for name in ORDERS}
    return {name: with_query(request.url, sort=order, start=None) for name, order in orders.items()}
