"""The page of a week's report, and the same on paper."""

from datetime import date, timedelta

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.desks.habits import service
from almanac.desks.habits.model.schedule import WEEKDAYS
from almanac.desks.habits.pages.entering import day_in
from almanac.desks.habits.pages.layout import PREFIX, Reader, desk_page
from almanac.desks.habits.pages.rows import WORDS
from almanac.desks.habits.reporting import Week, report_file, week_of
from almanac.desks.habits.reporting.paper import PDF
from almanac.http.charts import Chart, line_chart
from almanac.http.downloads import download
from almanac.http.surface import surface_of

router = APIRouter(prefix=PREFIX)


@router.get("/report")
async def show_report(request: Request, principal: Reader, week: str = "") -> Response:
    """What a week came to; the last one that is over unless a day says which."""
    services = surface_of(request).services
    found = await week_of(services, principal, day_in(week))
    return await desk_page(
        request,
        "report",
        "report",
        week=found,
        chart=_chart(found),
        words=WORDS,
        weekdays=WEEKDAYS,
        earlier=_address(found.first - timedelta(weeks=1)),
        later=_address(found.first + timedelta(weeks=1)) if found.is_over else "",
        settings=await service.get_settings(services, principal),
    )


@router.get("/report.pdf")
async def take_report(request: Request, principal: Reader, week: str = "") -> Response:
    """The same as a PDF."""
    file = await report_file(await week_of(surface_of(request).services, principal, day_in(week)))
    return download(file.content, file.name, PDF)


def _chart(week: Week) -> Chart | None:
    figures = [(f"{one.last_day:%-d %b}", round(100 * one.strength, 1)) for one in week.strengths]
    return line_chart("Strength at the end of each week, on average", figures, of="Per cent") if figures else None


def _address(monday: date) -> str:
    return f"{PREFIX}/report?week={monday}"
