"""The queue of links with their status and reason, retrying them, and looking up what became of an address."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from almanac.desks.news.explainer import trace_fate
from almanac.desks.news.model.links import RETRIABLE, LinkCause, LinkStats, LinkStatus
from almanac.desks.news.pages.labels import CAUSES, STATUSES
from almanac.desks.news.pages.layout import PREFIX, Reader, RowNumber, Writer, desk_page
from almanac.desks.news.service import links
from almanac.desks.news.service.sites import get_site
from almanac.errors import InputError
from almanac.http.app_state import get_state
from almanac.http.pages import FormText, redirect_with_message
from almanac.http.paging import Cursor, first_url, next_url, with_query
from almanac.kit.messages import gettext, ngettext
from almanac.why import WhyReader

router = APIRouter(prefix=PREFIX)
# A page that couldn't be read is one of many, and is tried again: it needs nobody now.
TONES = {"processing": "running", "completed": "done", "failed": "waiting"}
BULK = (LinkStatus.FAILED, LinkStatus.BLOCKED)
_FilterValue = Annotated[str, Query(max_length=255)]


@router.get("/queue")
async def show_queue(
    request: Request,
    _principal: Reader,
    status: str = "",
    task: _FilterValue = "",
    domain: _FilterValue = "",
    cursor: Cursor = None,
) -> Response:
    """Links, newest first, with the reason for their status."""
    services = get_state(request).services
    chosen = next((candidate for candidate in LinkStatus if candidate == status), None)
    which = links.LinkFilter(status=chosen, task=task or None, domain=domain or None)
    page = await links.list_links(services, which, cursor=cursor)
    return await desk_page(
        request,
        "queue",
        "queue",
        links=page.items,
        status=chosen,
        domain=domain,
        tones=TONES,
        bulk=BULK,
        retriable=RETRIABLE,
        facets=_facets(request, chosen, await links.count_links_by_status(services)),
        chips=_chips(request, task, domain),
        causes=[(cause.value, CAUSES[cause]) for cause in LinkCause],
        next_url=next_url(request.url, page.next_cursor),
        first_url=first_url(request.url, cursor),
    )


@router.post("/queue/add")
async def add_links(request: Request, principal: Writer, urls: FormText = "") -> Response:
    """Add addresses by hand, one on each line."""
    lines = [line.strip() for line in urls.splitlines() if line.strip()]
    tally = await links.add_links(get_state(request).services, principal, lines)
    message = gettext(
        "%(links)s, %(known)s already known, %(invalid)s invalid.",
        links=ngettext("%(num)s new link", "%(num)s new links", tally.added),
        known=tally.duplicate,
        invalid=tally.refused,
    )
    return redirect_with_message(request, f"{PREFIX}/queue", message)


@router.post("/queue/retry")
async def retry_links(
    request: Request, principal: Writer, status: FormText = "failed", cause: FormText = "", domain: FormText = ""
) -> Response:
    """Queue many links again."""
    chosen = next((candidate for candidate in BULK if candidate == status), None)
    if chosen is None:
        raise InputError(gettext("Choose failed or blocked links to retry."))
    retried = await links.retry_links(
        get_state(request).services, principal, status=chosen, cause=cause or None, domain=domain or None
    )
    return redirect_with_message(
        request,
        f"{PREFIX}/queue?status=pending",
        ngettext("%(num)s link will be read again.", "%(num)s links will be read again.", retried),
    )


@router.post("/queue/{number}/retry")
async def retry_link(request: Request, number: RowNumber, principal: Writer) -> Response:
    """Queue one link again."""
    link = await links.retry_link(get_state(request).services, principal, number)
    return redirect_with_message(
        request,
        f"{PREFIX}/queue?status=pending",
        gettext("%(title)s will be read again.", title=link.title or link.url),
    )


@router.get("/fate")
async def show_fate(request: Request, principal: Reader, url: Annotated[str, Query(max_length=4000)] = "") -> Response:
    """Show what happened to an address, in any spelling."""
    services, trace, problem = get_state(request).services, None, ""
    try:
        if url.strip():
            fate = await links.look_up_url(services, url)
            trace = trace_fate(WhyReader(services, principal), fate, await get_site(services, url))
    except InputError as error:
        problem = error.sentence
    return await desk_page(
        request,
        "fate",
        "fate",
        status_code=422 if problem else 200,
        url=url,
        trace=trace,
        problem=problem,
    )


def _facets(request: Request, status: str | None, stats: LinkStats) -> list[tuple[str, int, str, bool]]:
    everything = (gettext("All"), stats.total_links, with_query(request.url, status=None, cursor=None), status is None)
    return [
        everything,
        *(
            (
                STATUSES[value],
                getattr(stats, value),
                with_query(request.url, status=value, cursor=None),
                value == status,
            )
            for value in LinkStatus
        ),
    ]


def _chips(request: Request, task: str, domain: str) -> list[tuple[str, str]]:
    named = (("task", gettext("Task"), task), ("domain", gettext("Site"), domain))
    return [
        (gettext("%(name)s: %(value)s", name=word, value=value), with_query(request.url, cursor=None, **{name: None}))
        for name, word, value in named
        if value
    ]
