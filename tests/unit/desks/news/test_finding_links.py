"""What feeds, pages, search endpoints and OPML lists name."""

from datetime import date

import pytest

from almanac.articles import PageRequest
from almanac.articles.feed import parse_feed
from almanac.desks.news.formats.opml import parse_opml, render_opml
from almanac.desks.news.model.tasks import LinkSource, LinkSourceKind, QueryTask
from almanac.desks.news.sources.search import parse_results, search_url
from almanac.desks.news.sources.sites import find_article_links
from almanac.errors import InputError

BASE = "https://example.com/feed.xml"


def test_a_feed_names_links_with_titles_and_dates():
    feed = b"""<rss version="2.0"><channel><title>Energy</title>
    <item><title>Solar &amp; wind</title><link>/a?x=1&amp;y=2</link>
    <pubDate>Mon, 02 Feb 2026 08:00:00 GMT</pubDate></item>
    <item><title>Script</title><link>javascript:alert(1)</link></item><item><title>None</title></item></channel></rss>"""
    read = parse_feed(PageRequest(url=BASE, content=feed))
    assert read.title == "Energy"
    assert [(entry.url, entry.title, entry.published) for entry in read.entries] == [
        ("https://example.com/a?x=1&y=2", "Solar & wind", date(2026, 2, 2))
    ]


def test_a_json_feed_is_a_feed():
    feed = b'{"version":"https://jsonfeed.org/version/1.1","title":"J","items":[{"id":"1","url":"/b","title":"B"},{"id":2}]}'
    assert [entry.url for entry in parse_feed(PageRequest(url=BASE, content=feed)).entries] == ["https://example.com/b"]


@pytest.mark.parametrize("content", [b"", b"<html><body>no</body></html>", b"{", b'{"a":1}', b"\x00\x01"])
def test_what_is_no_feed_is_told_apart(content):
    assert parse_feed(PageRequest(url=BASE, content=content)) is None


def test_a_page_names_its_articles_and_not_its_sections():
    page = """<title>News</title><a href="/tag/solar-energy-in-malaysia">All about solar energy here</a>
    <a href="/2026/03/01/kedah-opens-solar-farm">Kedah opens its largest solar farm</a>
    <a href="/2026/03/01/kedah-opens-solar-farm?utm_source=home">Kedah opens its largest solar farm in March</a>
    <a href="https://elsewhere.org/2026/03/01/other-story-here">A story at another place entirely</a>
    <a href="/login">Please sign in to read more</a><a href="/news/12345">马来西亚最大的太阳能发电厂启用</a><a>no</a>"""
    title, links = find_article_links(page, "https://example.com/")
    assert title == "News"
    assert [link.title for link in links] == [
        "Kedah opens its largest solar farm in March",
        "马来西亚最大的太阳能发电厂启用",
    ]


def test_an_endpoint_is_asked_in_its_own_way():
    assert (
        search_url("http://127.0.0.1:8888", "a b") == "http://127.0.0.1:8888/search?q=a+b&format=json&categories=news"
    )
    assert search_url("https://s.example/find?key=1", "a").startswith("https://s.example/find?key=1&q=a")


def task_of(name, *sources):
    return QueryTask(
        id=1,
        task_name=name,
        prompt_template="x",
        is_active=True,
        schedule=None,
        time_zone=None,
        last_run=None,
        next_run=None,
        total_runs=0,
        total_links_found=0,
        created_at=None,
        updated_at=None,
        version=1,
        sources=sources,
    )


def test_a_result_that_has_no_address_costs_only_itself():
    answer = b"""{"results": [{"kvmap": {"a": 1}, "url": null}, {"url": "https://example.com/a", "title": null},
    {"url": "https://example.com/b", "title": 5}, "text",
    {"url": "https://example.com/c", "publishedDate": "2026-02-03"}]}"""
    links = [(link.url, link.published) for link in parse_results(answer)]
    assert links == [("https://example.com/a", None), ("https://example.com/c", date(2026, 2, 3))]


def test_an_answer_that_is_no_json_is_told():
    with pytest.raises(InputError, match="JSON"):
        parse_results(b"<html>")


def test_a_title_that_xml_cannot_hold_leaves_the_list_readable():
    strange = LinkSource(kind=LinkSourceKind.FEED, address="https://example.com/f", title="A\x01\x0b\ud800\uffff feed")
    (source,) = parse_opml(render_opml([task_of("Na\x02me", strange)]))
    assert (source.address, source.title) == ("https://example.com/f", "A feed")


def test_a_list_of_feeds_goes_out_as_it_came_in():
    source = LinkSource(kind=LinkSourceKind.FEED, address="https://example.com/f?a=1&b=2", title='Energy "now" & then')
    task = task_of("My <task>", source, LinkSource(kind=LinkSourceKind.SEARCH))
    assert parse_opml(render_opml([task])) == (source,)


def test_a_list_that_is_none_is_refused():
    with pytest.raises(InputError):
        parse_opml(b"<html></html>")
