"""The habits table: one partition per person with points, streaks and achievements, and the leaderboard.

The completion log in PostgreSQL is authoritative; these items are derived from it.
"""

from datetime import date, datetime

from tablature import Attr, Collection, Entity, Index, Table, attr, auto_now_add, index, pattern, primary
from tablature.design import accepted, action

LEADERBOARD_SHARDS = 8

habits = Table(
    "habits",
    pk="PK",
    sk="SK",
    indexes=[Index("GSI_Leaderboard", "EntityType", "total_points", sk_type="N", doc="Everybody by points.")],
    doc="What habits add up to, by person.",
)


class UserStats(Entity, table=habits):
    """A person's points."""

    user_id: Attr[str] = attr(in_key=True)
    username: Attr[str | None] = attr(default=None)
    total_points: Attr[int] = attr(default=0, absent=0)
    # Rises with every change of the log, so that a delayed write never restores an older total.
    revision: Attr[int | None] = attr(default=None)

    key = primary("USER#{user_id:raw}", "METADATA")
    leaderboard = index(
        "GSI_Leaderboard", "USER", "{total_points}", shards=LEADERBOARD_SHARDS, by="user_id", include_unsharded=True
    )

    top = pattern(leaderboard, order="descending", page=10, doc="The people with the most points.")


class Streak(Entity, table=habits):
    """The streak of a habit."""

    user_id: Attr[str] = attr(in_key=True)
    habit_id: Attr[str] = attr(in_key=True)
    current_streak: Attr[int] = attr(default=0, absent=0, minimum=0)
    # A date or a timestamp: programs that share the table write either.
    last_completed: Attr[str | None] = attr(default=None)
    best_streak: Attr[int | None] = attr(default=None)
    strength: Attr[float | None] = attr(default=None)
    habit_name: Attr[str | None] = attr(default=None)
    streak_unit: Attr[str | None] = attr(default=None)
    # The last day on which the streak survives without another entry; after it the streak is 0.
    stands_until: Attr[date | None] = attr(default=None)
    revision: Attr[int | None] = attr(default=None)

    key = primary("USER#{user_id:raw}", "STREAK#{habit_id:raw}")

    of_user = pattern(key, doc="All streaks of a person, or of one habit.")


class Achievement(Entity, table=habits):
    """An achievement; its type includes the habit id, such as `streak_7:gym`."""

    user_id: Attr[str] = attr(in_key=True)
    type: Attr[str] = attr(in_key=True)
    unlocked_at: Attr[datetime] = auto_now_add()
    description: Attr[str | None] = attr(default=None)

    key = primary("USER#{user_id:raw}", "ACHIEVEMENT#{type:raw}")

    of_user = pattern(key, doc="All achievements of a person.")


class Dashboard(Collection):
    """Everything about one person, in one query."""

    stats: UserStats | None
    streaks: list[Streak]
    achievements: list[Achievement]


_RAW_IDS = "Programs that share the table write raw ids into keys; the field is the last part of its key."
ACCEPTED = [
    accepted("TAB001", "Achievement.type", _RAW_IDS),
    accepted("TAB001", "Achievement.user_id", _RAW_IDS),
    accepted("TAB001", "Streak.habit_id", _RAW_IDS),
    accepted("TAB001", "Streak.user_id", _RAW_IDS),
    accepted("TAB001", "UserStats.user_id", _RAW_IDS),
    accepted("TAB503", "UserStats.total_points", "It is guarded by its revision, and a job compares it with the log."),
]
ACTIONS = [
    action("Open the dashboard", "Dashboard.collect"),
    action("See the leaderboard", "UserStats.top"),
    action("Complete a habit", "Streak.upsert", "UserStats.upsert"),
    action("Reach a milestone", "Achievement.upsert"),
]
