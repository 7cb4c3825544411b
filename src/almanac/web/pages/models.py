"""The models page: who writes which step, what this month took by day, desk and step, and whether work is paused."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Annotated

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.http.charts import Chart, bar_chart, line_chart
from almanac.http.pages import render_page
from almanac.llm.store import MonthlyUse

pages = APIRouter(prefix="/models")

Reader = Annotated[Principal, require("models.read")]
MOST_BARS = 8


@pages.get("")
async def show_models(request: Request, _principal: Reader, month: str = "") -> Response:
    """Who writes what, and what a month of it took."""
    services = get_state(request).services
    use = await services.models.month(month or None)
    this = await services.models.month() if month else use
    return await render_page(
        request,
        "models.html",
        use=use,
        assignments=services.models.assignments(),
        charts=_charts(use, services.clock.now()),
        is_current=use.start == this.start,
        before=f"{use.start - timedelta(days=1):%Y-%m}",
        after=f"{use.end:%Y-%m}",
    )


def _charts(use: MonthlyUse, now: datetime) -> list[Chart]:
    """Dollars where something was paid; numbers of uses where nothing was."""
    paid = use.spent > 0
    of = "US dollars" if paid else "Uses"
    by_day = {day.day: day.cost if paid else Decimal(day.uses) for day in use.days}
    by_step: dict[str, Decimal] = defaultdict(Decimal)
    for line in use.steps:
        by_step[f"{line.desk}: {line.step}"] += line.cost if paid else line.uses
    steps = sorted(((name, float(value)) for name, value in by_step.items()), key=lambda pair: -pair[1])[:MOST_BARS]
    days = [(f"{day:%-d %b}", float(by_day.get(day, 0))) for day in _days(use, now)]
    return [line_chart(f"{of} by day", days, of=of), bar_chart(f"{of} by desk and step", steps, of=of)]


def _days(use: MonthlyUse, now: datetime) -> Iterable[date]:
    """The days of the month up to today: what is yet to come has no figures."""
    today = now.astimezone(use.start.tzinfo).date()
    first, after = use.start.date(), min(use.end.date(), today + timedelta(days=1))
    return (first + timedelta(days=number) for number in range((after - first).days))
