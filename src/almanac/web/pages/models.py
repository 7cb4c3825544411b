"""The models page: the model of each step, this month's usage by day, desk and step, and whether work is paused."""

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
from almanac.kit.messages import day_text, gettext
from almanac.llm.store import MonthlyUse

pages = APIRouter(prefix="/models")

Reader = Annotated[Principal, require("models.read")]
MAX_BARS = 8


@pages.get("")
async def show_models(request: Request, _principal: Reader, month: str = "") -> Response:
    """Show the model of each step and the usage of a month."""
    services = get_state(request).services
    usage = await services.models.month(month or None)
    this_month = await services.models.month() if month else usage
    return await render_page(
        request,
        "models.html",
        use=usage,
        assignments=services.models.assignments(),
        charts=_charts(usage, services.clock.now()),
        is_current=usage.start == this_month.start,
        before=f"{usage.start - timedelta(days=1):%Y-%m}",
        after=f"{usage.end:%Y-%m}",
    )


def _charts(usage: MonthlyUse, now: datetime) -> list[Chart]:
    """Cost per day if anything was paid, otherwise the number of calls."""
    paid = usage.spent > 0
    of = gettext("US dollars") if paid else gettext("Uses")
    by_day = {day.day: day.cost if paid else Decimal(day.uses) for day in usage.days}
    by_step: dict[str, Decimal] = defaultdict(Decimal)
    for line in usage.steps:
        by_step[f"{line.desk}: {line.step}"] += line.cost if paid else line.uses
    steps = sorted(((name, float(value)) for name, value in by_step.items()), key=lambda pair: -pair[1])[:MAX_BARS]
    days = [(day_text(day, "short"), float(by_day.get(day, 0))) for day in _days(usage, now)]
    return [
        line_chart(gettext("By day"), days, of=of),
        bar_chart(gettext("By desk and step"), steps, of=of),
    ]


def _days(usage: MonthlyUse, now: datetime) -> Iterable[date]:
    """The days of the month up to today."""
    today = now.astimezone(usage.start.tzinfo).date()
    first, after = usage.start.date(), min(usage.end.date(), today + timedelta(days=1))
    return (first + timedelta(days=number) for number in range((after - first).days))
