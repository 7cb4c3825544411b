"""API: the leaderboard, and groups that people join to compare points."""

from typing import Annotated

from fastapi import Query, Request

from almanac.desks.habits.api.dependencies import Reader, Writer, new_router
from almanac.desks.habits.api.schemas import GroupRequest, HabitGroupBody
from almanac.desks.habits.service import leaderboard
from almanac.desks.habits.service.leaderboard import LeaderboardPeriod, LeaderboardPlace
from almanac.http.api_models import Id, Listed
from almanac.http.app_state import get_state
from almanac.http.idempotency.route import REPEATABLE, get_seed

router = new_router()


@router.get("/leaderboard")
async def get_leaderboard(
    request: Request,
    principal: Reader,
    limit: Annotated[int, Query(ge=1, le=100)] = 10,
    period: Annotated[LeaderboardPeriod, Query(description="all, week or month.")] = "all",
    group: Annotated[str | None, Query(max_length=100, description="The id of a group you are in.")] = None,
) -> Listed[LeaderboardPlace]:
    """The people with the most points."""
    places = await leaderboard.get_leaderboard(
        get_state(request).services, principal, limit=limit, period=period, group_id=group
    )
    return Listed(items=list(places), next_cursor=None)


@router.get("/groups")
async def list_groups(request: Request, principal: Reader) -> Listed[HabitGroupBody]:
    """The groups you are in."""
    groups = await leaderboard.list_groups(get_state(request).services, principal)
    return Listed(items=[HabitGroupBody.model_validate(group) for group in groups], next_cursor=None)


@router.post("/groups", status_code=201, openapi_extra=REPEATABLE)
async def create_group(request: Request, body: GroupRequest, principal: Writer) -> HabitGroupBody:
    """Create a group and join it."""
    return HabitGroupBody.model_validate(
        await leaderboard.create_group(get_state(request).services, principal, body.name, seed=get_seed(request))
    )


@router.post("/groups/{group_id}/join", openapi_extra=REPEATABLE)
async def join_group(request: Request, group_id: Id, principal: Writer) -> HabitGroupBody:
    """Join a group."""
    return HabitGroupBody.model_validate(await leaderboard.join_group(get_state(request).services, principal, group_id))


@router.post("/groups/{group_id}/leave", status_code=204, openapi_extra=REPEATABLE)
async def leave_group(request: Request, group_id: Id, principal: Writer) -> None:
    """Leave a group; you keep your points."""
    await leaderboard.leave_group(get_state(request).services, principal, group_id)
