"""Feeds of every version and program: titles are words, days are those of the place, and one bad entry costs itself."""

from datetime import date

import pytest

from almanac.articles import PageRequest
from almanac.articles.feed import parse_feed

BASE = "https://example.com/feeds/all.xml"
DAY = date(2026, 11, 2)


def entries(feed: str | bytes, charset: str | None = None):
    content = feed if isinstance(feed, bytes) else feed.encode()
    read = parse_feed(PageRequest(url=BASE, content=content, charset=charset))
    return None if read is None else [(entry.url, entry.title, entry.published) for entry in read.entries]


def rss(title="One", link="https://example.com/1", **others):
    more = "".join(f"<{name}>{text}</{name}>" for name, text in others.items())
    return f'<rss version="2.0"><channel><item><title>{title}</title><link>{link}</link>{more}</item></channel></rss>'


def atom(entry):
    return f'<feed xmlns="http://www.w3.org/2005/Atom">{entry}</feed>'


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("<![CDATA[Solar & <b>wind</b>]]>", "Solar & wind"),
        ("Tom &amp;amp; Jerry&amp;#8217;s &lt;i&gt;day&lt;/i&gt;", "Tom & Jerry’s day"),
        ("<![CDATA[Tenaga &#8216;hijau&#8217; &amp; baru]]>", "Tenaga ‘hijau’ & baru"),
        ("&lt;script&gt;alert(1)&lt;/script&gt;Hello you", "Hello you"),
        ("Price &lt; 5 ringgit", "Price < 5 ringgit"),
        ("A & B", "A & B"),
    ],
)
def test_titles_of_rss_are_words(written, words):
    assert entries(rss(written)) == [("https://example.com/1", words, None)]


@pytest.mark.parametrize(
    ("title", "words"),
    [
        ('<title type="html">A &amp;lt;b&amp;gt; &lt;em&gt;c&lt;/em&gt;</title>', "A <b> c"),
        ('<title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">A <b>c</b></div></title>', "A c"),
        ('<title type="text">1 &lt; 2 &amp;amp; &lt;b&gt;</title>', "1 < 2 &amp; <b>"),
    ],
)
def test_titles_of_atom_are_what_they_say_they_are(title, words):
    feed = atom(f'<entry>{title}<link href="https://example.com/1"/></entry>')
    assert entries(feed) == [("https://example.com/1", words, None)]


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("Mon, 2 Nov 2026 23:30:00 -0800", DAY),
        ("2026-11-02T01:00:00+08:00", DAY),
        ("Isnin, 2 November 2026", DAY),
        ("2026年11月2日", DAY),
        ("2 Mac 2026", date(2026, 3, 2)),
        ("2 Nov 26 10:00 +0800", DAY),
        ("13/10/2026", date(2026, 10, 13)),
        ("1/2/2026", None),
        ("Thu, 01 Jan 1970 00:00:00 GMT", None),
        ("Mon, 02 Nov 2099 00:00:00 GMT", None),
        ("0000-00-00", None),
        ("", None),
    ],
)
def test_the_day_is_the_one_that_was_written(written, day):
    assert entries(rss(pubDate=written))[0][2] == day


def test_an_entry_of_atom_without_a_link_is_known_by_its_id():
    feed = atom("<entry><title>One</title><id>https://example.com/1</id></entry><entry><id>tag:x,1</id></entry>")
    assert entries(feed) == [("https://example.com/1", "One", None)]


def test_an_id_of_rss_that_leads_nowhere_is_no_link():
    assert (
        entries(rss(link="").replace("</item>", '<guid isPermaLink="false">https://example.com/1</guid></item>')) == []
    )


def test_entries_of_json_are_read_one_by_one():
    feed = """{"version": "https://jsonfeed.org/version/1.1", "title": null, "items": [
    {"url": 5, "title": "Wrong"}, {"id": 1, "url": "/1", "title": "A &amp; B", "date_modified": "2026-11-02"},
    {"id": "https://example.com/2", "title": null}, {"id": "three"}]}"""
    assert entries(feed) == [("https://example.com/1", "A & B", DAY), ("https://example.com/2", "", None)]


@pytest.mark.parametrize("charset", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_json_feed_may_be_in_any_charset(charset):
    feed = '{"version":"https://jsonfeed.org/version/1.1","items":[{"url":"/1","title":"Café à Kuala Lumpur"}]}'
    assert entries(feed.encode(charset))[0][1] == "Café à Kuala Lumpur"


def test_the_host_may_name_the_charset():
    assert entries(rss("太阳能发电量创新高").encode("gb2312"), "gb2312")[0][1] == "太阳能发电量创新高"


def test_a_declared_charset_that_is_wrong_is_not_believed():
    feed = '<?xml version="1.0" encoding="iso-8859-1"?>' + rss("太阳能发电")
    assert entries(feed)[0][1] == "太阳能发电"
