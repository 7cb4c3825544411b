"""Feeds take the filters of the list in three forms, and pages link the feed of what they are about."""

import json
from html import unescape
from re import search
from urllib.parse import quote

import feedparser
import pytest

from almanac.desks.recap.service.articles import open_article

ROOT = "/public/en/recap"


def entries(answer):
    if answer.headers["content-type"].startswith("application/feed+json"):
        return {item["url"] for item in json.loads(answer.content)["items"]}
    return {entry.link for entry in feedparser.parse(answer.content).entries}


def address(meeting):
    return f"http://testserver{ROOT}/articles/{meeting.issue_id}"


def linked_feed(page):
    """The address and the title of the feed that a page names to programs."""
    match = search(r'<link rel="alternate" type="application/atom\+xml" href="([^"]+)" title="([^"]+)">', page.text)
    return unescape(match[1]), unescape(match[2])


@pytest.mark.parametrize("form", ["atom", "rss", "json"])
async def test_a_feed_takes_the_filters_of_the_list(stranger, meetings, form):
    for meeting in meetings:
        answer = await stranger.get(f"{ROOT}/feed.{form}", params={"house": meeting.house})
        assert entries(answer) == {address(meeting)}
    assert entries(await stranger.get(f"{ROOT}/feed.{form}")) == set(map(address, meetings))
    assert entries(await stranger.get(f"{ROOT}/feed.{form}", params={"person": "nobody"})) == set()
    words = await stranger.get(f"{ROOT}/feed.{form}", params={"q": "zzzz"})
    assert words.status_code == 200
    assert entries(words) == set()


async def test_a_feed_is_named_after_its_filter(stranger, meetings):
    house = meetings[0].house
    feed = feedparser.parse((await stranger.get(f"{ROOT}/feed.atom", params={"house": house, "q": "法案"})).content)
    assert feed.feed.title in {
        "Parliament · House of Representatives · 法案",
        "Parliament · House of Councillors · 法案",
    }
    assert feed.feed.id == f"http://testserver{ROOT}/feed.atom?house={quote(house)}&q={quote('法案')}"
    assert (await stranger.get(f"{ROOT}/feed.yaml")).status_code == 404
    assert (await stranger.get(f"{ROOT}/feed.atom", params={"from": "x"})).status_code == 404


async def test_pages_link_the_feed_of_what_they_are_about(installation, stranger, meetings):
    article = await open_article(installation, meetings[0].issue_id)
    url, title = linked_feed(await stranger.get(f"{ROOT}/articles/{meetings[0].issue_id}"))
    assert (url, title) == (f"{ROOT}/feed.atom", "Parliament")
    person = article.recap.participants[0].name
    url, title = linked_feed(await stranger.get(f"{ROOT}/people/{quote(person)}"))
    assert title == f"Parliament · {person}"
    assert address(meetings[0]) in entries(await stranger.get(url))
    bill = article.recap.facts.bills[0]
    page = await stranger.get(f"{ROOT}/bills/{quote(bill.key, safe='')}")
    url, title = linked_feed(page)
    assert title.startswith("Parliament · ")
    assert bill.key not in title
    assert address(meetings[0]) in entries(await stranger.get(url))
    assert f">{title}</a>" in page.text
    for section in ("articles", "speeches"):
        url, title = linked_feed(await stranger.get(f"{ROOT}/{section}", params={"q": "法案"}))
        assert (url, title) == (f"{ROOT}/feed.atom?q={quote('法案')}", "Parliament · 法案")


async def test_words_in_speeches_can_be_followed_by_mail(stranger, meetings):
    page = (await stranger.get(f"{ROOT}/speeches", params={"q": "法案"})).text
    assert f"{ROOT}/alerts/new?kind=words&amp;target={quote('法案')}" in page
    combined = (await stranger.get(f"{ROOT}/speeches", params={"q": "法案", "reaction": "質問"})).text
    assert "/alerts/new?" not in combined
