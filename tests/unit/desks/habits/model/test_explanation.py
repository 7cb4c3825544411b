"""For every day, the rule that made it count, protect or break."""

from datetime import timedelta
from decimal import Decimal

import pytest

from almanac.desks.habits.model.explanation import explain_days, list_effects
from almanac.desks.habits.model.history import Vacation
from almanac.desks.habits.model.stats import compute_stats


def reasons(history, today, days=40):
    by_day = explain_days(history, compute_stats(history, today), today - timedelta(days=days), today)
    return {(today - reason.day).days: reason for reason in by_day}


def test_each_day_of_a_daily_habit_says_what_it_did(history, ago, today):
    past = history(1, 2, 4, 5, 9, since=10, skips=frozenset({ago(3)}), vacations=[Vacation(ago(8), ago(6))])
    by_day = reasons(past, today)
    assert {day: reason.effect for day, reason in by_day.items()} == {
        10: "breaks",
        9: "counts",
        8: "protects",
        7: "protects",
        6: "protects",
        5: "counts",
        4: "counts",
        3: "protects",
        2: "counts",
        1: "counts",
        0: "open",
    }
    assert [by_day[day].rule for day in (10, 9, 8, 3, 0)] == ["missed", "done", "vacation", "skip", "not-over"]
    assert [by_day[day].streak for day in (9, 6, 5, 1, 0)] == [1, 1, 2, 5, 5]


def test_a_broken_streak_names_the_day_that_broke_it(history, today):
    by_day = reasons(history(3, 4, 5, since=5), today)
    assert [(day, reason.streak) for day, reason in by_day.items() if reason.effect == "breaks"] == [(2, 0), (1, 0)]


def test_days_within_a_week_say_how_far_the_week_is(history, today):
    by_day = reasons(history(0, 3, 5, 6, 11, schedule={"kind": "per_week", "times": 2}, since=14), today)
    assert (by_day[6].effect, by_day[5].effect, by_day[3].effect) == ("counts", "counts", "nothing")
    assert "2 days of 2" in by_day[5].sentence
    assert by_day[3].rule == "extra"
    assert (by_day[8].effect, by_day[8].rule) == ("breaks", "too-few")
    assert "1 of 2" in by_day[8].sentence


def test_a_goal_that_was_missed_is_told_with_its_amount(history, ago, today):
    past = history(
        goal={"kind": "at_least", "target": Decimal(8), "unit": "km"}, amounts={ago(1): Decimal("2.5")}, since=1
    )
    (by_day,) = [reason for reason in reasons(past, today).values() if reason.effect == "breaks"]
    assert by_day.sentence == "2.5 km misses the goal of at least 8 km."
    assert by_day.amount == Decimal("2.5")


def test_days_kept_by_silence_say_so(history, today):
    by_day = reasons(history(goal={"kind": "avoid"}, since=3), today)
    assert {by_day[day].rule for day in (3, 2, 1)} == {"kept-by-silence"}


def test_days_of_a_limited_week_say_what_the_week_came_to(history, today, ago):
    goal = {"kind": "at_most", "target": Decimal(4), "unit": "cups"}
    amounts = {ago(7): Decimal(3), ago(4): Decimal(2)}
    by_day = reasons(history(schedule={"kind": "weekly"}, goal=goal, amounts=amounts, since=14), today)
    assert [by_day[day].effect for day in (8, 7, 4, 1, 0)] == ["counts", "counts", "nothing", "breaks", "open"]
    assert by_day[4].sentence == "5 cups so far, more than the goal of at most 4 cups from 23 February to 1 March."
    assert (by_day[8].streak, by_day[2].streak, by_day[1].streak) == (1, 1, 0)


def test_days_that_are_not_asked_for_are_told_as_such(history, today):
    by_day = reasons(history(1, schedule={"kind": "weekdays", "weekdays": (0,)}, since=7), today)
    assert (by_day[1].effect, by_day[1].rule, by_day[3].rule) == ("nothing", "extra", "off-schedule")


def test_the_points_of_all_days_are_the_points_of_the_habit(history, today):
    past = history(*range(40), since=40)
    stats = compute_stats(past, today)
    assert sum(reason.points for reason in explain_days(past, stats, past.first_day, today)) == stats.points


def test_the_streak_after_the_last_day_is_the_streak(history, today):
    for schedule in ({"kind": "daily"}, {"kind": "weekly"}, {"kind": "per_week", "times": 2}, {"kind": "monthly"}):
        past = history(0, 1, 2, 8, 9, 15, 16, schedule=schedule, since=20)
        by_day = reasons(past, today)
        assert by_day[0].streak == compute_stats(past, today).current_streak


@pytest.mark.parametrize(
    ("schedule", "goal"),
    [
        ({}, {}),
        ({"kind": "weekdays", "weekdays": (0, 2, 4)}, {}),
        ({"kind": "per_week", "times": 3}, {}),
        ({"kind": "weekly"}, {"kind": "at_most", "target": Decimal(1)}),
        ({}, {"kind": "avoid"}),
        ({}, {"kind": "at_least", "target": Decimal(2)}),
    ],
)
def test_effects_alone_are_those_of_the_explained_days(history, ago, today, schedule, goal):
    days_off = {
        "skips": frozenset({ago(3)}),
        "rest_days": frozenset({ago(12)}),
        "vacations": [Vacation(ago(8), ago(6))],
    }
    past = history(1, 2, 4, 9, 10, 15, 16, 17, 22, since=30, schedule=schedule, goal=goal, **days_off)
    stats, first = compute_stats(past, today), ago(60)
    explained = {reason.day: reason.effect for reason in explain_days(past, stats, first, today)}
    assert list_effects(past, stats, first, today) == explained
    assert len(explained) == 31
