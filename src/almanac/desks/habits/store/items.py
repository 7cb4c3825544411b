"""The items of the habits table: points, streaks and achievements of a person, and the leaderboard.

They are copies of the state in PostgreSQL. An item's revision rejects writes that arrive late.
"""

from contextlib import suppress
from datetime import datetime

from almanac.desks.habits.model.habit import Habit
from almanac.desks.habits.model.rewards import achievement_type, describe_achievement
from almanac.desks.habits.store.people import HabitPerson
from almanac.desks.habits.store.table import Achievement, Dashboard, Streak, UserStats
from tablature.async_database import AsyncDatabase
from tablature.errors import ConditionFailed

# Up to this many people with equal points are sorted by name; beyond that, the order of the index applies.
_MOST_TIES = 200


async def write_stats(tables: AsyncDatabase, person: HabitPerson) -> None:
    """Write a person's points unless the item is newer. People who aren't listed are stored without a name."""
    item = UserStats(
        user_id=person.user_id,
        username=person.username if person.listed else None,
        total_points=person.points,
        revision=person.revision,
    )
    with suppress(ConditionFailed):
        await tables.upsert(item, when=~UserStats.revision.exists() | (UserStats.revision < person.revision))


async def overwrite_stats(tables: AsyncDatabase, person: HabitPerson) -> None:
    """Write a person's points, even over a newer revision."""
    name = person.username if person.listed else None
    await tables.upsert(
        UserStats(user_id=person.user_id, username=name, total_points=person.points, revision=person.revision)
    )


async def write_streak(tables: AsyncDatabase, habit: Habit, *, force: bool = False) -> None:
    """Write a habit's streak unless the item is newer; `force` writes in any case."""
    newer = ~Streak.revision.exists() | (Streak.revision < habit.revision)
    with suppress(ConditionFailed):
        await tables.upsert(streak_item(habit), when=None if force else newer)


def streak_item(habit: Habit) -> Streak:
    """A habit's stats as a table item."""
    return Streak(
        user_id=habit.owner_id,
        habit_id=habit.id,
        current_streak=habit.current_streak,
        last_completed=habit.last_completed.isoformat() if habit.last_completed else None,
        best_streak=habit.best_streak,
        strength=round(habit.strength, 6),
        habit_name=habit.name,
        streak_unit=habit.streak_unit,
        stands_until=habit.stands_until,
        revision=habit.revision,
    )


async def write_achievement(tables: AsyncDatabase, habit: Habit, milestone: int, unlocked_at: datetime) -> None:
    await tables.upsert(
        Achievement(
            user_id=habit.owner_id,
            type=achievement_type(milestone, habit.id),
            unlocked_at=unlocked_at,
            description=str(describe_achievement(milestone, habit.name, habit.streak_unit)),
        )
    )


async def delete_achievement(tables: AsyncDatabase, owner_id: str, kind: str) -> None:
    await tables.delete(Achievement.key(user_id=owner_id, type=kind))


async def delete_habit_items(tables: AsyncDatabase, owner_id: str, habit_id: str) -> None:
    """Delete a habit's streak and all its achievements."""
    await tables.delete(Streak.key(user_id=owner_id, habit_id=habit_id))
    achievements = [item async for item in tables.each(Achievement.of_user(user_id=owner_id))]
    await tables.delete_many([item for item in achievements if item.type.endswith(f":{habit_id}")])


async def delete_stats(tables: AsyncDatabase, user_id: str) -> None:
    """Delete a person's points, and with them their place on the leaderboard."""
    await tables.delete(UserStats.key(user_id=user_id))


async def read_dashboard(tables: AsyncDatabase, user_id: str, *, consistent: bool = False) -> Dashboard | None:
    """All items of a person in one query; None if there are none."""
    return await tables.collect(Dashboard, user_id=user_id, consistent=consistent)


async def list_top_users(tables: AsyncDatabase, limit: int) -> list[UserStats]:
    """The people with the most points. Everybody tied with the last one is read too, so that the order of ties doesn't
    depend on storage."""
    users: list[UserStats] = []
    async for stats in tables.each(UserStats.top(), page=limit + 1):
        is_below_limit = len(users) >= limit and stats.total_points < users[limit - 1].total_points
        if is_below_limit or stats.total_points <= 0 or len(users) >= limit + _MOST_TIES:
            break
        users.append(stats)
    return sorted(users, key=_sort_key)[:limit]


def _sort_key(stats: UserStats) -> tuple[int, str, str]:
    return -stats.total_points, (stats.username or "\U0010ffff").casefold(), stats.user_id
