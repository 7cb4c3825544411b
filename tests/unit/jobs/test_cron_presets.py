"""A cron line as choices of a form, and back: what is stored stays a cron line."""

import pytest

from almanac.errors import FieldErrors
from almanac.jobs.cron_presets import REPEATS, CronChoice


@pytest.mark.parametrize(
    ("cron", "repeat"),
    [
        ("", ""),
        ("0 * * * *", "hourly"),
        ("30 6 * * *", "daily"),
        ("5 18 * * 1-5", "weekdays"),
        ("0 7 * * 0", "weekly"),
        ("0 7 15 * *", "monthly"),
        ("0 7 31 * *", "line"),
        ("*/10 8-18 * * 1-5", "line"),
        ("0 7 1 1 *", "line"),
        ("0 7 * * 1#1", "line"),
    ],
)
def test_a_line_becomes_the_choice_that_says_it_and_comes_back(cron, repeat):
    choice = CronChoice.from_cron(cron)
    assert choice.repeat == repeat
    assert choice.repeat in REPEATS
    assert choice.to_cron() == cron


@pytest.mark.parametrize(
    ("choice", "field"),
    [
        (CronChoice(repeat="daily", at="half past"), "at"),
        (CronChoice(repeat="weekly", at="25:00"), "at"),
        (CronChoice(repeat="monthly", at="07:00", monthday="31"), "monthday"),
        (CronChoice(repeat="monthly", at="07:00", monthday=""), "monthday"),
    ],
)
def test_a_wrong_time_or_day_is_refused_beside_its_field(choice, field):
    with pytest.raises(FieldErrors) as refused:
        choice.to_cron()
    assert list(refused.value.fields) == [field]
