"""The choice of the page language, and placeholders in phrases."""

from datetime import UTC, date, datetime

import pytest
from starlette.requests import Request

from almanac.accounts.model import Preferences, Principal
from almanac.accounts.permissions import Role
from almanac.http.i18n import TranslationCatalog
from almanac.http.language_choice import accepted_languages

PHRASES = TranslationCatalog(
    {"en": {"found": ["{count:,} meeting", "{count:,} meetings"]}, "ja": {"found": "{count:,}件の会議"}}
)


def a_request(query: str = "", cookie: str = "", accepts: str = "") -> Request:
    headers = [(b"cookie", f"almanac_language={cookie}".encode()), (b"accept-language", accepts.encode())]
    return Request(
        {
            "type": "http",
            "method": "GET",
            "path": "/recap",
            "query_string": query.encode(),
            "headers": headers,
            "server": ("testserver", 80),
            "scheme": "http",
        }
    )


def a_reader(language: str) -> Principal:
    preferences = Preferences(language=language)
    return Principal(user_id="u", email="", name="Ada", role=Role.MEMBER, via="session", preferences=preferences)


@pytest.mark.parametrize(
    ("query", "cookie", "account", "accepts", "language"),
    [
        ("lang=en", "ja", "ja", "ja", "en"),
        ("", "ja", "", "en", "ja"),
        ("", "", "ja", "en", "ja"),
        ("", "", "", "ja-JP,ja;q=0.9,en;q=0.8", "ja"),
        ("lang=tlh", "xx", "zh", "de, ja;q=0.1", "ja"),
        ("", "", "", "", "en"),
    ],
)
def test_the_address_then_the_cookie_then_the_account_then_the_browser(query, cookie, account, accepts, language):
    assert PHRASES.choose(a_request(query, cookie, accepts), a_reader(account)).language == language


def test_nobody_in_particular_gets_what_the_browser_asks_for():
    assert PHRASES.choose(a_request(accepts="ja"), None).language == "ja"


@pytest.mark.parametrize("header", ["", ",;,", "ja;q=lots", "*;q=0.1", ";q=1" * 500])
def test_an_odd_header_is_no_error(header):
    assert isinstance(accepted_languages(header), list)


def test_a_phrase_agrees_with_its_number():
    english = PHRASES.translator("en")
    assert [english("found", count=n) for n in (1, 2, 1200)] == ["1 meeting", "2 meetings", "1,200 meetings"]
    assert PHRASES.translator("ja")("found", count=1) == "1件の会議"


def test_days_are_written_as_the_language_writes_them():
    day, moment = date(2025, 4, 1), datetime(2025, 3, 31, 16, 5, tzinfo=UTC)
    assert PHRASES.translator("en").day(day) == "Tue, 1 April 2025"
    assert PHRASES.translator("ja").moment(moment, "Asia/Tokyo") == "2025年4月1日（火） 01:05"


def test_a_page_links_to_itself_in_the_other_language():
    links = PHRASES.links(a_request("q=予算&lang=ja"), PHRASES.translator("ja"))
    assert [(code, on) for code, _, _, on in links] == [("en", False), ("ja", True)]
    assert "lang=en" in links[0][2]
    assert "q=" in links[0][2]
