"""Any history at all: the standing equals that of a plain model, which looks at every day by itself."""

import calendar
import random
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from almanac.desks.habits.model.goal import Goal
from almanac.desks.habits.model.history import HabitHistory, HabitRule, Vacation
from almanac.desks.habits.model.schedule import HabitSchedule
from almanac.desks.habits.model.stats import compute_stats

TODAY = date(2024, 3, 10)
DAY = timedelta(days=1)

schedules = st.one_of(
    st.just(HabitSchedule()),
    st.sets(st.integers(0, 6), min_size=1).map(
        lambda days: HabitSchedule(kind="weekdays", weekdays=tuple(sorted(days)))
    ),
    st.integers(1, 7).map(lambda times: HabitSchedule(kind="per_week", times=times)),
    st.integers(1, 6).map(lambda times: HabitSchedule(kind="per_month", times=times)),
    st.integers(1, 9).map(lambda every: HabitSchedule(kind="every_days", every=every)),
    st.sampled_from([HabitSchedule(kind="weekly"), HabitSchedule(kind="monthly"), HabitSchedule(kind="yearly")]),
)
goals = st.sampled_from(
    [
        Goal(),
        Goal(),
        Goal(kind="at_least", target=Decimal(2)),
        Goal(kind="times", target=Decimal(2)),
        Goal(kind="at_most", target=Decimal(1)),
        Goal(kind="avoid"),
    ]
)
offsets = st.integers(0, 70)
days = offsets.map(lambda number: TODAY - number * DAY)
ranges = st.tuples(days, st.integers(0, 9)).map(lambda pair: Vacation(pair[0], pair[0] + pair[1] * DAY))


@st.composite
def histories(draw):
    starts = sorted(draw(st.sets(days, min_size=1, max_size=3)))
    rules = tuple(HabitRule(start, draw(schedules), draw(goals)) for start in starts)
    log = draw(st.dictionaries(days, st.sampled_from([Decimal(0), Decimal(1), Decimal(2), Decimal(3)]), max_size=60))
    archived = draw(st.one_of(st.none(), st.none(), days.filter(lambda day: day > starts[0])))
    return HabitHistory(
        rules=rules,
        log=log,
        skips=frozenset(draw(st.sets(days, max_size=8))),
        vacations=draw(st.lists(ranges, max_size=2)),
        rest_days=frozenset(draw(st.sets(days, max_size=4))),
        travel=frozenset(draw(st.sets(days, max_size=1))),
        archived_on=archived,
    )


def the_rule(history, day):
    past = [rule for rule in history.rules if rule.since <= day]
    return past[-1] if past else history.rules[0]


def whole_stretch(rule, day):
    """Every day of the calendar that belongs together with this one; none where the day is not asked for."""
    kind = rule.schedule.kind
    if kind == "daily":
        return [day]
    if kind == "weekdays":
        return [day] if day.weekday() in rule.schedule.weekdays else []
    if kind in ("weekly", "per_week"):
        return [day - day.weekday() * DAY + number * DAY for number in range(7)]
    if kind in ("monthly", "per_month"):
        return [date(day.year, day.month, other + 1) for other in range(calendar.monthrange(day.year, day.month)[1])]
    if kind == "yearly":
        length = 366 if calendar.isleap(day.year) else 365
        return [date(day.year, 1, 1) + number * DAY for number in range(length)]
    place = (day - rule.since).days // rule.schedule.every
    return [rule.since + (place * rule.schedule.every + number) * DAY for number in range(rule.schedule.every)]


def the_end(history):
    """The day from which on nothing counts any more."""
    if history.archived_on is None:
        return date.max
    return history.archived_on + DAY if history.archived_on in history.log else history.archived_on


def is_limit_on_all(rule):
    once = rule.schedule.kind in ("weekly", "monthly", "yearly", "every_days")
    return once and rule.goal.kind in ("at_most", "avoid")


def was_kept(history, day, today):
    goal = the_rule(history, day).goal
    amount = history.log.get(day)
    silence = amount is None and day < today and not was_forgiven(history, day)
    if is_limit_on_all(rule := the_rule(history, day)):
        before = [other for other in whole_stretch(rule, day) if other <= day and the_rule(history, other) == rule]
        used = sum(history.log.get(other, 0) for other in before)
        return used <= (goal.target if goal.kind == "at_most" else 0) and (amount is not None or silence)
    if goal.kind == "avoid":
        return amount == 0 or silence
    if goal.kind == "at_most":
        return (amount is not None and amount <= goal.target) or silence
    if amount is None:
        return False
    return amount >= (1 if goal.kind == "done" else goal.target)


def was_forgiven(history, day):
    if day in history.log:
        return False
    away = any(vacation.first <= day <= vacation.last for vacation in history.vacations)
    return away or day in history.skips or day in history.rest_days or day in history.travel


def worth(streak):
    return 100 if streak >= 100 else 50 if streak >= 30 else 20 if streak >= 7 else 10


def plain_standing(history, today):
    """Streak, best streak, points by day and milestones, as simply as they can be said."""
    first = min([history.rules[0].since, *history.log])
    last = max([today, *history.log])
    streak, best, points, milestones = 0, 0, {}, set()
    day = first
    while day <= last:
        if day >= the_end(history):
            break
        rule = the_rule(history, day)
        whole = whole_stretch(rule, day)
        if not whole:
            day += DAY
            continue
        alive = [other for other in whole if first <= other < the_end(history) and the_rule(history, other) == rule]
        done = [other for other in alive if other <= last and was_kept(history, other, today)]
        asked = rule.schedule.times if rule.schedule.kind in ("per_week", "per_month") else 1
        really = len([other for other in alive if not (other <= last and was_forgiven(history, other))])
        before, strict = streak, is_limit_on_all(rule)
        asked = really if strict else asked
        if len(done) >= asked > 0:
            streak += 1
            best = max(best, streak)
            milestones |= {streak} & {7, 30, 100, 365}
        elif alive[-1] < today and len(done) < (
            asked if strict or really == len(whole) else asked * really // len(whole)
        ):
            streak = 0
        for place, other in enumerate(done[:asked], 1):
            if other in history.log:
                points[other] = worth(before + 1 if place == asked else before)
        day = alive[-1] + DAY
    return streak, best, points, milestones


def excess_share(goal, used):
    if goal.kind == "avoid":
        return 0.0 if used else 1.0
    return min(1.0, max(0.0, 1 - float((used - goal.target) / goal.target)))


def plain_strength(history, today):
    """Day by day; before there is a day to speak of, a habit has none."""
    first = min([history.rules[0].since, *history.log])
    score = 1.0 if history.rules[0].goal.kind in ("at_most", "avoid") else 0.0

    def share(day):
        goal, amount = the_rule(history, day).goal, history.log.get(day)
        if goal.kind in ("avoid", "at_most"):
            return excess_share(goal, amount or Decimal(0))
        if goal.kind == "done":
            return 1.0 if (amount or 0) >= 1 else 0.0
        return min(1.0, float((amount or 0) / goal.target))

    day = first
    while day < today or (day == today and (today in history.log or was_kept(history, today, today))):
        if day >= the_end(history):
            break
        rule = the_rule(history, day)
        times, within = rule.schedule.frequency
        double = 2 if rule.goal.kind == "done" and times < within else 1
        window = [day - number * DAY for number in range(within * double) if day - number * DAY >= first]
        remains = 0.5 ** ((times / within) ** 0.5 / 13)
        value = min(1.0, sum(map(share, window)) / (times * double))
        if is_limit_on_all(rule):
            value = excess_share(rule.goal, sum(history.log.get(other, Decimal(0)) for other in window))
        if not was_forgiven(history, day):
            score = score * remains + value * (1 - remains)
        day += DAY
    return score if day > first else 0.0


def compare(history, today=TODAY):
    stats = compute_stats(history, today)
    streak, best, points, milestones = plain_standing(history, today)
    assert (stats.current_streak, stats.best_streak) == (streak, best)
    assert {date.fromordinal(day): stats.award_on(date.fromordinal(day)).points for day in stats.earned} == points
    assert stats.points == sum(points.values())
    assert {badge.milestone for badge in stats.badges} == milestones
    assert stats.strength == pytest.approx(plain_strength(history, today), abs=1e-9)


@given(histories())
@settings(max_examples=100, deadline=None)
def test_any_history_stands_as_the_plain_model_says(history):
    compare(history)


@given(histories())
@settings(max_examples=60, deadline=None)
def test_a_streak_stands_exactly_as_long_as_it_says(history):
    stats = compute_stats(history, TODAY)
    if stats.stands_until is None or any(day > TODAY for day in history.log):
        return
    assert compute_stats(history, stats.stands_until).current_streak >= stats.current_streak
    assert compute_stats(history, stats.stands_until + DAY).current_streak == 0


def test_sequences_of_complete_undo_backfill_and_skip_equal_the_plain_model():
    run_sequences(150)


@pytest.mark.slow
def test_ten_thousand_sequences_equal_the_plain_model():
    run_sequences(10_000)


def run_sequences(number):
    """Random deeds on a habit, one after another, with the clock moving on; compared after each few."""
    chance = random.Random(7)
    kinds = [
        HabitSchedule(),
        HabitSchedule(),
        HabitSchedule(kind="weekly"),
        HabitSchedule(kind="per_week", times=3),
        HabitSchedule(kind="weekdays", weekdays=(0, 2, 4)),
        HabitSchedule(kind="every_days", every=3),
    ]
    for _ in range(number):
        today = TODAY
        history = HabitHistory(rules=(HabitRule(TODAY, chance.choice(kinds)),))
        for _ in range(chance.randrange(5, 25)):
            deed, day = chance.randrange(5), today - chance.randrange(10) * DAY
            log, skips = dict(history.log), set(history.skips)
            if deed <= 1:
                log[day] = Decimal(1)
            elif deed == 2:
                log.pop(day, None)
            elif deed == 3:
                skips.add(day)
            else:
                today += DAY
            history = replace(history, log=log, skips=frozenset(skips))
        compare(history, today)
