"""API: the report of a week, as JSON or on paper."""

from datetime import date
from typing import Annotated, Literal

from fastapi import Query, Request
from starlette.responses import Response

from almanac.desks.habits.api.dependencies import Reader, new_router
from almanac.desks.habits.formats.report_pdf import PDF, render_report_pdf
from almanac.desks.habits.model.explanation import DayEffect
from almanac.desks.habits.service.progress import get_week_report
from almanac.http.api_models import ApiModel
from almanac.http.app_state import get_state
from almanac.http.responses import download_response

router = new_router()


class HabitWeekBody(ApiModel):
    """One habit in a week; `days` go from Monday to Sunday, streak and strength are those at the end."""

    habit_id: str
    name: str
    rule: str
    kept: int
    asked: int
    days: list[DayEffect]
    streak: int
    streak_words: str
    strength: float
    points: int
    at_risk: bool


class WeekStrengthBody(ApiModel):
    """How firm the habits were on average, from 0 to 1, at the end of a week."""

    last_day: date
    strength: float


class WeekBody(ApiModel):
    """A week from Monday to Sunday, and the strength of twelve weeks."""

    first: date
    last: date
    is_over: bool
    kept: int
    asked: int
    points: int
    total_points: int
    habits: list[HabitWeekBody]
    strengths: list[WeekStrengthBody]


@router.get(
    "/report",
    response_model=WeekBody,
    responses={200: {"content": {PDF: {"schema": {"type": "string", "format": "binary"}}}}},
)
async def get_report(
    request: Request,
    principal: Reader,
    week: Annotated[date | None, Query(description="A day of the week; the last full week unless given.")] = None,
    form: Annotated[
        Literal["json", "pdf"] | None, Query(alias="format", description="Unless given, the Accept header decides.")
    ] = None,
) -> WeekBody | Response:
    """What a week came to, habit by habit."""
    found = await get_week_report(get_state(request).services, principal, week)
    if (form or _accepted(request)) == "pdf":
        file = await render_report_pdf(found)
        return download_response(file.content, file.name, PDF, vary="Accept")
    return WeekBody.model_validate(found)


def _accepted(request: Request) -> Literal["json", "pdf"]:
    named = request.headers.get("accept", "").partition(",")[0].partition(";")[0].strip()
    return "pdf" if named == PDF else "json"
