"""What habits add up to: badges, the ledger of points with its reasons, and the leaderboards."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from almanac.desks.habits.model.rewards import MILESTONES, parse_milestone
from almanac.desks.habits.pages.layout import PREFIX, Id, Reader, Writer, address, desk_page
from almanac.desks.habits.service import habits, leaderboard, progress, settings
from almanac.desks.habits.service.leaderboard import LeaderboardPeriod
from almanac.http.app_state import get_state
from almanac.http.pages import FormText, redirect_with_message
from almanac.http.paging import Cursor, first_url, next_url

router = APIRouter(prefix=PREFIX)
PERIODS: tuple[tuple[LeaderboardPeriod, str], ...] = (
    ("week", "This week"),
    ("month", "This month"),
    ("all", "All time"),
)
PLACES = 25


@router.get("/badges")
async def show_badges(request: Request, principal: Reader) -> Response:
    """What was achieved, and the next milestone of each habit."""
    services = get_state(request).services
    achieved = await progress.list_achievements(services, principal)
    own = await habits.list_habits(services, principal)
    ahead = [(one, next((mark for mark in MILESTONES if mark > one.stats.current_streak), None)) for one in own]
    return await desk_page(
        request,
        "badges",
        "badges",
        achieved=[(one, parse_milestone(one.type)) for one in achieved],
        ahead=[(one, mark) for one, mark in ahead if mark is not None and one.stats.current_streak],
    )


@router.get("/points")
async def show_points(
    request: Request, principal: Reader, habit: Annotated[str, Query(max_length=64)] = "", cursor: Cursor = None
) -> Response:
    """Every change of one's points with its reason, of all habits or of one."""
    services = get_state(request).services
    lines = await progress.list_ledger(services, principal, habit_id=habit or None, cursor=cursor)
    own = await habits.list_habits(services, principal, archived=True)
    return await desk_page(
        request,
        "points",
        "points",
        lines=lines.items,
        total=sum(one.habit.points for one in own),
        habit=habit,
        habits=[("", "All habits"), *((one.habit.id, one.habit.name) for one in own)],
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
    """The people with the most points, everywhere or in a group."""
    services = get_state(request).services
    places = await leaderboard.get_leaderboard(services, principal, limit=PLACES, period=period, group_id=group or None)
    groups = await leaderboard.list_groups(services, principal)
    chosen_settings = await settings.get_settings(services, principal)
    return await desk_page(
        request,
        "leaderboard",
        "leaderboard",
        places=places,
        groups=groups,
        settings=chosen_settings,
        group=group,
        period=period,
        periods=[(words, _board(key, group), key == period) for key, words in PERIODS],
        boards=[
            ("Everybody", None, _board(period), not group),
            *((one.name, one.members, _board(period, one.id), one.id == group) for one in groups),
        ],
        chosen=next((one for one in groups if one.id == group), None),
    )


@router.post("/leaderboard/listed")
async def change_listing(request: Request, principal: Writer, listed: FormText = "") -> Response:
    """Stand on boards by name, or without one."""
    await settings.change_settings(get_state(request).services, principal, listed=listed == "yes")
    words = "Boards show your name." if listed == "yes" else "Boards show you without your name."
    return redirect_with_message(request, address("leaderboard"), words)


@router.post("/groups")
async def add_group(request: Request, principal: Writer, name: FormText = "") -> Response:
    """Begin a group and take part in it."""
    made = await leaderboard.create_group(get_state(request).services, principal, name)
    return redirect_with_message(
        request, _board("week", made.id), f"{made.name} is there; give its code to whoever should join."
    )


@router.post("/groups/join")
async def join(request: Request, principal: Writer, code: FormText = "") -> Response:
    """Take part in a group whose code one was given."""
    joined = await leaderboard.join_group(get_state(request).services, principal, code.strip())
    return redirect_with_message(request, _board("week", joined.id), f"You take part in {joined.name}.")


@router.post("/groups/{group_id}/leave")
async def leave(request: Request, group_id: Id, principal: Writer) -> Response:
    """Take part no more; points and badges stay."""
    await leaderboard.leave_group(get_state(request).services, principal, group_id)
    return redirect_with_message(
        request, address("leaderboard"), "You left the group; your points and badges stay yours."
    )


def _board(period: LeaderboardPeriod, group: str = "") -> str:
    return f"{PREFIX}/leaderboard?period={period}" + (f"&group={group}" if group else "")
