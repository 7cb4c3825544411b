"""The pages for badges, points and leaderboards, with groups."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.desks.habits.model.points_reasons import translate_reason
from almanac.desks.habits.model.rewards import MILESTONES, parse_milestone, translate_achievement
from almanac.desks.habits.pages.layout import PREFIX, Id, Reader, Writer, address, desk_page
from almanac.desks.habits.service import habits, leaderboard, progress, settings
from almanac.desks.habits.service.leaderboard import LeaderboardPeriod
from almanac.errors import FieldErrors, NotFound
from almanac.http.app_state import get_state
from almanac.http.pages import FormText, redirect_with_message
from almanac.http.paging import Cursor, first_url, next_url
from almanac.kit.messages import gettext

router = APIRouter(prefix=PREFIX)
PERIODS: tuple[tuple[LeaderboardPeriod, str], ...] = (
    ("week", gettext("This week")),
    ("month", gettext("This month")),
    ("all", gettext("All time")),
)
PLACES_SHOWN = 25


@router.get("/badges")
async def show_badges(request: Request, principal: Reader) -> Response:
    """Achievements, and the next milestone of each habit."""
    services = get_state(request).services
    achievements = await progress.list_achievements(services, principal)
    own = await habits.list_habits(services, principal)
    upcoming = [(snapshot, _next_milestone(snapshot.stats.current_streak)) for snapshot in own]
    return await desk_page(
        request,
        "badges",
        "badges",
        achievements=[
            (item, parse_milestone(item.type), translate_achievement(item.description or item.type))
            for item in achievements
        ],
        upcoming=[
            (snapshot, milestone)
            for snapshot, milestone in upcoming
            if milestone is not None and snapshot.stats.current_streak
        ],
    )


def _next_milestone(streak: int) -> int | None:
    return next((milestone for milestone in MILESTONES if milestone > streak), None)


@router.get("/points")
async def show_points(
    request: Request, principal: Reader, habit: Annotated[str, Query(max_length=64)] = "", cursor: Cursor = None
) -> Response:
    """All changes of points with their reasons, for one habit or all."""
    services = get_state(request).services
    lines = await progress.list_ledger(services, principal, habit_id=habit or None, cursor=cursor)
    own = await habits.list_habits(services, principal, archived=True)
    return await desk_page(
        request,
        "points",
        "points",
        lines=[(line, translate_reason(line.reason)) for line in lines.items],
        total=sum(snapshot.habit.points for snapshot in own),
        habit=habit,
        habits=[("", gettext("All habits")), *((snapshot.habit.id, snapshot.habit.name) for snapshot in own)],
        next_url=next_url(request.url, lines.next_cursor),
        first_url=first_url(request.url, cursor),
    )


@router.get("/leaderboard")
async def show_leaderboard(
    request: Request,
    principal: Reader,
    period: LeaderboardPeriod = "week",
    group: Annotated[str, Query(max_length=64)] = "",
) -> Response:
    """The people with the most points, among everybody or in a group."""
    return await _render_leaderboard(request, principal, period, group)


async def _render_leaderboard(
    request: Request,
    principal: Principal,
    period: LeaderboardPeriod = "week",
    group: str = "",
    *,
    errors: dict[str, str] | None = None,
    typed: dict[str, str] | None = None,
) -> Response:
    services = get_state(request).services
    places = await leaderboard.get_leaderboard(
        services, principal, limit=PLACES_SHOWN, period=period, group_id=group or None
    )
    groups = await leaderboard.list_groups(services, principal)
    own_settings = await settings.get_settings(services, principal)
    return await desk_page(
        request,
        "leaderboard",
        "leaderboard",
        status_code=422 if errors else 200,
        errors=errors or {},
        typed={"code": "", "name": ""} | (typed or {}),
        places=places,
        groups=groups,
        settings=own_settings,
        group=group,
        period=period,
        periods=[(label, None, _board_url(key, group), key == period) for key, label in PERIODS],
        boards=[
            (gettext("Everybody"), None, _board_url(period), not group),
            *((own.name, own.members, _board_url(period, own.id), own.id == group) for own in groups),
        ],
        chosen=next((own for own in groups if own.id == group), None),
    )


@router.post("/leaderboard/listed")
async def change_listing(request: Request, principal: Writer, listed: FormText = "") -> Response:
    """Show or hide one's name on leaderboards."""
    await settings.change_settings(get_state(request).services, principal, listed=listed == "yes")
    message = gettext("Leaderboards show your name.") if listed == "yes" else gettext("Leaderboards hide your name.")
    return redirect_with_message(request, address("leaderboard"), message)


@router.post("/groups")
async def create_group(request: Request, principal: Writer, name: FormText = "") -> Response:
    """Create a group and join it."""
    try:
        group = await leaderboard.create_group(get_state(request).services, principal, name)
    except FieldErrors as error:
        return await _render_leaderboard(request, principal, errors=error.fields, typed={"name": name})
    return redirect_with_message(
        request,
        _board_url("week", group.id),
        gettext("%(name)s created; share its code with people who should join.", name=group.name),
    )


@router.post("/groups/join")
async def join_group(request: Request, principal: Writer, code: FormText = "") -> Response:
    """Join a group by its code."""
    try:
        group = await leaderboard.join_group(get_state(request).services, principal, code.strip())
    except NotFound as error:
        return await _render_leaderboard(request, principal, errors={"code": error.sentence}, typed={"code": code})
    return redirect_with_message(
        request, _board_url("week", group.id), gettext("You joined %(name)s.", name=group.name)
    )


@router.post("/groups/{group_id}/leave")
async def leave_group(request: Request, group_id: Id, principal: Writer) -> Response:
    """Leave a group; points and badges stay."""
    await leaderboard.leave_group(get_state(request).services, principal, group_id)
    return redirect_with_message(
        request, address("leaderboard"), gettext("You left the group; you keep your points and badges.")
    )


def _board_url(period: LeaderboardPeriod, group: str = "") -> str:
    return f"{PREFIX}/leaderboard?period={period}" + (f"&group={group}" if group else "")
