"""The desk's first page: the latest meetings, what is much talked about, and who talks."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.desks.recap.model.filters import ArticleFilter
from almanac.desks.recap.model.views import FacetValue
from almanac.desks.recap.pages.layout import Reader, render_page
from almanac.desks.recap.permissions import WRITE
from almanac.desks.recap.published.bill_view import list_bill_rows
from almanac.desks.recap.service import search
from almanac.desks.recap.service.sources import list_down_sources
from almanac.desks.recap.urls import PREFIX
from almanac.http.app_state import get_state

router = APIRouter(prefix=PREFIX)
WINDOW = timedelta(days=30)
_LATEST, _CATEGORIES, _TRENDS, _PEOPLE, _BILLS, _VALUES = 10, 14, 10, 8, 5, 20


@dataclass(frozen=True, slots=True)
class Trend:
    """A keyword of the last weeks; `mark` says `new` or `up` where it was rarer in the weeks before."""

    word: str
    count: int
    mark: str


@router.get("")
async def show_home(request: Request, principal: Reader) -> Response:
    """The desk at a glance. Weeks count back from the latest meeting, since a parliament has its recesses."""
    services = get_state(request).services
    latest = await search.list_articles(services, ArticleFilter(), facets=("category",), limit=_LATEST)
    until = _day(latest.items[0].card.date if latest.items else "", services.clock.now().date())
    now, before = await search.count_frequent_values(
        services, (_weeks(until), ("keyword", "person", "bill")), (_weeks(until - WINDOW), ("keyword",)), most=_VALUES
    )
    return await render_page(
        request,
        principal,
        "home",
        "home",
        down=await list_down_sources(services) if principal.may(WRITE) else (),
        latest=latest.items,
        until=until,
        days=WINDOW.days,
        trends=_trends(now.get("keyword", ()), before.get("keyword", ())),
        people=now.get("person", ())[:_PEOPLE],
        categories=latest.facets.get("category", ())[:_CATEGORIES],
        bills=await list_bill_rows(services, now.get("bill", ())[:_BILLS]),
    )


def _trends(now: Sequence[FacetValue], before: Sequence[FacetValue]) -> list[Trend]:
    counts = {value.value: value.count for value in before}
    return [Trend(value.value, value.count, _mark(value, counts)) for value in now[:_TRENDS]]


def _weeks(until: date) -> ArticleFilter:
    return ArticleFilter(since=until - WINDOW + timedelta(days=1), until=until)


def _mark(now: FacetValue, before: dict[str, int]) -> str:
    """Marks say something only of a word in several meetings, and where there is a before to compare with."""
    if now.count < 2 or not before or before.get(now.value, 0) >= now.count:
        return ""
    return "up" if now.value in before else "new"


def _day(text: str, today: date) -> date:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return today
