"""Bills, items of the agenda and records across meetings and houses, each from its beginning."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.desks.recap.model.follows import Follow
from almanac.desks.recap.pages.follows import find_followed
from almanac.desks.recap.pages.layout import Key, Reader, render_page
from almanac.desks.recap.published.article_view import TONES
from almanac.desks.recap.published.bill_view import MOST_BILLS, BillSpeeches, list_bill_rows, load_bill_speeches
from almanac.desks.recap.service import articles, search
from almanac.desks.recap.urls import PREFIX
from almanac.http.app_state import get_state

router = APIRouter(prefix=PREFIX)


@router.get("/bills")
async def show_bills(request: Request, principal: Reader) -> Response:
    """The bills that most meetings dealt with lately, those that moved last at the top."""
    services = get_state(request).services
    bills = await search.list_frequent_values(services, ("bill",), most=MOST_BILLS)
    lines = await list_bill_rows(services, bills)
    return await render_page(request, principal, "bills", "bills", bills=lines, is_cut=len(bills) == MOST_BILLS)


@router.get("/bills/{key}")
async def show_bill(request: Request, key: Key, principal: Reader) -> Response:
    """One bill through both houses."""
    services = get_state(request).services
    timeline = await articles.get_bill_timeline(services, key)
    spoken = await load_bill_speeches(services, key)
    followed = await find_followed(request, principal, Follow("bill", key))
    return await render_page(
        request, principal, "bills", "bill", timeline=timeline, spoken=spoken, tones=TONES, followed=followed
    )


@router.get("/agenda/{key}")
async def show_agenda_item(request: Request, key: Key, principal: Reader) -> Response:
    """One item of the agenda across meetings."""
    timeline = await articles.get_agenda_timeline(get_state(request).services, key)
    return await render_page(request, principal, "bills", "bill", timeline=timeline, spoken=BillSpeeches(), tones=TONES)


@router.get("/issues/{issue_id}")
async def show_issue(request: Request, issue_id: Key, principal: Reader) -> Response:
    """Every article about one record."""
    timeline = await articles.get_issue_timeline(get_state(request).services, issue_id)
    return await render_page(request, principal, "articles", "issue", timeline=timeline)
