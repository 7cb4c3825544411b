"""The page of a weekly report, and its PDF."""

from datetime import date, timedelta

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.desks.habits.formats.report_pdf import PDF, render_report_pdf
from almanac.desks.habits.model.schedule import WEEKDAYS
from almanac.desks.habits.model.week_report import WeekReport
from almanac.desks.habits.pages.layout import PREFIX, Reader, desk_page, parse_form_day
from almanac.desks.habits.pages.today import EFFECT_LABELS
from almanac.desks.habits.service import settings
from almanac.desks.habits.service.progress import get_week_report
from almanac.http.app_state import get_state
from almanac.http.charts import Chart, bar_chart, line_chart
from almanac.http.language_choice import choose_language
from almanac.http.responses import download_response
from almanac.kit.messages import day_text, gettext

router = APIRouter(prefix=PREFIX)


@router.get("/report")
async def show_report(request: Request, principal: Reader, week: str = "") -> Response:
    """The report of the week that contains a day; by default the last full week."""
    services = get_state(request).services
    report = await get_week_report(services, principal, parse_form_day(week))
    return await desk_page(
        request,
        "report",
        "report",
        week=report,
        charts=_charts(report),
        effect_labels=EFFECT_LABELS,
        weekdays=WEEKDAYS,
        earlier=_week_url(report.first - timedelta(weeks=1)),
        later=_week_url(report.first + timedelta(weeks=1)) if report.is_over else "",
        settings=await settings.get_settings(services, principal),
    )


@router.get("/report.pdf")
async def download_report(request: Request, principal: Reader, week: str = "") -> Response:
    """The report as PDF."""
    report = await get_week_report(get_state(request).services, principal, parse_form_day(week))
    file = await render_report_pdf(report, choose_language(request))
    return download_response(file.content, file.name, PDF)


def _charts(report: WeekReport) -> list[Chart]:
    kept = bar_chart(gettext("Kept on each day"), report.kept_by_day, of=gettext("Habits"))
    figures = [(day_text(week.last_day, "short"), round(100 * week.strength, 1)) for week in report.strengths]
    strength = line_chart(gettext("Average strength by week"), figures, of=gettext("Percent"))
    return [strength, kept] if figures else [kept]


def _week_url(monday: date) -> str:
    return f"{PREFIX}/report?week={monday}"
