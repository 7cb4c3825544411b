"""Which day a moment belongs to: clocks that jump, days that begin at night, and people who fly."""

from datetime import UTC, date, datetime, time, timedelta

import pytest

from almanac.desks.habits.model.local_time import LocalTime, TimeZonePeriod, find_short_days
from almanac.errors import FieldErrors

ZURICH = LocalTime("Europe/Zurich", 3)


def at(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def test_the_small_hours_belong_to_the_day_before():
    assert ZURICH.day_of(at("2026-03-03T01:30")) == date(2026, 3, 2)
    assert ZURICH.day_of(at("2026-03-03T02:00")) == date(2026, 3, 3)


@pytest.mark.parametrize("night", [date(2026, 3, 29), date(2026, 10, 25)])
def test_the_night_in_which_the_clocks_change_is_one_night(night):
    begin = LocalTime("Europe/Zurich").start_of(night)
    end = LocalTime("Europe/Zurich").start_of(night + timedelta(days=1))
    assert end - begin in (timedelta(hours=23), timedelta(hours=25))
    minutes = int((end - begin).total_seconds()) // 60
    days = {LocalTime("Europe/Zurich").day_of(begin + timedelta(minutes=minute)) for minute in range(0, minutes, 10)}
    assert days == {night}


def test_every_moment_of_a_year_belongs_to_the_day_that_has_begun():
    local = LocalTime("America/New_York", 4)
    moment = at("2026-01-01T12:00")
    for _ in range(365 * 8):
        day = local.day_of(moment)
        assert local.start_of(day) <= moment < local.start_of(day + timedelta(days=1))
        moment += timedelta(hours=3)


def test_a_time_after_midnight_belongs_to_the_evening_before():
    assert ZURICH.moment_of(date(2026, 3, 2), time(1, 30)) == at("2026-03-03T00:30")
    assert ZURICH.moment_of(date(2026, 3, 2), time(7)) == at("2026-03-02T06:00")


def test_a_day_lost_over_the_date_line_is_cut_short():
    honolulu, auckland = LocalTime("Pacific/Honolulu"), LocalTime("Pacific/Auckland")
    # Ten at night on the first of March in Honolulu is nine at night on the second in Auckland.
    stays = [TimeZonePeriod(at("2026-01-01T00:00"), honolulu), TimeZonePeriod(at("2026-03-02T08:00"), auckland)]
    assert find_short_days(stays) == {date(2026, 3, 2)}


def test_flying_west_cuts_no_day_short():
    stays = [
        TimeZonePeriod(at("2026-01-01T00:00"), LocalTime("Asia/Tokyo")),
        TimeZonePeriod(at("2026-03-01T20:00"), LocalTime()),
    ]
    assert find_short_days(stays) == frozenset()


def test_a_zone_that_does_not_exist_is_refused():
    with pytest.raises(FieldErrors, match="fields"):
        LocalTime("Europe/Atlantis")
    with pytest.raises(FieldErrors, match="fields"):
        LocalTime("UTC", 13)
