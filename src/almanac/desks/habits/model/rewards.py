"""Rewards: points that grow with the streak, and badges for milestones."""

import re
from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from almanac.kit.messages import gettext

BASE_POINTS = 10
MULTIPLIERS = ((100, 10), (30, 5), (7, 2))
SHORTEST_BONUS_STREAK = MULTIPLIERS[-1][0]
MILESTONES = (7, 30, 100, 365)
_TYPE = "streak_"
_DESCRIPTION = re.compile(
    r"(?P<milestone>\d+) (?P<unit>days|weeks|months|years|times) in a row: (?P<habit>.+)", re.DOTALL
)


class DayAward(NamedTuple):
    """The points of one day, and the streak they were earned with."""

    day: date
    points: int
    streak: int
    multiplier: int


class StreakBadge(NamedTuple):
    """A milestone, and the day on which the streak reached it."""

    milestone: int
    reached_on: date


def points_multiplier(streak: int) -> int:
    """The factor for points with a streak of this length."""
    for length, times in MULTIPLIERS:
        if streak >= length:
            return times
    return 1


def award_day(day: date, streak: int) -> DayAward:
    """The points a day earns as part of a streak of this length."""
    times = points_multiplier(streak)
    return DayAward(day, BASE_POINTS * times, streak, times)


def sum_points(streaks: Iterable[int]) -> int:
    """Total points of days, given the streak of each."""
    total = 0
    for streak in streaks:
        total += BASE_POINTS if streak < SHORTEST_BONUS_STREAK else BASE_POINTS * points_multiplier(streak)
    return total


def achievement_type(milestone: int, habit_id: str) -> str:
    """Such as `streak_7:gym`: it includes the habit id, so each habit has its own badges."""
    return f"{_TYPE}{milestone}:{habit_id}"


def parse_milestone(kind: str) -> int | None:
    """The milestone in an achievement type such as `streak_7:gym` or `streak_7`; None for other types."""
    number = kind.removeprefix(_TYPE).partition(":")[0]
    return int(number) if kind.startswith(_TYPE) and number.isdecimal() else None


def describe_achievement(milestone: int, habit: str, unit: str) -> str:
    """A sentence such as `100 days in a row: Reading`."""
    match unit:
        case "weeks":
            return gettext("%(milestone)s weeks in a row: %(habit)s", milestone=milestone, habit=habit)
        case "months":
            return gettext("%(milestone)s months in a row: %(habit)s", milestone=milestone, habit=habit)
        case "years":
            return gettext("%(milestone)s years in a row: %(habit)s", milestone=milestone, habit=habit)
        case "times":
            return gettext("%(milestone)s times in a row: %(habit)s", milestone=milestone, habit=habit)
        case _:
            return gettext("%(milestone)s days in a row: %(habit)s", milestone=milestone, habit=habit)


def translate_achievement(stored: str) -> str:
    """A stored description as one that can be said in other languages; as it is if it reads otherwise."""
    match = _DESCRIPTION.fullmatch(stored)
    return describe_achievement(int(match["milestone"]), match["habit"], match["unit"]) if match else stored
