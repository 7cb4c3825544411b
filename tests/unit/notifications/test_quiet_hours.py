"""A message waits for the end of quiet hours in the person's zone, and for the time between two messages."""

from datetime import UTC, datetime, time, timedelta

import pytest

from almanac.errors import FieldErrors
from almanac.notifications.model import KindRules, NotificationSettings, parse_quiet_hours
from almanac.notifications.quiet_hours import end_of_quiet, find_due_time

NIGHT = NotificationSettings(quiet_from=time(22), quiet_to=time(7))
AT_ONCE = KindRules(settle=timedelta(0), spacing=timedelta(minutes=10))


def at(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("moment", "zone", "expected"),
    [
        ("2026-11-18T21:59", "UTC", "2026-11-18T21:59"),
        ("2026-11-18T22:00", "UTC", "2026-11-19T07:00"),
        ("2026-11-19T06:59", "UTC", "2026-11-19T07:00"),
        ("2026-11-19T07:00", "UTC", "2026-11-19T07:00"),
        ("2026-11-18T15:00", "Asia/Kuala_Lumpur", "2026-11-18T23:00"),
        # In Berlin the clock goes back an hour in this night, and forward in the next one.
        ("2026-10-24T21:00", "Europe/Berlin", "2026-10-25T06:00"),
        ("2026-03-28T22:00", "Europe/Berlin", "2026-03-29T05:00"),
    ],
)
def test_the_night_ends_in_the_persons_zone(moment, zone, expected):
    assert end_of_quiet(at(moment), time(22), time(7), zone) == at(expected)


def test_quiet_hours_within_a_day():
    assert end_of_quiet(at("2026-11-18T13:00"), time(12), time(14), "UTC") == at("2026-11-18T14:00")
    assert end_of_quiet(at("2026-11-18T14:00"), time(12), time(14), "UTC") == at("2026-11-18T14:00")


def test_ten_minutes_lie_between_two_messages():
    now = at("2026-11-18T12:00")
    due = find_due_time(now, AT_ONCE, NotificationSettings(), "UTC", now - timedelta(minutes=4))
    assert due == now + timedelta(minutes=6)
    assert find_due_time(now, AT_ONCE, NotificationSettings(), "UTC", None) == now


def test_what_is_urgent_comes_at_night():
    now = at("2026-11-18T23:00")
    urgent = KindRules(settle=timedelta(0), urgent=True)
    assert find_due_time(now, urgent, NIGHT, "UTC", None) == now
    assert find_due_time(now, AT_ONCE, NIGHT, "UTC", None) == at("2026-11-19T07:00")


@pytest.mark.parametrize(("begin", "end"), [("22:00", ""), ("", "07:00"), ("25:00", "07:00"), ("22", "07")])
def test_half_a_night_or_no_time_is_refused(begin, end):
    with pytest.raises(FieldErrors):
        parse_quiet_hours(begin, end)


def test_no_quiet_hours():
    assert parse_quiet_hours("", "") == (None, None)
