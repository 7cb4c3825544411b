"""API: the dashboard, the leaderboard, achievements, the ledger and one's settings."""

from datetime import date, datetime
from typing import Annotated

from fastapi import Query, Request

from almanac.desks.habits.api.dependencies import Reader, Writer, new_router
from almanac.desks.habits.service import leaderboard, progress, settings
from almanac.desks.habits.service.leaderboard import LeaderboardPeriod
from almanac.http.api_models import ApiModel, Listed, Text
from almanac.http.app_state import get_state
from almanac.http.paging import Cursor, Limit

router = new_router()


class StreakBody(ApiModel):
    """How long one habit has been kept."""

    habit_id: str
    habit_name: str | None
    current_streak: int
    best_streak: int | None
    streak_unit: str | None
    strength: float | None
    last_completed: str | None
    stands_until: date | None


class AchievementBody(ApiModel):
    """Something that was achieved; its type names the milestone and the habit."""

    type: str
    unlocked_at: datetime
    description: str | None


class DashboardBody(ApiModel):
    """Points, streaks and achievements, read in one query."""

    username: str
    total_points: int
    streaks: list[StreakBody]
    achievements: list[AchievementBody]


class PlaceBody(ApiModel):
    """Somebody's place; of the points, `late_points` were entered days after."""

    rank: int
    user_id: str
    username: str
    points: int
    late_points: int
    is_me: bool


class LedgerBody(ApiModel):
    """A change of points with its reason."""

    id: int
    habit_id: str | None
    habit_name: str
    day: date
    points: int
    reason: str
    recorded_at: datetime


class SettingsBody(ApiModel):
    """The clocks by which one's days are counted, whether boards show one's name, and whether a mail tells
    about each week."""

    time_zone: str
    day_start: int
    listed: bool
    weekly_report: bool


class SettingsWish(ApiModel):
    """What to change of it."""

    time_zone: Text | None = None
    day_start: int | None = None
    listed: bool | None = None
    weekly_report: bool | None = None


@router.get("/dashboard")
async def get_dashboard(request: Request, principal: Reader) -> DashboardBody:
    """Everything about oneself, by one query to the table."""
    found = await progress.get_dashboard(get_state(request).services, principal)
    return DashboardBody(
        username=found.username,
        total_points=found.total_points,
        streaks=[StreakBody.model_validate(_members(StreakBody, one)) for one in found.streaks],
        achievements=[AchievementBody.model_validate(_members(AchievementBody, one)) for one in found.achievements],
    )


def _members(body: type[ApiModel], item: object) -> dict[str, object]:
    return {name: getattr(item, name) for name in body.model_fields}


@router.get("/leaderboard")
async def get_leaderboard(
    request: Request,
    principal: Reader,
    limit: Annotated[int, Query(ge=1, le=100)] = 10,
    period: Annotated[LeaderboardPeriod, Query(description="all, week or month.")] = "all",
    group: Annotated[str | None, Query(max_length=100, description="The id of a group one is in.")] = None,
) -> Listed[PlaceBody]:
    """The people with the most points."""
    found = await leaderboard.get_leaderboard(
        get_state(request).services, principal, limit=limit, period=period, group_id=group
    )
    return Listed(items=[PlaceBody.model_validate(one) for one in found], next_cursor=None)


@router.get("/achievements")
async def list_achievements(request: Request, principal: Reader) -> Listed[AchievementBody]:
    """One's achievements, the latest first."""
    found = await progress.list_achievements(get_state(request).services, principal)
    return Listed(
        items=[AchievementBody.model_validate(_members(AchievementBody, one)) for one in found], next_cursor=None
    )


@router.get("/ledger")
async def list_ledger(
    request: Request,
    principal: Reader,
    cursor: Cursor = None,
    limit: Limit = 50,
    habit_id: Annotated[str | None, Query(max_length=100)] = None,
) -> Listed[LedgerBody]:
    """Every change of one's points with its reason, the latest first."""
    page = await progress.list_ledger(
        get_state(request).services, principal, habit_id=habit_id, cursor=cursor, limit=limit
    )
    return Listed(items=[LedgerBody.model_validate(one) for one in page.items], next_cursor=page.next_cursor)


@router.get("/settings")
async def get_settings(request: Request, principal: Reader) -> SettingsBody:
    """How one's days are counted."""
    return SettingsBody.model_validate(await settings.get_settings(get_state(request).services, principal))


@router.put("/settings")
async def change_settings(request: Request, wish: SettingsWish, principal: Writer) -> SettingsBody:
    """Live by other clocks from now on; days that are logged stay the days they were."""
    changed = await settings.change_settings(
        get_state(request).services,
        principal,
        time_zone=wish.time_zone,
        day_start=wish.day_start,
        listed=wish.listed,
        weekly_report=wish.weekly_report,
    )
    return SettingsBody.model_validate(changed)
