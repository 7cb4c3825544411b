"""Times are shown relative, with the exact time in the person's zone."""

from datetime import UTC, datetime, timedelta

import pytest

from almanac.http.jinja import duration, exact_time, relative_time, time_element
from almanac.kit.messages import speaking

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "just now"),
        (30, "30 seconds ago"),
        (60, "1 minute ago"),
        (7200, "2 hours ago"),
        (86400, "1 day ago"),
        (-180, "in 3 minutes"),
        (40 * 86400, "21 January 2026"),
    ],
)
def test_times_are_told_as_people_do(seconds, words):
    assert relative_time(NOW - timedelta(seconds=seconds), NOW, "UTC") == words


@pytest.mark.parametrize(("language", "words"), [("ms", "baru sahaja"), ("de", "gerade eben")])
def test_a_moment_ago_is_told_in_the_language_of_the_reader(language: str, words: str) -> None:
    with speaking(language):
        assert relative_time(NOW, NOW, "UTC") == words


def test_a_date_is_that_of_the_persons_clocks():
    evening = datetime(2025, 12, 31, 20, 0, tzinfo=UTC)
    element = time_element(evening, NOW, "Asia/Tokyo")
    assert ">1 January 2026<" in element
    assert "Thursday, 1 January 2026, 05:00:00 JST" in element


def test_the_exact_time_is_in_the_persons_zone():
    assert exact_time(NOW, "Asia/Tokyo") == "Monday, 2 March 2026, 18:00:00 JST"


def test_a_time_carries_both():
    element = time_element(NOW, NOW, "UTC")
    assert 'datetime="2026-03-02T09:00:00+00:00"' in element
    assert "just now" in element


def test_no_time_is_never():
    assert "never" in time_element(None, NOW, "UTC")


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.42, "0.4 s"), (12.2, "12 s"), (200, "3 min 20 s"), (7300, "2 h 1 min"), (None, "")]
)
def test_durations_are_as_exact_as_they_are_useful(seconds, words):
    assert duration(seconds) == words
