"""The queue: where every link stands and why, and trying again one link or all of a kind."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from almanac.desks.news import service
from almanac.desks.news.model.links import RETRIABLE, LinkCause, LinkStats, LinkStatus
from almanac.desks.news.pages.layout import PREFIX, Editor, Number, Reader, desk_page
from almanac.errors import InputError
from almanac.http.app_state import get_state
from almanac.http.pages import FormText, redirect_with_message
from almanac.http.paging import Cursor, first_url, next_url, with_query
from almanac.kit.text import counted

router = APIRouter(prefix=PREFIX + "/queue")
TONES = {"pending": "waiting", "processing": "running", "completed": "done", "failed": "failed", "blocked": "failed"}
BULK = (LinkStatus.FAILED, LinkStatus.BLOCKED)
_Narrowed = Annotated[str, Query(max_length=255)]


@router.get("")
async def show_queue(
    request: Request,
    _principal: Reader,
    status: str = "",
    task: _Narrowed = "",
    domain: _Narrowed = "",
    cursor: Cursor = None,
) -> Response:
    """Links, the newest first, with the reason of each."""
    services = get_state(request).services
    known = next((one for one in LinkStatus if one == status), None)
    which = service.LinkFilter(status=known, task=task or None, domain=domain or None)
    listed = await service.list_links(services, which, cursor=cursor)
    return await desk_page(
        request,
        "queue",
        "queue",
        links=listed.items,
        status=known,
        domain=domain,
        tones=TONES,
        bulk=BULK,
        retriable=RETRIABLE,
        facets=_facets(request, known, await service.count_links_by_status(services)),
        chips=_chips(request, task, domain),
        causes=[(cause.value, cause.replace("_", " ")) for cause in LinkCause],
        next_url=next_url(request.url, listed.next_cursor),
        first_url=first_url(request.url, cursor),
    )


@router.post("/add")
async def add(request: Request, principal: Editor, urls: FormText = "") -> Response:
    """Add addresses by hand, one on each line."""
    given = [line.strip() for line in urls.splitlines() if line.strip()]
    tally = await service.add_links(get_state(request).services, principal, given)
    words = f"{counted(tally.added, 'new link')}, {tally.duplicate} known already, {tally.refused} not an address."
    return redirect_with_message(request, f"{PREFIX}/queue", words)


@router.post("/retry")
async def retry_many(
    request: Request, principal: Editor, status: FormText = "failed", cause: FormText = "", domain: FormText = ""
) -> Response:
    """Try many links again."""
    known = next((one for one in BULK if one == status), None)
    if known is None:
        raise InputError("Choose failed or blocked links to try again.")
    retried = await service.retry_links(
        get_state(request).services, principal, status=known, cause=cause or None, domain=domain or None
    )
    return redirect_with_message(
        request, f"{PREFIX}/queue?status=pending", f"{counted(retried, 'link')} will be read again."
    )


@router.post("/{number}/retry")
async def retry(request: Request, number: Number, principal: Editor) -> Response:
    """Read one link again."""
    link = await service.retry_link(get_state(request).services, principal, number)
    return redirect_with_message(
        request, f"{PREFIX}/queue?status=pending", f"{link.title or link.url} will be read again."
    )


def _facets(request: Request, status: str | None, stats: LinkStats) -> list[tuple[str, int, str, bool]]:
    everything = ("All", stats.total_links, with_query(request.url, status=None, cursor=None), status is None)
    return [
        everything,
        *(
            (one.capitalize(), getattr(stats, one), with_query(request.url, status=one, cursor=None), one == status)
            for one in LinkStatus
        ),
    ]


def _chips(request: Request, task: str, domain: str) -> list[tuple[str, str]]:
    named = (("task", "Task", task), ("domain", "Site", domain))
    return [
        (f"{word}: {value}", with_query(request.url, cursor=None, **{name: None}))
        for name, word, value in named
        if value
    ]
