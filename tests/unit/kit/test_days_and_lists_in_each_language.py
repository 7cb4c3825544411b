"""Days in short shapes and lists of texts are said in the reader's language, and are English where they are stored."""

import pickle
from datetime import date
from decimal import Decimal

import pytest

from almanac.kit.messages import day_text, gettext, join_texts, translate


@pytest.mark.parametrize(
    ("language", "shape", "words"),
    [
        ("en", "short", "7 Sep"),
        ("de", "short", "7. Sept."),
        ("ja", "full", "9月7日（月曜日）"),
        ("zh", "month", "9月"),
        ("ms", "full_date", "Isnin, 7 September 2026"),
    ],
)
def test_a_day_in_a_shape(language, shape, words):
    assert translate(day_text(date(2026, 9, 7), shape), language) == words


def test_a_day_in_a_shape_is_english_where_it_is_stored_and_survives_pickling():
    day = pickle.loads(pickle.dumps(day_text(date(2026, 9, 7), "full")))
    assert str(day) == "Monday 7 September"
    assert translate(day, "de") == "Montag, 7. September"


def test_a_list_of_texts_is_said_text_by_text():
    days = join_texts([day_text(date(2026, 9, 7), "month"), "100 %"])
    assert str(days) == "Sep, 100 %"
    assert translate(days, "ja") == "9月, 100 %"


def test_an_amount_in_a_text_has_the_decimal_mark_of_the_language():
    message = gettext("%(amount)s", amount=Decimal("1000.50"))
    assert str(message) == "1000.50"
    assert translate(message, "de") == "1000,50"
