"""Finding meetings on the pages: combined filters that live in the address, facets, orders, languages."""

import html
import json
import re
from urllib.parse import parse_qs, urlsplit

import pytest

from almanac.desks.recap.store import register_search


def titles(page: str) -> list[str]:
    return [html.unescape(matched) for matched in re.findall(r'class="story-title"[^>]*><a[^>]*>([^<]*)</a>', page)]


def hrefs(page: str, words: str) -> list[str]:
    """Addresses of links that show these words."""
    links = re.findall(r'<a[^>]*href="([^"]*)"[^>]*>(.*?)</a>', page, re.DOTALL)
    return [html.unescape(href) for href, shown in links if words in re.sub(r"<[^>]*>", "", shown)]


async def test_the_first_page_shows_the_latest_meetings(reader, sittings):
    page = await reader.open("/recap", lang="ja")
    newest = max(sittings.values(), key=lambda item: item.meeting.date)
    assert titles(page)[0] == newest.recap.title
    assert "話題の言葉" in page
    assert "発言の多い人" in page


async def test_filters_hold_together_and_live_in_the_address(reader, sittings):
    everything = titles(await reader.open("/recap/articles"))
    upper = titles(await reader.open("/recap/articles?house=参議院"))
    committee = titles(await reader.open("/recap/articles?house=参議院&meeting=国土交通委員会"))
    assert len(everything) == 4
    assert len(upper) == 2
    assert committee == [sittings["sangiin-kokkou"].recap.title]


async def test_a_facet_leads_to_the_narrower_list_and_back(reader, sittings):
    page = await reader.open("/recap/articles?from=2026-04-01&until=2026-05-31", lang="ja")
    (narrower,) = [href for href in hrefs(page, "参議院") if "house=" in href and "/recap/articles?" in href][-1:]
    asked = parse_qs(urlsplit(narrower).query)
    assert asked == {"house": ["参議院"], "from": ["2026-04-01"], "until": ["2026-05-31"]}
    again = await reader.open(narrower, lang="ja")
    assert len(titles(again)) == 2
    (removed,) = hrefs(again, "院：参議院")
    assert "house" not in parse_qs(urlsplit(removed).query)


async def test_all_filters_are_cleared_at_once(reader):
    page = await reader.open("/recap/articles?house=参議院&from=2026-04-01", lang="en")
    assert hrefs(page, "Clear all") == ["/recap/articles"]


async def test_what_a_list_shows_is_downloaded_with_all_its_texts(reader):
    page = await reader.open("/recap/articles?house=参議院&order=oldest")
    (href,) = hrefs(page, "Download these meetings")
    lines = (await reader.open(href)).splitlines()
    assert [json.loads(line)["title"] for line in lines] == titles(page)


async def test_of_very_many_the_page_says_what_was_counted(reader, monkeypatch):
    monkeypatch.setattr(register_search, "COUNTED_ARTICLES", 1)
    page = await reader.open("/recap/articles?house=衆議院&house=参議院", lang="en")
    assert "More than 1 meetings" in page
    assert "Counted among the newest 1." in page


async def test_both_orders(reader):
    newest = titles(await reader.open("/recap/articles"))
    assert titles(await reader.open("/recap/articles?order=oldest")) == newest[::-1]


async def test_words_are_found_and_marked_whatever_their_width(reader):
    page = await reader.open("/recap/articles?q=３２０億円")
    assert "<mark>" in page


async def test_nothing_found_says_what_to_do(reader):
    page = await reader.open("/recap/articles?keyword=存在しない言葉")
    assert "No meetings match" in page
    assert 'href="/recap/articles"' in page


@pytest.mark.parametrize("query", ["from=yesterday", "from=2026-05-01&until=2026-04-01", "order=sideways", "q=("])
async def test_a_filter_that_makes_no_sense_is_told_on_the_page(reader, query):
    page = await reader.open(f"/recap/articles?{query}", status=422)
    assert "notice-failed" in page


async def test_the_list_can_be_saved_with_all_its_filters(reader):
    page = await reader.open("/recap/articles?house=参議院&q=交通&from=2026-05-01")
    (save,) = hrefs(page, "Save this query")
    form = await reader.open(save)
    assert "house=参議院" in html.unescape(form)
    assert 'value="交通 date:2026-05-01.."' in form


async def test_the_language_is_chosen_by_the_browser_then_by_the_address_and_remembered(reader):
    assert 'lang="ja"' in re.search("<html[^>]*>", await reader.open("/recap", lang="ja,en;q=0.5"))[0]
    assert "Latest meetings" in await reader.open("/recap?lang=en", lang="ja")
    assert "Latest meetings" in await reader.open("/recap", lang="ja")
    reader.http.cookies.delete("almanac_language")
    assert "新着の会議" in await reader.open("/recap", lang="ja")
