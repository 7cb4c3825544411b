"""A fixed clock stands still until it is moved; every clock speaks UTC."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from almanac.kit.clock import FixedClock, SystemClock


def test_a_fixed_clock_moves_only_when_told():
    clock = FixedClock(datetime(2026, 3, 1, 9, tzinfo=timezone(timedelta(hours=9))))
    assert clock.now() == clock.now() == datetime(2026, 3, 1, 0, tzinfo=UTC)
    assert clock.advance(days=1, seconds=5) == datetime(2026, 3, 2, 0, 0, 5, tzinfo=UTC)


def test_a_naive_start_is_refused():
    with pytest.raises(ValueError, match="aware"):
        FixedClock(datetime(2026, 3, 1))


def test_the_system_clock_is_aware_and_in_utc():
    assert SystemClock().now().utcoffset() == timedelta(0)
