"""Backups of the last days stay, then one of each week and month; the newest good one always stays."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from almanac.backup import RetentionPolicy
from almanac.backup.names import archive_name, parse_name
from almanac.backup.retention import choose_removed

NOW = datetime(2026, 11, 18, 2, 15, tzinfo=UTC)


def backup(days, kind="almanac", *, bad=False):
    name = archive_name(kind, NOW - timedelta(days=days), encrypted=False)
    return parse_name(f"bad-{name}" if bad else name, 1)


def kept(backups, policy):
    removed = choose_removed(backups, policy, NOW)
    return [(NOW - b.created_at).days for b in backups if b not in removed]


def test_days_only():
    assert kept([backup(days) for days in range(30)], RetentionPolicy(14)) == list(range(15))


def test_one_of_each_week_and_month_beyond_the_days():
    days = kept([backup(days) for days in range(400)], RetentionPolicy(7, weeks=4, months=12))
    assert days[:8] == list(range(8))
    weekly = [day for day in days if 7 < day <= 28]
    assert 3 <= len(weekly) <= 5
    assert 11 <= len([day for day in days if day > 28]) <= 13
    assert max(days) > 330


def test_the_newest_good_one_of_each_kind_stays_however_old():
    backups = [backup(100), backup(90), backup(95, "before-upgrade"), backup(80, bad=True)]
    assert kept(backups, RetentionPolicy(14)) == [90, 95]


def test_a_name_of_somebody_else_is_not_ours():
    for name in ("mine.tar.gz", "almanac-20261399-021500.tar.gz", "almanac-20261118-021500.tar.gz.x.part", "bad-news"):
        assert parse_name(name, 1) is None


@given(st.lists(st.integers(0, 1000), max_size=40, unique=True), st.integers(0, 30), st.integers(0, 60))
def test_removing_twice_removes_nothing_more(days, keep_days, weeks):
    policy = RetentionPolicy(keep_days, weeks=weeks, months=weeks // 4)
    backups = [backup(day) for day in days]
    first = choose_removed(backups, policy, NOW)
    left = [b for b in backups if b not in first]
    assert choose_removed(left, policy, NOW) == []
    assert not backups or left
