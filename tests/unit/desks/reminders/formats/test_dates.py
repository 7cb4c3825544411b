"""Dates are parsed as meant, or rejected with a sentence."""

from datetime import date

import pytest

from almanac.desks.reminders.formats.dates import AmbiguousDate, InvalidDate, detect_day_order, parse_date


@pytest.mark.parametrize(
    "text",
    [
        "2025-09-21",
        "2025/9/21",
        "20250921",
        "2025-09-21T10:00:00Z",
        "21.09.2025",
        "21.9.25",
        "21. 9. 2025",
        "21/09/2025",
        "09/21/2025",
        "21-Sep-2025",
        "21 September 2025",
        "Sep 21, 2025",
        "21. Dis 2025",
        "2025年9月21日",
        "Sun, 21 Sep 2025",
        "21st September 2025",
        "21 septembre 2025",
        "21 de septiembre de 2025",
        "2025-09-21+08:00",
    ],
)
def test_one_day_in_many_forms(text):
    assert parse_date(text, None) == date(2025, 12 if "Dis" in text else 9, 21)


@pytest.mark.parametrize(
    "text", ["31.02.2025", "2025-13-01", "yesterday", "45921", "21.09.1025", "2025-09", "32/01/2025"]
)
def test_what_is_no_day_is_refused(text):
    with pytest.raises(InvalidDate):
        parse_date(text, None)


def test_a_date_that_could_be_two_is_refused_until_somebody_says_which():
    with pytest.raises(AmbiguousDate, match="choose which one"):
        parse_date("03/04/2025", None)
    assert parse_date("03/04/2025", "dmy") == date(2025, 4, 3)
    assert parse_date("03/04/2025", "mdy") == date(2025, 3, 4)
    assert parse_date("04/04/2025", None) == date(2025, 4, 4)


@pytest.mark.parametrize(
    ("cells", "order"),
    [
        (["03/04/2025", "21/04/2025"], "dmy"),
        (["03/04/2025", "04/21/2025"], "mdy"),
        (["21/04/2025", "04/21/2025"], None),
        (["03/04/2025"], None),
        (["21.04.2025"], None),
    ],
)
def test_a_column_tells_its_order_when_its_clear_dates_agree(cells, order):
    assert detect_day_order(cells) == order
