"""API: the dashboard, achievements, the ledger, the weekly report and settings."""

from datetime import date
from typing import Annotated, Literal

from fastapi import Query, Request
from starlette.responses import Response

from almanac.desks.habits.api.dependencies import Reader, Writer, new_router
from almanac.desks.habits.api.schemas import (
    AchievementBody,
    DashboardBody,
    HabitSettingsBody,
    HabitSettingsRequest,
    WeekReportBody,
)
from almanac.desks.habits.formats.report_pdf import PDF, render_report_pdf
from almanac.desks.habits.service import progress, settings
from almanac.desks.habits.store.rewards import LedgerLine
from almanac.http.api_models import Listed
from almanac.http.app_state import get_state
from almanac.http.language_choice import choose_language
from almanac.http.paging import Cursor, Limit
from almanac.http.responses import download_response

router = new_router()


@router.get("/dashboard")
async def get_dashboard(request: Request, principal: Reader) -> DashboardBody:
    """Your points, streaks and achievements, read in one query."""
    return DashboardBody.model_validate(await progress.get_dashboard(get_state(request).services, principal))


@router.get("/achievements")
async def list_achievements(request: Request, principal: Reader) -> Listed[AchievementBody]:
    """Your achievements, latest first."""
    achievements = await progress.list_achievements(get_state(request).services, principal)
    return Listed(items=[AchievementBody.model_validate(item) for item in achievements], next_cursor=None)


@router.get("/ledger")
async def list_ledger(
    request: Request,
    principal: Reader,
    cursor: Cursor = None,
    limit: Limit = 50,
    habit_id: Annotated[str | None, Query(max_length=100)] = None,
) -> Listed[LedgerLine]:
    """All changes of your points with their reasons, latest first."""
    page = await progress.list_ledger(
        get_state(request).services, principal, habit_id=habit_id, cursor=cursor, limit=limit
    )
    return Listed(items=page.items, next_cursor=page.next_cursor)


@router.get("/settings")
async def get_settings(request: Request, principal: Reader) -> HabitSettingsBody:
    """Your time zone, start of day and other settings."""
    return HabitSettingsBody.model_validate(await settings.get_settings(get_state(request).services, principal))


@router.put("/settings")
async def change_settings(request: Request, body: HabitSettingsRequest, principal: Writer) -> HabitSettingsBody:
    """Change your settings. Days that are logged already don't move."""
    changed = await settings.change_settings(get_state(request).services, principal, **body.model_dump())
    return HabitSettingsBody.model_validate(changed)


@router.get(
    "/report",
    response_model=WeekReportBody,
    responses={200: {"content": {PDF: {"schema": {"type": "string", "format": "binary"}}}}},
)
async def get_report(
    request: Request,
    principal: Reader,
    week: Annotated[date | None, Query(description="A day of the week; by default the last full week.")] = None,
    form: Annotated[
        Literal["json", "pdf"] | None, Query(alias="format", description="By default the Accept header decides.")
    ] = None,
) -> WeekReportBody | Response:
    """The report of a week, habit by habit."""
    report = await progress.get_week_report(get_state(request).services, principal, week)
    if (form or _accepted_format(request)) == "pdf":
        file = await render_report_pdf(report, choose_language(request))
        return download_response(file.content, file.name, PDF, vary="Accept, Accept-Language")
    return WeekReportBody.model_validate(report)


def _accepted_format(request: Request) -> Literal["json", "pdf"]:
    media_type = request.headers.get("accept", "").partition(",")[0].partition(";")[0].strip()
    return "pdf" if media_type == PDF else "json"
