"""What keeping a habit earns: points that rise with the streak, and badges for long ones."""

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

BASE_POINTS = 10
MULTIPLIERS = ((100, 10), (30, 5), (7, 2))
SHORTEST_BONUS_STREAK = MULTIPLIERS[-1][0]
MILESTONES = (7, 30, 100, 365)
_TYPE = "streak_"


class DayAward(NamedTuple):
    """The points of one day, and the streak that they were earned with."""

    day: date
    points: int
    streak: int
    multiplier: int


class StreakBadge(NamedTuple):
    """A streak that was long enough to be remembered, and the day on which it became so."""

    milestone: int
    reached_on: date


def points_multiplier(streak: int) -> int:
    """How much a day is worth with a streak of this length."""
    for length, times in MULTIPLIERS:
        if streak >= length:
            return times
    return 1


def award_day(day: date, streak: int) -> DayAward:
    """What a day earns that counts towards a streak of this length."""
    times = points_multiplier(streak)
    return DayAward(day, BASE_POINTS * times, streak, times)


def sum_points(streaks: Iterable[int]) -> int:
    """What days earn together, given the streak that each was kept with."""
    total = 0
    for streak in streaks:
        total += BASE_POINTS if streak < SHORTEST_BONUS_STREAK else BASE_POINTS * points_multiplier(streak)
    return total


def achievement_type(milestone: int, habit_id: str) -> str:
    """As in `streak_7:gym`: the habit is part of the name, so that each habit has badges of its own."""
    return f"{_TYPE}{milestone}:{habit_id}"


def parse_milestone(kind: str) -> int | None:
    """The milestone that an achievement's type names, with or without a habit."""
    number = kind.removeprefix(_TYPE).partition(":")[0]
    return int(number) if kind.startswith(_TYPE) and number.isdecimal() else None


def describe_achievement(milestone: int, habit: str, unit: str) -> str:
    """What a person has achieved, as in `100 days in a row: Reading`."""
    return f"{milestone} {unit} in a row: {habit}"
