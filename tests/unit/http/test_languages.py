"""The language of a page: chosen by the address, the account, a cookie, else the browser."""

from datetime import date

import pytest
from starlette.requests import Request

from almanac.accounts.model import Preferences, Principal
from almanac.accounts.permissions import Role
from almanac.http.auth import Identity
from almanac.http.language_choice import accepted_languages, choose_language, preferred_language
from almanac.kit.locale_formats import format_weekday


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


def choose(query: str, cookie: str, account: str, accepts: str) -> Request:
    request = a_request(query, cookie, accepts)
    request.state.identity = Identity(principal=a_reader(account))
    return request


@pytest.mark.parametrize(
    ("query", "cookie", "account", "accepts", "language"),
    [
        ("lang=en", "ja", "ja", "ja", "en"),
        ("", "ja", "", "en", "ja"),
        ("", "", "ja", "en", "ja"),
        ("", "de", "ja", "en", "ja"),
        ("", "", "", "ja-JP,ja;q=0.9,en;q=0.8", "ja"),
        ("", "", "", "id", "ms"),
        ("lang=tlh", "xx", "zh", "de, ja;q=0.1", "zh"),
        ("", "", "", "", "en"),
    ],
)
def test_the_address_then_the_account_then_the_cookie_then_the_browser(query, cookie, account, accepts, language):
    assert choose_language(choose(query, cookie, account, accepts)) == language


def test_a_page_whose_address_names_the_language_of_a_story_is_in_the_readers_language():
    assert preferred_language(choose("lang=zh", "", "de", "ja")) == "de"


def test_nobody_in_particular_gets_what_the_browser_asks_for():
    assert choose_language(a_request(accepts="ja")) == "ja"


@pytest.mark.parametrize("header", ["", ",;,", "ja;q=lots", "*;q=0.1", ";q=1" * 500])
def test_an_odd_header_is_no_error(header):
    assert isinstance(accepted_languages(header), list)


def test_days_are_written_as_the_language_writes_them():
    assert format_weekday(date(2025, 4, 1), "en") == "Tue, 1 April 2025"
    assert format_weekday(date(2025, 4, 1), "ja") == "2025年4月1日（火）"
