"""A day whose time nobody knows is told as a day; languages are called by their names."""

from datetime import UTC, datetime

import pytest

from almanac.http.jinja import found_time_element
from almanac.kit.locale_formats import name_language

NOW = datetime(2026, 3, 10, 11, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("moment", "words"),
    [
        (datetime(2026, 3, 10, tzinfo=UTC), ">today<"),
        (datetime(2026, 3, 9, tzinfo=UTC), ">yesterday<"),
        (datetime(2026, 3, 11, tzinfo=UTC), ">tomorrow<"),
        (datetime(2026, 3, 7, tzinfo=UTC), ">3 days ago<"),
        (datetime(2026, 3, 10, 8, 30, tzinfo=UTC), ">2 hours ago<"),
    ],
)
def test_a_day_is_told_as_a_day_and_a_time_as_a_time(moment, words):
    assert words in found_time_element(moment, NOW, "UTC")


def test_today_is_the_readers_day():
    assert ">yesterday<" in found_time_element(datetime(2026, 3, 10, tzinfo=UTC), NOW, "Pacific/Kiritimati")


def test_a_language_has_a_name_in_the_readers_language():
    assert name_language("de", "en") == "German"
    assert name_language("de", "ja") == "ドイツ語"
    assert name_language("qq", "en") == "qq"
