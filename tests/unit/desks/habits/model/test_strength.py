"""The strength of a habit, by Loop's formula."""

from datetime import date
from decimal import Decimal
from math import sqrt

import pytest

from almanac.desks.habits.model.strength import decay_factor

DAILY = 0.5 ** (1 / 13)


def test_every_day_kept_pulls_the_score_towards_one(history, stands):
    expected = 0.0
    for _ in range(20):
        expected = expected * DAILY + 1 * (1 - DAILY)
    assert stands(history(*range(20), since=19)).strength == pytest.approx(expected)


def test_a_missed_day_pulls_it_towards_nothing(history, stands):
    result = stands(history(*range(1, 20), since=19))
    missed = stands(history(*range(2, 20), since=19))
    assert missed.strength == pytest.approx(result.strength - (1 - DAILY))


def test_thirteen_kept_days_make_half_a_habit(history, stands):
    assert stands(history(*range(13), since=12)).strength == pytest.approx(0.5)


def test_a_rarer_habit_moves_more_slowly():
    assert decay_factor(1 / 7) == pytest.approx(0.5 ** (sqrt(1 / 7) / 13))
    assert decay_factor(1 / 7) > decay_factor(1)


def test_a_weekly_habit_kept_on_another_weekday_loses_nothing(history, stands):
    mondays = history(0, 7, 14, 21, 28, schedule={"kind": "weekly"}, since=28)
    remains, score = decay_factor(1 / 7), 0.0
    for day in range(29):
        score = score * remains + min(1.0, (day // 7 + 1 if day < 7 else 2) / 2) * (1 - remains)
    assert stands(mondays).strength == pytest.approx(score)


def test_a_skipped_day_leaves_it_alone(history, stands, ago):
    kept = history(*range(2, 10), since=9)
    skipped = history(*range(2, 10), since=9, skips=frozenset({ago(1)}))
    assert stands(skipped).strength == stands(kept, ago(2)).strength


def test_half_an_amount_is_worth_a_half(history, stands):
    amounts = {date(2026, 3, 2): Decimal(5)}
    result = stands(history(goal={"kind": "at_least", "target": Decimal(10)}, amounts=amounts, since=0))
    assert result.strength == pytest.approx(0.5 * (1 - DAILY))


def test_a_limit_on_a_week_is_weighed_by_what_the_last_seven_days_come_to(history, stands, ago):
    weekly = {"schedule": {"kind": "weekly"}, "goal": {"kind": "at_most", "target": Decimal(4)}, "since": 20}
    assert stands(history(amounts={ago(7): Decimal(4)}, **weekly)).strength == pytest.approx(1.0)
    over = stands(history(amounts={ago(2): Decimal(3), ago(1): Decimal(3)}, **weekly))
    assert over.strength == pytest.approx(decay_factor(1 / 7) + 0.5 * (1 - decay_factor(1 / 7)))


def test_a_limit_begins_strong_and_loses_by_excess(history, stands, ago):
    kept = history(goal={"kind": "at_most", "target": Decimal(2)}, since=10)
    assert stands(kept).strength == pytest.approx(1.0)
    over = history(goal={"kind": "at_most", "target": Decimal(2)}, since=10, amounts={ago(1): Decimal(3)})
    assert stands(over).strength == pytest.approx(DAILY + 0.5 * (1 - DAILY))
