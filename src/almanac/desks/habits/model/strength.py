"""How firm a habit is, from 0 to 1: each day pulls the score towards how well the habit was kept lately.

The formula is Loop's: `score = previous * m + value * (1 - m)` with `m = 0.5 ** (sqrt(frequency) / 13)`, where value is
what was done in the last days as a share of what the schedule asks for in them; of a limit on a whole week, month or
year, the amounts of the last such days are added up. Forgiven days leave the score alone.
"""

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from datetime import date
from decimal import Decimal
from itertools import accumulate, pairwise
from math import sqrt
from typing import TypeVar

from almanac.desks.habits.model.history import Forgiveness, History, Rule

N = TypeVar("N", float, Decimal)


def weight(frequency: float) -> float:
    """How much of the score of the day before remains."""
    return float(0.5 ** (sqrt(frequency) / 13.0))


def strengths(
    history: History, kept: AbstractSet[int], forgiven: Mapping[int, Forgiveness], today: date
) -> list[float]:
    """The score of every day from the first one on. Today takes part once there is something to say about it."""
    first = history.first_day.toordinal()
    last = today.toordinal()
    if last not in kept and last not in history.amounts:
        last -= 1
    if history.last_day is not None:
        last = min(last, history.last_day.toordinal())
    if last < first:
        return []
    shares = _shares(history, kept, first, last)
    score, curve = _beginning(history), []
    for rule, begin, end in _times(history, first, last):
        times, within, remains = _terms(rule)
        gained = 1.0 - remains
        # Summing leaves a trace of rounding; a full week is a full week.
        values = shares if within == 1 else [min(1.0, done / times + 1e-12) for done in _within(shares, within)]
        if rule.limits_a_span:
            values = [rule.goal.share(used) for used in _within(_amounts(history, first, last), within)]
        for place in range(begin, end + 1):
            if place + first not in forgiven:
                score = score * remains + values[place] * gained
            curve.append(score)
    return curve


def _beginning(history: History) -> float:
    """Of a limit, nothing has been exceeded at the beginning."""
    return 1.0 if history.rules[0].goal.is_a_limit else 0.0


def _times(history: History, first: int, last: int) -> Iterator[tuple[Rule, int, int]]:
    """Each rule with the places of the first and last day of its time."""
    starts = [first, *(max(first, rule.since.toordinal()) for rule in history.rules[1:]), last + 1]
    for rule, (start, following) in zip(history.rules, pairwise(starts), strict=True):
        yield rule, start - first, min(following - 1, last) - first


def _terms(rule: Rule) -> tuple[float, int, float]:
    times, within = rule.schedule.frequency
    remains = weight(times / within)
    # Done or not, on fewer than all days: two spans are looked at together, so that another weekday is no loss.
    widen = 2 if rule.goal.kind == "done" and times < within else 1
    return float(times * widen), within * widen, remains


def _shares(history: History, kept: AbstractSet[int], first: int, last: int) -> list[float]:
    """For every day, how far it came. A day that was kept came all the way; of amounts, others came some of it. Of a
    limit, a silent day exceeded nothing, though it may have asked for nothing."""
    shares = [1.0 if day in kept else 0.0 for day in range(first, last + 1)]
    for rule, begin, end in _times(history, first, last):
        if rule.goal.is_a_limit:
            for place in range(begin, end + 1):
                if place + first not in history.amounts:
                    shares[place] = 1.0
        if rule.goal.kind in ("done", "avoid"):
            continue
        for day, amount in history.amounts.items():
            if begin <= day - first <= end and day not in kept:
                shares[day - first] = rule.goal.share(amount)
    return shares


def _amounts(history: History, first: int, last: int) -> list[Decimal]:
    """For every day, what was entered."""
    return [history.amounts.get(day, Decimal(0)) for day in range(first, last + 1)]


def _within(values: list[N], days: int) -> list[N]:
    """For every day, the sum of the last days up to it."""
    sums = list(accumulate(values))
    return [total - sums[place - days] if place >= days else total for place, total in enumerate(sums)]
