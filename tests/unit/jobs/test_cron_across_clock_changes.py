"""Schedules by the clock of a place: a fixed hour runs once a day, every hour means every hour that passes."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from almanac.errors import InputError
from almanac.jobs.cron import check_cron, due_times, next_due, next_due_times

NEW_YORK = "America/New_York"


def utc(month: int, day: int, hour: int = 0, minute: int = 0) -> datetime:
    return datetime(2026, month, day, hour, minute, tzinfo=UTC)


def local(cron: str, after: datetime, until: datetime, zone: str = NEW_YORK) -> list[str]:
    moments = due_times(cron, zone, after=after, until=until)
    return [moment.astimezone(ZoneInfo(zone)).strftime("%d %H:%M %Z") for moment in moments]


def test_a_time_that_the_clocks_skip_still_runs_that_day() -> None:
    assert local("30 2 * * *", utc(3, 7), utc(3, 9, 12)) == ["07 02:30 EST", "08 03:30 EDT", "09 02:30 EDT"]


def test_a_time_that_the_clocks_show_twice_runs_once() -> None:
    assert local("30 1 * * *", utc(10, 31), utc(11, 2, 12)) == ["31 01:30 EDT", "01 01:30 EDT", "02 01:30 EST"]


def test_every_hour_has_no_hole_when_clocks_go_back() -> None:
    hours = local("0 * * * *", utc(11, 1, 3, 30), utc(11, 1, 8))
    assert hours == ["01 00:00 EDT", "01 01:00 EDT", "01 01:00 EST", "01 02:00 EST", "01 03:00 EST"]


def test_every_hour_runs_nothing_twice_when_clocks_go_forward() -> None:
    assert local("0 * * * *", utc(3, 8, 5, 30), utc(3, 8, 8)) == ["08 01:00 EST", "08 03:00 EDT", "08 04:00 EDT"]


def test_every_few_minutes_follow_elapsed_time() -> None:
    assert len(local("*/20 * * * *", utc(11, 1, 4), utc(11, 1, 8))) == 12
    assert len(local("*/20 * * * *", utc(3, 8, 5), utc(3, 8, 9))) == 12


def test_reading_can_begin_in_the_middle_of_the_repeated_hour() -> None:
    assert local("*/30 * * * *", utc(11, 1, 6, 10), utc(11, 1, 7)) == ["01 01:30 EST", "01 02:00 EST"]


def test_the_day_is_that_of_the_time_zone() -> None:
    assert next_due("0 6 * * 1", "Asia/Tokyo", utc(3, 1, 12)) == utc(3, 1, 21)


def test_the_moment_itself_is_not_due_again() -> None:
    assert next_due("0 10 * * *", "UTC", utc(3, 2, 10)) == utc(3, 3, 10)


def test_a_line_that_never_comes_true_has_no_next_moment() -> None:
    assert next_due("0 0 30 2 *", "UTC", utc(1, 1)) is None


@pytest.mark.parametrize("cron", ["", "every day", "61 * * * *", "* * * *", "0 0 * * * *", "@daily"])
def test_nonsense_is_refused_with_an_example(cron: str) -> None:
    with pytest.raises(InputError, match="isn't a cron line; use five fields"):
        check_cron(cron, "UTC")


@pytest.mark.parametrize("cron", ["0 0 31 2 *", "0 0 30 2 *", "0 0 31 4,6,9,11 *"])
def test_a_line_that_never_comes_true_is_refused(cron: str) -> None:
    with pytest.raises(InputError, match="never comes"):
        check_cron(cron, "UTC")
    check_cron("0 0 29 2 *", "UTC")


@pytest.mark.parametrize("zone", ["", "Mars/Base", "../etc/passwd"])
def test_an_unknown_time_zone_is_refused_with_an_example(zone: str) -> None:
    with pytest.raises(InputError, match="There is no time zone"):
        check_cron("0 6 * * *", zone)


@pytest.mark.parametrize("cron", ["0 7 * * *", "30 2 * * 0", "*/15 * * * *", "0 * * * *", "0 0 29 2 *", "0 0 30 2 *"])
@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe"])
def test_the_next_moments_are_those_that_come_one_after_the_other(cron: str, zone: str) -> None:
    for begin in (datetime(2026, 3, 28, 20, tzinfo=UTC), datetime(2026, 10, 31, 20, 7, 30, tzinfo=UTC)):
        # Later moments are asked for while the earlier answer may still hold, and once it doesn't; then back in time.
        for hours in (0, 0.1, 1, 5, 5.5, 30, 3):
            after, expected = begin + timedelta(hours=hours), []
            while len(expected) < 4 and (moment := next_due(cron, zone, expected[-1] if expected else after)):
                expected.append(moment)
            assert list(next_due_times(cron, zone, after, 4)) == expected


def test_the_next_moments_of_one_line_are_not_those_of_another() -> None:
    now = datetime(2026, 3, 2, tzinfo=UTC)
    asked = [("0 7 * * *", "UTC", 3), ("0 8 * * *", "UTC", 3), ("0 7 * * *", "Asia/Tokyo", 3), ("0 7 * * *", "UTC", 2)]
    assert len({next_due_times(cron, zone, now, count) for cron, zone, count in asked * 2}) == len(asked)
