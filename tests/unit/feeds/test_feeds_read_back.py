"""What is written is read back the same by a strict XML parser, by feedparser and by the rules of JSON Feed 1.1."""

import json
from datetime import UTC, datetime, timedelta, timezone
from html import unescape
from xml.etree import ElementTree as ET

import feedparser
import pytest
from hypothesis import given
from hypothesis import strategies as st

from almanac.feeds.model import Feed, FeedItem, clean_names, rfc3339, strip_unwritable
from almanac.feeds.writers import write_atom, write_json_feed, write_rss
from almanac.kit.text import one_line

HARD = "<b>Bold</b> & “quoted” 水の値段 \x00\x0b\ud800\ufffe]]> &amp; é"
ATOM = "{http://www.w3.org/2005/Atom}"


def read(xml: bytes):
    return feedparser.parse(xml, sanitize_html=False, resolve_relative_uris=False)


MOMENTS = st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)).map(
    lambda moment: moment.replace(microsecond=0)
)
TEXTS = st.text(max_size=60) | st.just(HARD)
ITEMS = st.builds(
    FeedItem,
    id=st.text(min_size=1, max_size=20),
    title=TEXTS,
    link=st.just("/news/1"),
    summary=TEXTS,
    published=MOMENTS,
    updated=MOMENTS | st.none(),
    authors=st.lists(TEXTS, max_size=2).map(tuple),
    categories=st.lists(TEXTS, max_size=3).map(tuple),
)
FEEDS = st.builds(
    Feed,
    title=TEXTS,
    link=st.just("https://example.org/search?q=a&b=c"),
    description=TEXTS,
    self_link=st.just("https://example.org/feeds/x.rss"),
    items=st.lists(ITEMS, max_size=4).map(tuple),
)


@given(FEEDS)
def test_rss_is_read_back_as_it_was_meant(feed):
    channel = ET.fromstring(write_rss(feed)).find("channel")
    assert channel.findtext("title") == feed.heading
    assert channel.findtext("link") == feed.link
    assert channel.findtext("description")
    for entry, item in zip(channel.findall("item"), feed.items, strict=True):
        assert entry.findtext("title") == (one_line(strip_unwritable(item.title)) or "Untitled")
        assert entry.findtext("guid") == item.uri
        assert entry.find("guid").get("isPermaLink") == "false"
        assert entry.findtext("link") == "https://example.org/news/1"
        assert unescape(entry.findtext("description") or "") == item.text
        assert [category.text for category in entry.findall("category")] == clean_names(item.categories)


@given(FEEDS)
def test_atom_is_read_back_as_it_was_meant(feed):
    root = ET.fromstring(write_atom(feed))
    assert root.findtext(f"{ATOM}title") == feed.heading
    assert root.findtext(f"{ATOM}author/{ATOM}name")
    assert root.findtext(f"{ATOM}updated") == rfc3339(feed.updated)
    for entry, item in zip(root.findall(f"{ATOM}entry"), feed.items, strict=True):
        assert entry.findtext(f"{ATOM}id") == item.uri
        assert entry.findtext(f"{ATOM}title") == (one_line(strip_unwritable(item.title)) or "Untitled")
        assert entry.findtext(f"{ATOM}published") == rfc3339(item.published)
        assert entry.findtext(f"{ATOM}updated") == rfc3339(item.updated or item.published)
        assert (entry.findtext(f"{ATOM}summary") or "") == item.text
        assert [category.get("term") for category in entry.findall(f"{ATOM}category")] == clean_names(item.categories)


@given(FEEDS)
def test_json_feed_keeps_the_rules_of_its_version(feed):
    written = json.loads(write_json_feed(feed))
    assert written["version"] == "https://jsonfeed.org/version/1.1"
    assert written["title"] == feed.heading
    for entry, item in zip(written["items"], feed.items, strict=True):
        assert entry["id"] == item.uri
        assert ("content_text" in entry) != ("content_html" in entry)
        assert datetime.fromisoformat(entry["date_published"]) == item.published
        assert entry.get("tags", []) == clean_names(item.categories)
        assert [author["name"] for author in entry.get("authors", [])] == clean_names(item.authors)


def test_feedparser_reads_rss(make_feed, make_item):
    item = make_item(title="水の値段 & <more>", summary="In short", html="<p>Long</p>", authors=("Ada", "王"))
    parsed = read(write_rss(make_feed(item, title="Water & wells", description="All of it")))
    assert (parsed.bozo, parsed.version) == (False, "rss20")
    assert (parsed.feed.title, parsed.feed.description) == ("Water & wells", "All of it")
    [entry] = parsed.entries
    assert (entry.title, entry.id, entry.link) == (
        "水の値段 & <more>",
        "urn:almanac:news%3A1",
        "https://example.org/news/1",
    )
    assert entry.published == "Sun, 01 Mar 2026 08:30:00 GMT"
    assert entry.content[0].value == "<p>Long</p>"
    assert [author.name for author in entry.authors] == ["Ada", "王"]


def test_feedparser_reads_atom(make_feed, make_item):
    item = make_item(
        title="水の値段 & <more>",
        summary="In short",
        html="<p>Long</p>",
        categories=("Wasser",),
        published=datetime(2026, 3, 1, 9, 30, tzinfo=timezone(timedelta(hours=1))),
    )
    parsed = read(write_atom(make_feed(item)))
    assert (parsed.bozo, parsed.version) == (False, "atom10")
    [entry] = parsed.entries
    assert (entry.title, entry.summary, entry.content[0].value) == ("水の値段 & <more>", "In short", "<p>Long</p>")
    assert (entry.published, entry.tags[0].term) == ("2026-03-01T08:30:00Z", "Wasser")
    assert {link.rel: link.href for link in parsed.feed.links}["self"] == "https://example.org/feeds/abc.rss"


@pytest.mark.parametrize("write", [write_rss, write_atom, write_json_feed])
def test_an_empty_feed_is_a_feed(write, make_feed):
    content = write(make_feed())
    assert content
    assert write is write_json_feed or not read(content).bozo


@pytest.mark.parametrize("write", [write_rss, write_atom, write_json_feed])
def test_scripts_never_reach_a_reader(write, make_feed, make_item):
    html = '<p onclick="x()">Hi<script>alert(1)</script><iframe src="//evil"></iframe></p><a href="javascript:x">y</a>'
    content = write(make_feed(make_item(html=html))).decode()
    for piece in ("alert", "onclick", "iframe", "javascript"):
        assert piece not in content


@pytest.mark.parametrize("link", ["javascript:alert(1)", "data:text/html,x", "", "mailto:a@example.org", "https://[x"])
def test_a_link_that_leads_nowhere_on_the_web_is_the_feeds_own(link, make_feed, make_item):
    [entry] = json.loads(write_json_feed(make_feed(make_item(link=link))))["items"]
    assert entry["url"] == "https://example.org/search?q=water"


def test_the_same_content_is_the_same_bytes(make_feed, make_item):
    assert write_rss(make_feed(make_item())) == write_rss(make_feed(make_item()))
