"""Leaderboards of everybody or of a group, for all time, a month or a week; and the groups to join."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal, get_args

from almanac.accounts.model import Principal
from almanac.desks.habits.model.habit import clean_group
from almanac.desks.habits.service.access import EARLIEST_DAY, find_owner
from almanac.desks.habits.store import items, people, rewards
from almanac.desks.habits.store.people import HabitGroup
from almanac.errors import FieldErrors, NotFound
from almanac.kit.ids import Seed, new_id
from almanac.kit.messages import gettext
from almanac.relational import Unit
from almanac.services import Services

LeaderboardPeriod = Literal["all", "week", "month"]
LEADERBOARD_PERIODS: tuple[LeaderboardPeriod, ...] = get_args(LeaderboardPeriod)
ANONYMOUS_NAME = "Somebody"


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaderboardPlace:
    """A person's place. Equal points share a rank; `late_points` were entered days afterwards."""

    rank: int
    user_id: str
    username: str
    points: int
    late_points: int
    is_me: bool


async def get_leaderboard(
    services: Services,
    principal: Principal,
    *,
    limit: int = 10,
    period: LeaderboardPeriod = "all",
    group_id: str | None = None,
) -> Sequence[LeaderboardPlace]:
    """The people with the most points. Ties are sorted by name, then by id."""
    if period == "all" and group_id is None:
        return await _all_time(services, principal, limit)
    async with services.database.reading() as reading:
        owner = await find_owner(services, reading, principal)
        if group_id is not None:
            group = await people.find_group(reading, group_id, owner.id)
            if group is None or not group.joined:
                raise NotFound(gettext("You aren't in this group; join it first."))
        first = _first_day(period, owner.today)
        # In time zones further east, people are already a day ahead.
        last = owner.today + timedelta(days=1)
        rows = await rewards.list_top_earners(reading, first, last, group_id=group_id, limit=limit)
    return _rank(
        [(row.user_id, row.username if row.listed or group_id else None, row.points, row.late_points) for row in rows],
        principal,
    )


async def _all_time(services: Services, principal: Principal, limit: int) -> Sequence[LeaderboardPlace]:
    top = await items.list_top_users(services.tables, limit)
    async with services.database.reading() as reading:
        late = await rewards.sum_late_points(reading, [user.user_id for user in top])
    return _rank(
        [(user.user_id, user.username, user.total_points, late.get(user.user_id, 0)) for user in top], principal
    )


def _rank(rows: list[tuple[str, str | None, int, int]], principal: Principal) -> list[LeaderboardPlace]:
    places: list[LeaderboardPlace] = []
    for number, (user_id, username, points, late) in enumerate(rows, 1):
        rank = places[-1].rank if places and places[-1].points == points else number
        places.append(
            LeaderboardPlace(
                rank=rank,
                user_id=user_id,
                username=username or ANONYMOUS_NAME,
                points=points,
                late_points=late,
                is_me=principal.owns(user_id),
            )
        )
    return places


def _first_day(period: LeaderboardPeriod, today: date) -> date:
    match period:
        case "week":
            return today - timedelta(days=today.weekday())
        case "month":
            return today.replace(day=1)
        case _:
            return EARLIEST_DAY


async def create_group(services: Services, principal: Principal, name: str, *, seed: Seed | None = None) -> HabitGroup:
    """Create a group and join it; anybody with its id may join. With the same seed it is created once."""
    if not (name := clean_group(name)):
        raise FieldErrors({"name": gettext("Enter a name for the group.")})
    group_id, now = seed.id("group") if seed else new_id(), services.clock.now()
    async with services.database.unit() as unit:
        if not await people.lock_group(unit, group_id):
            await people.add_group(unit, group_id, name, principal.user_id, now)
        return await _join(unit, group_id, principal.user_id, now)


async def join_group(services: Services, principal: Principal, group_id: str) -> HabitGroup:
    """Join a group. Idempotent."""
    async with services.database.unit() as unit:
        if not await people.lock_group(unit, group_id):
            raise NotFound(gettext("This group doesn't exist; ask for its code again."))
        return await _join(unit, group_id, principal.user_id, services.clock.now())


async def _join(unit: Unit, group_id: str, user_id: str, now: datetime) -> HabitGroup:
    await people.join_group(unit, group_id, user_id, now)
    group = await people.find_group(unit, group_id, user_id)
    assert group is not None
    return group


async def leave_group(services: Services, principal: Principal, group_id: str) -> None:
    """Leave a group; points, streaks and badges stay. A group without members is deleted."""
    async with services.database.unit() as unit:
        # Without the lock, somebody could join while the last member leaves and the group is deleted.
        await people.lock_group(unit, group_id)
        await people.leave_group(unit, group_id, principal.user_id)
        group = await people.find_group(unit, group_id, principal.user_id)
        if group is not None and group.members == 0:
            await people.delete_group(unit, group_id)


async def list_groups(services: Services, principal: Principal) -> Sequence[HabitGroup]:
    """The groups the principal is in."""
    async with services.database.reading() as reading:
        return await people.list_groups(reading, principal.user_id)
