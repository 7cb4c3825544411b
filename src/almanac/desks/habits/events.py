"""The desk's events: those that its own handlers process, and those published to webhooks."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from almanac.audit.sentences import SLOTS
from almanac.kit.messages import gettext
from almanac.webhooks import EventType

HABIT_COMPLETED, HABIT_UNDONE = "HabitCompletedEvent", "HabitUndoneEvent"
HABIT_CHANGED, HABIT_DELETED = "HabitChangedEvent", "HabitDeletedEvent"
ACHIEVEMENT_UNLOCKED = "AchievementUnlockedEvent"

COMPLETED_HOOK, UNDONE_HOOK = "habit.completed", "habit.undone"
ACHIEVED_HOOK, REMINDED_HOOK = "habit.achievement_unlocked", "habit.reminder"
EVENTS = (
    EventType(
        COMPLETED_HOOK, gettext("Somebody on the leaderboard completed a habit for a day: who, the day and the points.")
    ),
    EventType(UNDONE_HOOK, gettext("Somebody on the leaderboard undid the completion of a day.")),
    EventType(ACHIEVED_HOOK, gettext("A streak of somebody on the leaderboard reached a milestone.")),
    EventType(REMINDED_HOOK, gettext("Somebody on the leaderboard was reminded of a habit; which one isn't told.")),
)
AUDIT_SENTENCES = {
    "habit.deleted": gettext("%(actor)s deleted a habit", **SLOTS),
}
HOOKS = {HABIT_COMPLETED: COMPLETED_HOOK, HABIT_UNDONE: UNDONE_HOOK}


@dataclass(frozen=True, slots=True, kw_only=True)
class HabitEvent:
    """A change of the log with the resulting streak and points. A `quiet` event sends no notifications.

    The name is one of the constants above, such as HabitCompletedEvent.
    """

    name: str
    day: date
    streak: int
    points: int
    unlocked: tuple[int, ...] = ()
    withdrawn: tuple[int, ...] = ()
    quiet: bool = False

    @property
    def body(self) -> Mapping[str, Any]:
        return {
            "day": self.day.isoformat(),
            "streak": self.streak,
            "points": self.points,
            "unlocked": list(self.unlocked),
            "withdrawn": list(self.withdrawn),
            "quiet": self.quiet,
        }

    @classmethod
    def from_body(cls, name: str, body: Mapping[str, Any]) -> "HabitEvent":
        return cls(
            name=name,
            day=date.fromisoformat(body["day"]),
            streak=body["streak"],
            points=body["points"],
            unlocked=tuple(body["unlocked"]),
            withdrawn=tuple(body["withdrawn"]),
            quiet=body["quiet"],
        )
