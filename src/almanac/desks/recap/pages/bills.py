"""Bills, items of the agenda and records across meetings and houses, each from its beginning."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.desks.recap import service
from almanac.desks.recap.filters import ArticleFilter
from almanac.desks.recap.pages.layout import PREFIX, Key, Reader, show
from almanac.desks.recap.views import FacetValue, Timeline
from almanac.errors import NotFound
from almanac.http.surface import surface_of
from almanac.services import Services

router = APIRouter(prefix=PREFIX)
_BILLS, _PEOPLE = 40, 16


@dataclass(frozen=True, slots=True)
class BillLine:
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
    services = surface_of(request).services
    found = await service.frequent(services, ("bill",), most=_BILLS)
    lines = await bill_lines(services, found)
    return await show(request, principal, "bills", "bills", bills=lines, is_cut=len(found) == _BILLS)


@router.get("/bills/{key}")
async def show_bill(request: Request, key: Key, principal: Reader) -> Response:
    """One bill through both houses."""
    services = surface_of(request).services
    timeline = await service.bill_timeline(services, key)
    spoke = await service.list_articles(services, ArticleFilter(bill=(key,)), facets=("person",), limit=1)
    people = spoke.facets.get("person", ())[:_PEOPLE]
    return await show(request, principal, "bills", "bill", timeline=timeline, people=people)


@router.get("/agenda/{key}")
async def show_agenda_item(request: Request, key: Key, principal: Reader) -> Response:
    """One item of the agenda across meetings."""
    timeline = await service.agenda_timeline(surface_of(request).services, key)
    return await show(request, principal, "bills", "bill", timeline=timeline, people=[])


@router.get("/issues/{issue_id}")
async def show_issue(request: Request, issue_id: Key, principal: Reader) -> Response:
    """Every article about one record."""
    timeline = await service.issue_timeline(surface_of(request).services, issue_id)
    return await show(request, principal, "articles", "issue", timeline=timeline)


async def bill_lines(services: Services, bills: Sequence[FacetValue]) -> list[BillLine]:
    """Bills by the day on which they moved last."""
    timelines = await asyncio.gather(*(_timeline(services, bill.value) for bill in bills))
    lines = [_line(timeline) for timeline in timelines if timeline and timeline.entries]
    return sorted(lines, key=lambda line: (line.last, line.key), reverse=True)


async def titles_of(services: Services, key: str) -> str:
    """The title of a bill, or its key where it is known no more."""
    timeline = await _timeline(services, key)
    return timeline.title if timeline else key


async def _timeline(services: Services, key: str) -> Timeline | None:
    try:
        return await service.bill_timeline(services, key)
    except NotFound:
        return None


def _line(timeline: Timeline) -> BillLine:
    last = timeline.entries[-1]
    return BillLine(
        key=timeline.key,
        title=timeline.title,
        meetings=len(timeline.entries),
        last=last.card.date,
        house=last.card.name_of_house or "",
        outcome=last.outcome,
    )
