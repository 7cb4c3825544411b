"""The day of publication in words, figures and addresses, as papers of many countries write it."""

from datetime import date

import pytest

from almanac.documents.dates import find_date, find_date_in_url

DAY = date(2026, 11, 2)


@pytest.mark.parametrize(
    "written",
    [
        "2 November 2026",
        "2nd of November 2026",
        "NOVEMBER 2 2026",
        "Nov. 2, 2026",
        "2-Nov-2026 10:00",
        "2/Nov/2026",
        "Isnin, 2hb. Nov 2026",
        "2. November 2026",
        "lundi 2 novembre 2026",
        "2 de noviembre de 2026",
        "2 de novembro de 2026",
        "2026 年 11 月 2 日",
        "2026年 11月 2日",
        "二零二六年十一月二日",
        "2026년 11월 2일",
        "2026. 11. 2.",
        "2026.11.02",
        "2026-11-02T23:59:00-08:00",
    ],
)
def test_a_day_is_read_in_the_words_of_its_country(written):
    assert find_date(written) == DAY


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("1er mars 2026", date(2026, 3, 1)),
        ("3 März 2026", date(2026, 3, 3)),
        ("12 août 2026", date(2026, 8, 12)),
        ("9 Agustus 2026", date(2026, 8, 9)),
        ("13. 10. 2026", date(2026, 10, 13)),
        ("二〇二六年三月二三日", date(2026, 3, 23)),
        ("二〇二五年一二月三日", date(2025, 12, 3)),
        ("二〇二六年三月廿一日", date(2026, 3, 21)),
        ("二〇二六年三月十一二日", None),
        ("11/02/2026", None),
        ("30 February 2026", None),
    ],
)
def test_other_days_and_none(written, day):
    assert find_date(written) == day


@pytest.mark.parametrize(
    ("path", "day"),
    [
        ("/2026/11/02/a", DAY),
        ("/2026/11/2/a", DAY),
        ("/2026/nov/02/a", DAY),
        ("/c/2026-11-02/content_1.htm", DAY),
        ("/t20261102_123.html", DAY),
        ("/solar-20261102.html", DAY),
        ("/2026/11/a", None),
        ("/id/20269999", None),
    ],
)
def test_a_day_is_read_in_an_address(path, day):
    assert find_date_in_url(f"https://example.com{path}") == day
