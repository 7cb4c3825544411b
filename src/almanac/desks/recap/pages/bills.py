"""Bills, items of the agenda and records across meetings and houses, each from its beginning."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.desks.recap.model.filters import ArticleFilter
from almanac.desks.recap.model.views import FacetValue, MeetingTimeline
from almanac.desks.recap.pages.layout import Key, Reader, render_page
from almanac.desks.recap.service import articles, search
from almanac.desks.recap.urls import PREFIX
from almanac.errors import NotFound
from almanac.http.app_state import get_state
from almanac.services import Services

router = APIRouter(prefix=PREFIX)
_BILLS, _PEOPLE = 40, 16


@dataclass(frozen=True, slots=True)
class BillRow:
    """A bill in the list: how many meetings dealt with it, and where it stands."""

    key: str
    title: str
    meetings: int
    last: str
    house: str
    outcome: str


@router.get("/bills")
async def show_bills(request: Request, principal: Reader) -> Response:
    """The bills that most meetings dealt with lately, those that moved last at the top."""
    services = get_state(request).services
    bills = await search.list_frequent_values(services, ("bill",), most=_BILLS)
    lines = await list_bill_rows(services, bills)
    return await render_page(request, principal, "bills", "bills", bills=lines, is_cut=len(bills) == _BILLS)


@router.get("/bills/{key}")
async def show_bill(request: Request, key: Key, principal: Reader) -> Response:
    """One bill through both houses."""
    services = get_state(request).services
    timeline = await articles.get_bill_timeline(services, key)
    spoke = await search.list_articles(services, ArticleFilter(bill=(key,)), facets=("person",), limit=1)
    people = spoke.facets.get("person", ())[:_PEOPLE]
    return await render_page(request, principal, "bills", "bill", timeline=timeline, people=people)


@router.get("/agenda/{key}")
async def show_agenda_item(request: Request, key: Key, principal: Reader) -> Response:
    """One item of the agenda across meetings."""
    timeline = await articles.get_agenda_timeline(get_state(request).services, key)
    return await render_page(request, principal, "bills", "bill", timeline=timeline, people=[])


@router.get("/issues/{issue_id}")
async def show_issue(request: Request, issue_id: Key, principal: Reader) -> Response:
    """Every article about one record."""
    timeline = await articles.get_issue_timeline(get_state(request).services, issue_id)
    return await render_page(request, principal, "articles", "issue", timeline=timeline)


async def list_bill_rows(services: Services, bills: Sequence[FacetValue]) -> list[BillRow]:
    """Bills by the day on which they moved last."""
    timelines = await asyncio.gather(*(_timeline(services, bill.value) for bill in bills))
    lines = [_line(timeline) for timeline in timelines if timeline and timeline.entries]
    return sorted(lines, key=lambda line: (line.last, line.key), reverse=True)


async def get_bill_title(services: Services, key: str) -> str:
    """The title of a bill, or its key where it is known no more."""
    timeline = await _timeline(services, key)
    return timeline.title if timeline else key


async def _timeline(services: Services, key: str) -> MeetingTimeline | None:
    try:
        return await articles.get_bill_timeline(services, key)
    except NotFound:
        return None


def _line(timeline: MeetingTimeline) -> BillRow:
    last = timeline.entries[-1]
    return BillRow(
        key=timeline.key,
        title=timeline.title,
        meetings=len(timeline.entries),
        last=last.card.date,
        house=last.card.name_of_house or "",
        outcome=last.outcome,
    )
