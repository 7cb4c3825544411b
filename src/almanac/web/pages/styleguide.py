"""Every component on one page, for developers; served in development only."""

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Annotated

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.http.app_state import get_state
from almanac.http.auth import signed_in
from almanac.http.charts import bar_chart, heatmap, line_chart, sparkline
from almanac.http.live import RunningWork
from almanac.http.pages import render_page
from almanac.kit.messages import day_text, figure_text
from almanac.reader.model import HighlightedSource, ReadableSource
from almanac.web.labels import TimelineItem

pages = APIRouter()
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


@pages.get("/styleguide")
async def show_styleguide(
    request: Request, _principal: Annotated[Principal, signed_in()], sort: str = "name"
) -> Response:
    """Show the components with sample content."""
    now = get_state(request).services.clock.now()
    story = [
        TimelineItem("Sent", now - timedelta(minutes=4), "Taken over by the mail service.", "done"),
        TimelineItem("Approved", now - timedelta(minutes=9), "By Ada, for exactly this text.", "done"),
        TimelineItem("Draft changed", now - timedelta(hours=2), "The earlier approval was voided.", "waiting"),
        TimelineItem("Attempt 1 failed", now - timedelta(hours=3), "The mail service didn't answer.", "failed"),
    ]
    return await render_page(
        request, "styleguide.html", story=story, sort=sort, charts=_charts(), source=_source(), works=_works()
    )


def _works() -> list[RunningWork]:
    """A running job and a failed one."""
    work = RunningWork(
        id="sg-work",
        label="Reading the file",
        refresh="/styleguide",
        target="sg-work",
        is_running=True,
        done=3,
        total=8,
    )
    why = "Line 4 has no invoice number; add it and import the file again."
    return [work, replace(work, id="sg-failed", is_running=False, error=why)]


def _charts() -> dict[str, object]:
    figures = list(zip(_DAYS, (12.0, 18.0, 9.0, 24.0, 31.0, 6.0, 3.0), strict=True))
    weeks = [(day_text(date(2026, 1, 4) + timedelta(weeks=i), "short"), 1e6 * (i % 9)) for i in range(53)]
    debts = [("Not due", 140892.16), ("31 to 60 days", 78985.19), ("Over 90 days", 0.0)]
    amounts = [figure_text(Decimal(str(value))) for _, value in debts]
    hours = [f"{hour}:00" for hour in range(24)]
    return {
        "line": line_chart("Articles a day", figures, of="Articles"),
        "long": line_chart("Readers at the end of each week", weeks, of="Readers"),
        "single": line_chart("Readers since the first day", weeks[3:4], of="Readers"),
        "money": [bar_chart("Open by age", debts, of=name, labels=amounts) for name in ("EUR", "USD")],
        "hours": heatmap(
            "Articles by hour", hours, {day: range(i, i + 24) for i, day in enumerate(_DAYS)}, of="Articles"
        ),
        "bars": bar_chart("Articles by weekday", figures, of="Articles"),
        "heat": heatmap(
            "Habits kept", _DAYS, {"Walk": (1, 2, 0, 3, 4, 4, 2), "Read": (0, 1, 1, 2, 0, 3, 4)}, of="Times"
        ),
        "spark": sparkline("Last seven days", [value for _, value in figures]),
    }


def _source() -> HighlightedSource:
    text = "The council met on Monday. The bridge is open to traffic from 4 May. Repairs cost 2.3 million."
    source = ReadableSource(title="City council, notice 14", text=text, path="#sg-sources")
    return HighlightedSource(source, ((27, 68),), "words")
