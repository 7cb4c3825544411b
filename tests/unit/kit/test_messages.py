"""Messages are English as strings and speak the reader's language where they are shown."""

import copy
import pickle
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
from markupsafe import escape

from almanac.kit import catalogs
from almanac.kit.catalogs import INTERFACE_LANGUAGES, Catalog, nearest_language
from almanac.kit.locale_formats import (
    format_day,
    format_exact,
    format_money,
    format_number,
    format_relative,
)
from almanac.kit.messages import figure_text, gettext, ngettext, pgettext, speaking, translate
from almanac.kit.money import Money

GERMAN = {
    ("", "There is no story %(id)s."): ("Es gibt keine Meldung %(id)s.",),
    ("", "%(num)s draft"): ("%(num)s Entwurf", "%(num)s Entwürfe"),
    ("state of an invoice", "Open"): ("Offen",),
    ("", "Open"): ("Öffnen",),
    ("", "due on %(day)s: %(sum)s"): ("fällig am %(day)s: %(sum)s",),
    ("", "Sorry: %(why)s"): ("Leider: %(why)s",),
    ("", "<%(x)s>"): ("<%(x)s>",),
}


@pytest.fixture(autouse=True)
def german(monkeypatch):
    monkeypatch.setattr(catalogs, "_load", lambda language: Catalog(language, GERMAN if language == "de" else {}))


def test_a_message_is_english_as_a_string_and_german_for_a_german_reader():
    message = gettext("There is no story %(id)s.", id="x7")
    assert message == "There is no story x7."
    assert type(str(message)) is str
    assert translate(message, "de-AT") == "Es gibt keine Meldung x7."
    assert translate(message, "fr") == "There is no story x7."
    with speaking("de"):
        assert escape(message) == "Es gibt keine Meldung x7."
        assert translate(message) == "Es gibt keine Meldung x7."
    assert escape(message) == "There is no story x7."


@pytest.mark.parametrize(
    ("number", "english", "in_german"),
    [(1, "1 draft", "1 Entwurf"), (0, "0 drafts", "0 Entwürfe"), (1234, "1,234 drafts", "1.234 Entwürfe")],
)
def test_a_number_decides_the_form(number, english, in_german):
    message = ngettext("%(num)s draft", "%(num)s drafts", number)
    assert (str(message), translate(message, "de")) == (english, in_german)


def test_a_context_tells_texts_apart():
    assert translate(pgettext("state of an invoice", "Open"), "de") == "Offen"
    assert translate(gettext("Open"), "de") == "Öffnen"


def test_values_are_written_as_the_language_writes_them():
    message = gettext("due on %(day)s: %(sum)s", day=date(2026, 3, 2), sum=Money(Decimal(1500), "EUR"))
    assert message == "due on 2 March 2026: 1,500.00 EUR"
    assert translate(message, "de") == "fällig am 2. März 2026: 1.500,00 EUR"
    nested = gettext("Sorry: %(why)s", why=gettext("There is no story %(id)s.", id=1))
    assert translate(nested, "de") == "Leider: Es gibt keine Meldung 1."


def test_values_are_escaped_on_a_page():
    with speaking("de"):
        assert escape(gettext("<%(x)s>", x="<b>")) == "&lt;&lt;b&gt;&gt;"


def test_a_message_survives_copies():
    message = ngettext("%(num)s draft", "%(num)s drafts", 2)
    for again in (pickle.loads(pickle.dumps(message)), copy.deepcopy(message)):
        assert translate(again, "de") == "2 Entwürfe"


def test_a_text_that_is_no_message_stays():
    assert translate("as it is", "de") == "as it is"


@pytest.mark.parametrize(("asked", "spoken"), [("zh-Hant-TW", "zh"), ("id", "ms"), ("de_CH", "de"), ("fr", "en")])
def test_the_nearest_language(asked, spoken):
    assert nearest_language(asked) == spoken


def test_dates_and_numbers_in_each_language():
    now = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
    written = {
        language: (
            format_day(now.date(), language),
            format_relative(now - timedelta(hours=2), now, "UTC", language),
            format_exact(now, "Asia/Tokyo", language),
            format_number(1234.5, language),
            format_money(Money(Decimal(1500), "JPY"), language),
        )
        for language in INTERFACE_LANGUAGES
    }
    assert written == {
        "en": (
            "2 March 2026",
            "2 hours ago",
            "Monday, 2 March 2026, 18:00:00 JST",
            "1,234.5",
            "1,500 JPY",
        ),
        "ja": ("2026年3月2日", "2時間前", "2026年3月2日(月曜日) 18:00:00 JST", "1,234.5", "1,500 JPY"),
        "zh": ("2026年3月2日", "2小时前", "2026年3月2日星期一 18:00:00 JST", "1,234.5", "1,500 JPY"),
        "ms": ("2 Mac 2026", "2 jam lalu", "Isnin, 2 Mac 2026, 18:00:00 JST", "1,234.5", "1,500 JPY"),
        "de": (
            "2. März 2026",
            "vor 2 Stunden",
            "Montag, 2. März 2026, 18:00:00 JST",
            "1.234,5",
            "1.500 JPY",
        ),
    }


def test_a_figure_is_written_as_the_reader_writes_numbers():
    for figure, english, german in (
        (1234.5, "1,234.5", "1.234,5"),
        (3, "3", "3"),
        (Decimal("1672.90"), "1,672.90", "1.672,90"),
    ):
        text = figure_text(figure)
        assert text == translate(text, "en") == english
        assert translate(text, "de") == german
        assert translate(pickle.loads(pickle.dumps(text)), "de") == german
