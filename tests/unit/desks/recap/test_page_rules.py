"""Small rules behind the pages: addresses of filters, what a person was when, what a trend is."""

from datetime import date
from urllib.parse import parse_qs, urlsplit

from almanac.desks.recap.model.filters import ArticleFilter, parse_filter
from almanac.desks.recap.model.views import PersonOffice
from almanac.desks.recap.pages.articles import feed_urls, save_url
from almanac.desks.recap.published.list_view import filter_chips, without_value
from almanac.desks.recap.published.person_view import group_offices
from almanac.desks.recap.urls import RecapUrls
from almanac.kit.messages import translate

WANTED = ArticleFilter(
    house=("参議院",), category=("外交", "税制"), text="条約", since=date(2026, 1, 2), order="oldest"
)


def asked(address: str) -> dict[str, list[str]]:
    return parse_qs(urlsplit(address).query)


def test_each_chip_takes_one_filter_away_and_leaves_the_others():
    chips = filter_chips(WANTED, RecapUrls())
    shown = [words for words, _ in chips]
    assert shown == [
        "Subject: Foreign affairs",
        "Subject: Taxation",
        "House: House of Councillors",
        "Words: 条約",
        "From: Fri, 2 January 2026",
    ]
    assert "2026年1月2日（金）" in translate(shown[-1], "ja")
    rest = parse_filter(asked(chips[0][1]))
    assert rest.category == ("税制",)
    assert (rest.house, rest.text, rest.since, rest.order) == (WANTED.house, WANTED.text, WANTED.since, WANTED.order)


def test_a_value_is_taken_away_in_whatever_width_it_was_asked_for():
    wanted = ArticleFilter(keyword=("ａｉ", "消費税"))
    assert without_value(wanted, "keyword", "AI").keyword == ("消費税",)


def test_a_filter_is_saved_as_a_search_of_sittings():
    saved = asked(save_url(WANTED))
    assert saved["q"] == ["条約 date:2026-01-02.."]
    assert saved["kind"] == ["recap"]
    assert saved["category"] == ["外交", "税制"]


def test_a_feed_has_the_filter_but_no_order():
    assert all(asked(href)["q"] == ["条約"] and "order" not in asked(href) for _, href in feed_urls(WANTED))


def test_whatever_a_name_holds_its_address_stays_one_part():
    assert RecapUrls().person("A/B?C#D") == "/recap/people/A%2FB%3FC%23D"
    assert RecapUrls().bill("251:予算 案") == "/recap/bills/251%3A%E4%BA%88%E7%AE%97%20%E6%A1%88"


def an_office(day: int, position: str) -> PersonOffice:
    return PersonOffice(day=date(2026, 1, day), group="みらい会", position=position, role="", article_id="a")


def test_days_with_the_same_offices_are_one_stretch_and_a_return_is_another():
    periods = group_offices([an_office(1, ""), an_office(9, ""), an_office(5, "大臣"), an_office(3, "")])
    assert [(period.office.position, period.first.day, period.last.day) for period in periods] == [
        ("", 9, 9),
        ("大臣", 5, 5),
        ("", 1, 3),
    ]
