"""The desk's first page: the latest meetings, what is much talked about, and who talks."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.desks.recap import service
from almanac.desks.recap.filters import ArticleFilter
from almanac.desks.recap.pages.bills import latest_bills
from almanac.desks.recap.pages.frame import PREFIX, Reader, show
from almanac.desks.recap.views import FacetValue
from almanac.http.surface import surface_of
from almanac.services import Services

router = APIRouter(prefix=PREFIX)
WINDOW = timedelta(days=30)
_CATEGORIES, _TRENDS, _PEOPLE, _BILLS = 14, 10, 8, 5


@dataclass(frozen=True, slots=True)
class Trend:
    """A keyword of the last weeks; `mark` says `new` or `up` where it was rarer in the weeks before."""

    word: str
    count: int
    mark: str


@router.get("")
async def show_home(request: Request, principal: Reader) -> Response:
    """The desk at a glance. Weeks count back from the latest meeting, since a parliament has its recesses."""
    services = surface_of(request).services
    glance = await service.headlines(services)
    until = _latest_day(glance.latest[0].date if glance.latest else "", services.clock.now().date())
    everything = await service.list_articles(services, ArticleFilter(), facets=("category",), limit=1)
    categories = everything.facets.get("category", ())[:_CATEGORIES]
    return await show(
        request, principal, "home", "home", glance=glance, until=until, days=WINDOW.days,
        trends=await _trends(services, until), people=await _people(services, until),
        categories=[(one.value, one.count) for one in categories],
        bills=await latest_bills(services, _weeks(until), _BILLS),
    )  # fmt: skip


async def _trends(services: Services, until: date) -> list[Trend]:
    before = {one.value: one.count for one in await _keywords(services, until - WINDOW)}
    return [Trend(one.value, one.count, _mark(one, before)) for one in (await _keywords(services, until))[:_TRENDS]]


async def _keywords(services: Services, until: date) -> Sequence[FacetValue]:
    found = await service.list_articles(services, _weeks(until), facets=("keyword",), limit=1)
    return found.facets.get("keyword", ())


async def _people(services: Services, until: date) -> Sequence[FacetValue]:
    found = await service.list_articles(services, _weeks(until), facets=("person",), limit=1)
    return found.facets.get("person", ())[:_PEOPLE]


def _weeks(until: date) -> ArticleFilter:
    return ArticleFilter(since=until - WINDOW + timedelta(days=1), until=until)


def _mark(now: FacetValue, before: dict[str, int]) -> str:
    """Marks say something only of a word in several meetings, and where there is a before to compare with."""
    if now.count < 2 or not before or before.get(now.value, 0) >= now.count:
        return ""
    return "up" if now.value in before else "new"


def _latest_day(text: str, today: date) -> date:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return today
