"""API: what was sent, when, and what became of it."""

from datetime import timedelta
from typing import Annotated, Any

from fastapi import Query, Request, Response

from almanac.desks.reminders import service
from almanac.desks.reminders.api.dependencies import Moment, Reader, SentId, new_router
from almanac.desks.reminders.api.schemas import SentBody
from almanac.errors import InputError
from almanac.http.api_models import Listed
from almanac.http.downloads import download
from almanac.http.paging import Cursor, Limit
from almanac.http.surface import surface_of

router = new_router()

A_MONTH = timedelta(days=30)

_MAIL: dict[int | str, dict[str, Any]] = {
    200: {"content": {"message/rfc822": {"schema": {"type": "string", "format": "binary"}}}}
}


@router.get("/sent")
async def list_sent(
    request: Request,
    principal: Reader,
    since: Annotated[Moment | None, Query(alias="from", description="A month before the end unless said.")] = None,
    until: Annotated[Moment | None, Query(alias="to", description="Now unless said.")] = None,
    newest_first: bool = False,
    cursor: Cursor = None,
    limit: Limit = 25,
) -> Listed[SentBody]:
    """What went out in a range of time, the oldest first unless said, with the delivery by recipient."""
    services = surface_of(request).services
    # A range that moved with the clock would make the cursor of the page before one of another list.
    today = services.clock.now().replace(hour=0, minute=0, second=0, microsecond=0)
    begin, end = since or (until or today) - A_MONTH, until or today + A_MONTH
    if end < begin:
        raise InputError("The range ends before it begins; change places.")
    page = await service.list_sent(
        services, principal, begin, end, newest_first=newest_first, limit=limit, cursor=cursor
    )
    return Listed(items=[SentBody.of(one) for one in page.items], next_cursor=page.next_cursor)


@router.get("/sent/{sent_id}")
async def get_sent(request: Request, sent_id: SentId, principal: Reader) -> SentBody:
    """One reminder that went out."""
    return SentBody.of(await service.get_sent(surface_of(request).services, principal, sent_id))


@router.get("/sent/{sent_id}/mail", response_class=Response, responses=_MAIL)
async def get_mail(request: Request, sent_id: SentId, principal: Reader) -> Response:
    """The mail exactly as it was handed over, byte by byte."""
    content = await service.sent_mail(surface_of(request).services, principal, sent_id)
    return download(content, "reminder.eml", "message/rfc822")
