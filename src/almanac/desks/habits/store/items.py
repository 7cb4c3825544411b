"""The documented items in the table: points, streaks and achievements of a person, and the leaderboard over all.

They are copies of what PostgreSQL says. A writer that was held up is refused by the item's revision.
"""

from contextlib import suppress
from datetime import datetime

from almanac.desks.habits.model.habit import Habit
from almanac.desks.habits.model.rewards import achievement_type, describe_achievement
from almanac.desks.habits.store.people import HabitPerson
from almanac.desks.habits.store.table import Achievement, Dashboard, Streak, UserStats
from tablature.async_database import AsyncDatabase
from tablature.errors import ConditionFailed

# People with the same points are put in order by name; beyond this many, by whatever order the index has.
_MOST_TIES = 200


async def write_stats(tables: AsyncDatabase, person: HabitPerson) -> None:
    """A person's points, unless the item already tells of a later change. Who isn't listed has no name there."""
    item = UserStats(
        user_id=person.user_id,
        username=person.username if person.listed else None,
        total_points=person.points,
        revision=person.revision,
    )
    with suppress(ConditionFailed):
        await tables.upsert(item, when=~UserStats.revision.exists() | (UserStats.revision < person.revision))


async def overwrite_stats(tables: AsyncDatabase, person: HabitPerson) -> None:
    """A person's points, whatever the item says."""
    name = person.username if person.listed else None
    await tables.upsert(
        UserStats(user_id=person.user_id, username=name, total_points=person.points, revision=person.revision)
    )


async def write_streak(tables: AsyncDatabase, habit: Habit, *, force: bool = False) -> None:
    """How long a habit has been kept, unless the item already tells of a later change."""
    newer = ~Streak.revision.exists() | (Streak.revision < habit.revision)
    with suppress(ConditionFailed):
        await tables.upsert(streak_item(habit), when=None if force else newer)


def streak_item(habit: Habit) -> Streak:
    """A habit's standing under its documented names."""
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
            description=describe_achievement(milestone, habit.name, habit.streak_unit),
        )
    )


async def delete_achievement(tables: AsyncDatabase, owner_id: str, kind: str) -> None:
    await tables.delete(Achievement.key(user_id=owner_id, type=kind))


async def delete_habit_items(tables: AsyncDatabase, owner_id: str, habit_id: str) -> None:
    """Remove a habit's streak and all its achievements."""
    await tables.delete(Streak.key(user_id=owner_id, habit_id=habit_id))
    achieved = [one async for one in tables.each(Achievement.of_user(user_id=owner_id))]
    await tables.delete_many([one for one in achieved if one.type.endswith(f":{habit_id}")])


async def delete_stats(tables: AsyncDatabase, user_id: str) -> None:
    """Remove a person's points, and with them their place on the leaderboard."""
    await tables.delete(UserStats.key(user_id=user_id))


async def read_dashboard(tables: AsyncDatabase, user_id: str, *, consistent: bool = False) -> Dashboard | None:
    """Everything about one person, in one query."""
    return await tables.collect(Dashboard, user_id=user_id, consistent=consistent)


async def list_top_users(tables: AsyncDatabase, limit: int) -> list[UserStats]:
    """The people with the most points. Who has as many as the last one shown is looked at too, so that which of them
    is shown does not depend on where they are stored."""
    found: list[UserStats] = []
    async for stats in tables.each(UserStats.top(), page=limit + 1):
        over = len(found) >= limit and stats.total_points < found[limit - 1].total_points
        if over or stats.total_points <= 0 or len(found) >= limit + _MOST_TIES:
            break
        found.append(stats)
    return sorted(found, key=_place)[:limit]


def _place(stats: UserStats) -> tuple[int, str, str]:
    return -stats.total_points, (stats.username or "\U0010ffff").casefold(), stats.user_id
