"""A schedule in words: whole weeks, weekdays and weekends have names of their own."""

import pytest

from almanac.desks.habits.model.schedule import HabitSchedule


@pytest.mark.parametrize(
    ("weekdays", "words"),
    [
        ((0, 1, 2, 3, 4), "on weekdays"),
        ((5, 6), "on weekends"),
        (tuple(range(7)), "every day"),
        ((0, 2), "on Monday, Wednesday"),
    ],
)
def test_days_of_the_week_are_named_together(weekdays, words):
    assert str(HabitSchedule(kind="weekdays", weekdays=weekdays).sentence) == words
