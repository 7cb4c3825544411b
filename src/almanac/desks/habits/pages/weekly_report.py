"""The page of a week's report, and the same on paper."""

from datetime import date, timedelta

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.desks.habits.formats.report_pdf import PDF, render_report_pdf
from almanac.desks.habits.model.schedule import WEEKDAYS
from almanac.desks.habits.model.week_report import WeekReport
from almanac.desks.habits.pages.entries import parse_form_day
from almanac.desks.habits.pages.layout import PREFIX, Reader, desk_page
from almanac.desks.habits.pages.rows import EFFECT_LABELS
from almanac.desks.habits.service import settings
from almanac.desks.habits.service.progress import get_week_report
from almanac.http.app_state import get_state
from almanac.http.charts import Chart, line_chart
from almanac.http.responses import download_response

router = APIRouter(prefix=PREFIX)


@router.get("/report")
async def show_report(request: Request, principal: Reader, week: str = "") -> Response:
    """What a week came to; the last one that is over unless a day says which."""
    services = get_state(request).services
    found = await get_week_report(services, principal, parse_form_day(week))
    return await desk_page(
        request,
        "report",
        "report",
        week=found,
        chart=_chart(found),
        words=EFFECT_LABELS,
        weekdays=WEEKDAYS,
        earlier=_address(found.first - timedelta(weeks=1)),
        later=_address(found.first + timedelta(weeks=1)) if found.is_over else "",
        settings=await settings.get_settings(services, principal),
    )


@router.get("/report.pdf")
async def take_report(request: Request, principal: Reader, week: str = "") -> Response:
    """The same as a PDF."""
    file = await render_report_pdf(await get_week_report(get_state(request).services, principal, parse_form_day(week)))
    return download_response(file.content, file.name, PDF)


def _chart(week: WeekReport) -> Chart | None:
    figures = [(f"{one.last_day:%-d %b}", round(100 * one.strength, 1)) for one in week.strengths]
    return line_chart("Strength at the end of each week, on average", figures, of="Per cent") if figures else None


def _address(monday: date) -> str:
    return f"{PREFIX}/report?week={monday}"
