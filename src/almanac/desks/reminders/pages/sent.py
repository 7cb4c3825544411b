"""Sent reminders by time with the delivery of each recipient, and each exact mail."""

from datetime import UTC, date, datetime, time, timedelta
from email import message_from_bytes, policy
from typing import Annotated
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.desks.reminders import service, store
from almanac.desks.reminders.model.labels import MAIL_HEADERS
from almanac.desks.reminders.model.ledger import is_plausible_date
from almanac.desks.reminders.pages.layout import PREFIX, Name, Reader, desk_page, get_time_zone, load_user_names
from almanac.errors import NotFound
from almanac.http.app_state import get_state
from almanac.http.paging import Cursor, first_url, next_url
from almanac.http.responses import download_response

router = APIRouter(prefix=PREFIX + "/sent")
DAYS = 30
Day = Annotated[str, Query(max_length=10)]


@router.get("")
async def show_sent(
    request: Request, principal: Reader, since: Day = "", until: Day = "", cursor: Cursor = None
) -> Response:
    """List reminders sent between two days, newest first."""
    services = get_state(request).services
    zone = get_time_zone(services, principal)
    first, last = _parse_range(since, until, zone, services.clock.now())
    begin, end = _start_of_day(first, zone), _start_of_day(last + timedelta(days=1), zone)
    listed = await service.list_sent(services, principal, begin, end, newest_first=True, cursor=cursor)
    customers = await store.find_customers(services.tables, (mail.customer_id for mail in listed.items))
    return await desk_page(
        request,
        "sent",
        "sent",
        mails=listed.items,
        customers=customers,
        since=first,
        until=last,
        next_url=next_url(request.url, listed.next_cursor),
        first_url=first_url(request.url, cursor),
    )


@router.get("/{sent_id}")
async def show_mail(request: Request, sent_id: Name, principal: Reader) -> Response:
    """Show a mail with its text, history and source."""
    services = get_state(request).services
    sent = await service.get_sent(services, principal, sent_id)
    customers = await store.find_customers(services.tables, [sent.customer_id])
    names = await load_user_names(services, [sent.approved_by or ""])
    return await desk_page(
        request,
        "sent",
        "sent_mail",
        sent=sent,
        source=await _source(request, principal, sent_id),
        customer=customers.get(sent.customer_id),
        approved_by=names.get(sent.approved_by or "", ""),
    )


@router.get("/{sent_id}/mail.eml")
async def download_mail(request: Request, sent_id: Name, principal: Reader) -> Response:
    """Download the exact bytes as a file that mail programs open."""
    content = await service.get_sent_mail(get_state(request).services, principal, sent_id)
    return download_response(content, "reminder.eml", "message/rfc822")


async def _source(request: Request, principal: Principal, sent_id: str) -> dict[str, str] | None:
    """The source of the mail, and its main headers."""
    try:
        content = await service.get_sent_mail(get_state(request).services, principal, sent_id)
    except NotFound:
        return None
    parsed = message_from_bytes(content, policy=policy.default)
    lines = {name: str(parsed.get(name, "")) for name in MAIL_HEADERS}
    return {**lines, "source": content.decode("utf-8", "replace")}


def _start_of_day(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(), zone).astimezone(UTC)


def _parse_range(since: str, until: str, zone: ZoneInfo, now: datetime) -> tuple[date, date]:
    """The requested days; the last 30 if they are missing or invalid."""
    today = now.astimezone(zone).date()
    last = _parse_day(until) or today
    first = _parse_day(since) or last - timedelta(days=DAYS)
    return (first, last) if first <= last else (last, first)


def _parse_day(text: str) -> date | None:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if is_plausible_date(day) else None
