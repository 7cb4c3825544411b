"""Habit strength from 0 to 1: each day pulls the score towards how well the habit was kept recently.

The formula is Loop's: `score = previous * m + value * (1 - m)` with `m = 0.5 ** (sqrt(frequency) / 13)`. The value is
the share of what the schedule asked for in the recent days that was done. For a limit on a whole week, month or year,
the amounts of that many recent days are summed. Forgiven days don't change the score.
"""

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from datetime import date
from decimal import Decimal
from itertools import accumulate, pairwise
from math import sqrt
from typing import TypeVar

from almanac.desks.habits.model.history import Forgiveness, HabitHistory, HabitRule

N = TypeVar("N", float, Decimal)


def decay_factor(frequency: float) -> float:
    """How much of the previous day's score remains."""
    return float(0.5 ** (sqrt(frequency) / 13.0))


def strength_curve(
    history: HabitHistory, kept: AbstractSet[int], forgiven: Mapping[int, Forgiveness], today: date
) -> list[float]:
    """The score of every day since the first. Today is included once it is kept or has an entry."""
    first = history.first_day.toordinal()
    last = today.toordinal()
    if last not in kept and last not in history.amounts:
        last -= 1
    if history.last_day is not None:
        last = min(last, history.last_day.toordinal())
    if last < first:
        return []
    shares = _shares(history, kept, first, last)
    score, curve = _initial_score(history), []
    for rule, begin, end in _rule_periods(history, first, last):
        times, within, remains = _weights(rule)
        gained = 1.0 - remains
        # Sums of floats fall slightly short of a full span; the epsilon makes up for it.
        values = shares if within == 1 else [min(1.0, done / times + 1e-12) for done in _window_sums(shares, within)]
        if rule.limits_whole_span:
            values = [rule.goal.share(used) for used in _window_sums(_amounts(history, first, last), within)]
        for place in range(begin, end + 1):
            if place + first not in forgiven:
                score = score * remains + values[place] * gained
            curve.append(score)
    return curve


def _initial_score(history: HabitHistory) -> float:
    """The score before the first day: a limit starts at 1, since nothing has been exceeded."""
    return 1.0 if history.rules[0].goal.is_limit else 0.0


def _rule_periods(history: HabitHistory, first: int, last: int) -> Iterator[tuple[HabitRule, int, int]]:
    """Each rule with the indexes of its first and last day."""
    starts = [first, *(max(first, rule.since.toordinal()) for rule in history.rules[1:]), last + 1]
    for rule, (start, following) in zip(history.rules, pairwise(starts), strict=True):
        yield rule, start - first, min(following - 1, last) - first


def _weights(rule: HabitRule) -> tuple[float, int, float]:
    times, within = rule.schedule.frequency
    remains = decay_factor(times / within)
    # Yes/no habits that aren't daily use a window of two spans, so that moving to another weekday costs nothing.
    widen = 2 if rule.goal.kind == "done" and times < within else 1
    return float(times * widen), within * widen, remains


def _shares(history: HabitHistory, kept: AbstractSet[int], first: int, last: int) -> list[float]:
    """How much of the goal each day reached: 1 for kept days, a fraction for partial amounts. For limits, days
    without an entry count as 1, due or not."""
    shares = [1.0 if day in kept else 0.0 for day in range(first, last + 1)]
    for rule, begin, end in _rule_periods(history, first, last):
        if rule.goal.is_limit:
            for place in range(begin, end + 1):
                if place + first not in history.amounts:
                    shares[place] = 1.0
        if rule.goal.kind in ("done", "avoid"):
            continue
        for day, amount in history.amounts.items():
            if begin <= day - first <= end and day not in kept:
                shares[day - first] = rule.goal.share(amount)
    return shares


def _amounts(history: HabitHistory, first: int, last: int) -> list[Decimal]:
    """The amount of every day; 0 where nothing was entered."""
    return [history.amounts.get(day, Decimal(0)) for day in range(first, last + 1)]


def _window_sums(values: list[N], days: int) -> list[N]:
    """For every day, the sum over the window of days that ends with it."""
    sums = list(accumulate(values))
    return [total - sums[place - days] if place >= days else total for place, total in enumerate(sums)]
