"""Feeds of every kind and lists of feeds are read, each entry once."""

import pytest

from almanac.documents import feed
from almanac.documents.model import ReadRequest, Unreadable
from almanac.documents.reader import read_document

RSS = """<?xml version="1.0" encoding="utf-8"?><rss version="2.0"
xmlns:content="http://purl.org/rss/1.0/modules/content/">
<channel><title>Ward news</title><link>https://example.org/</link>
<item><title>Bridge &amp; road</title><link>https://example.org/1</link><guid isPermaLink="false">a1</guid>
<pubDate>Tue, 03 Feb 2026 10:00:00 GMT</pubDate><description>Short.</description>
<content:encoded><![CDATA[<p>The bridge was <b>mended</b>.</p><script>alert(1)</script><p>Work took nine days.</p>]]>
</content:encoded></item>
<item><title>No date</title><link>https://example.org/2</link><description>Only a summary here.</description></item>
<item><title>Headline alone</title><link>https://example.org/3</link></item>
<item></item></channel></rss>"""
ATOM = """<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Ward news</title>
<entry><id>urn:1</id><title type="html">Bridge &amp;lt;mended&amp;gt;</title><updated>2026-02-03T10:00:00Z</updated>
<link href="https://example.org/1"/><content type="html">&lt;p&gt;The bridge was mended.&lt;/p&gt;</content>
</entry></feed>"""
JSON = """{"version": "https://jsonfeed.org/version/1.1", "title": "Ward news", "items": [
{"id": "1", "url": "https://example.org/1", "title": "Bridge", "content_html": "<p>The bridge was mended.</p>",
 "date_published": "2026-02-03T10:00:00Z"}, {"id": 2, "content_text": "Plain words."}]}"""
RDF = """<?xml version="1.0"?>
<rdf:RDF
xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Ward news</title></channel>
<item rdf:about="https://example.org/1"><title>Bridge</title><link>https://example.org/1</link>
<description>The bridge was mended.</description><dc:date>2026-02-03T10:00:00Z</dc:date></item></rdf:RDF>"""


def entries(text, **errand):
    reading = read_document(text.encode() if isinstance(text, str) else text, ReadRequest(wanted="feed", **errand))
    return reading, [
        (document.title, document.url, str(document.published), "\n\n".join(piece.text for piece in document.pieces))
        for document in reading.documents
    ]


def test_each_entry_of_an_rss_feed_is_a_document():
    reading, documents = entries(RSS)
    assert reading.title == "Ward news"
    assert documents == [
        ("Bridge & road", "https://example.org/1", "2026-02-03", "The bridge was mended.\n\nWork took nine days."),
        ("No date", "https://example.org/2", "None", "Only a summary here."),
        ("Headline alone", "https://example.org/3", "None", "Headline alone"),
    ]
    assert [document.key for document in reading.documents] == ["a1", "https://example.org/2", "https://example.org/3"]
    assert reading.problems == ["1 of 4 entries have no text and were skipped."]


@pytest.mark.parametrize("text", [ATOM, RDF])
def test_atom_and_rdf_are_read(text):
    _, ((_, url, published, words),) = entries(text)
    assert (url, published, words) == ("https://example.org/1", "2026-02-03", "The bridge was mended.")


def test_a_json_feed_is_read():
    _, documents = entries(JSON)
    assert documents == [
        ("Bridge", "https://example.org/1", "2026-02-03", "The bridge was mended."),
        ("", None, "None", "Plain words."),
    ]


def test_an_entry_that_comes_twice_is_one_document():
    item = RSS[RSS.index("<item>") : RSS.index("</item>") + 7]
    _, documents = entries(RSS.replace(item, item * 3))
    assert len(documents) == 3


def test_the_title_of_a_feed_is_one_that_can_be_kept():
    title = entries(JSON.replace("Ward news", "Ward\\u0000 news " + "x" * 1000))[0].title
    assert title.startswith("Ward news xxx")
    assert len(title) == 300


def problems(text):
    return list(entries(text)[0].problems)


def test_what_is_left_out_of_a_feed_is_told_with_its_reason(monkeypatch):
    assert problems(RSS) == ["1 of 4 entries have no text and were skipped."]
    assert problems(JSON.replace('"id": 2', '"id": 2, "url": 3')) == ["1 of 2 entries can't be read and were skipped."]
    assert problems(JSON.replace('"id": 2', '"id": "1"')) == [
        "1 of 2 entries have the id of another entry and were skipped."
    ]
    monkeypatch.setattr(feed, "MOST_ENTRIES", 1)
    assert problems(JSON) == ["1 of 2 entries come after the first 1 and were skipped."]
    assert problems(RSS) == ["3 of 4 entries come after the first 1 and were skipped."]


@pytest.mark.parametrize("day", ["0000-00-00T00:00:00Z", "9999-12-31T23:59:59Z", "Thu, 01 Jan 0000 00:00:00 GMT"])
def test_a_date_that_cannot_be_gives_way_to_the_next(day):
    text = ATOM.replace("<updated>", f"<published>{day}</published><updated>")
    assert [published for _, _, published, _ in entries(text)[1]] == ["2026-02-03"]


def test_a_feed_in_another_charset_is_read():
    feed = RSS.replace("utf-8", "iso-8859-1").replace("mended", "réparé").encode("iso-8859-1")
    assert entries(feed)[1][0][3].startswith("The bridge was réparé.")


def test_a_page_that_names_its_feed_is_told_as_such():
    page = '<html><head><link rel="alternate" type="application/rss+xml" href="https://example.org/feed"></head></html>'
    with pytest.raises(Unreadable, match=r"its feed is at https://example\.org/feed,"):
        entries(page)


def test_the_address_of_a_feed_that_a_page_names_is_told_whole():
    page = '<html><head><link rel="alternate" type="application/rss+xml" href="../feed"></head></html>'
    with pytest.raises(Unreadable, match=r"its feed is at https://example\.org/a/feed,"):
        entries(page, url="https://example.org/a/b/c")
    with pytest.raises(Unreadable, match="look for the feed's own address"):
        entries(page.replace("../feed", "javascript:alert(1)"), url="https://example.org/")


@pytest.mark.parametrize(
    "text", ["<html><body>Hello</body></html>", "plain words", '{"version": "https://jsonfeed.org/"}x']
)
def test_what_is_no_feed_is_refused(text):
    with pytest.raises(Unreadable, match="feed"):
        entries(text)


OPML = """<?xml version="1.0"?><opml version="2.0"><head><title>Mine</title></head><body>
<outline text="News"><outline text="Inner"><outline type="rss" text="A" title="Ward A" xmlUrl="https://a.example/feed"/>
</outline><outline text="B" xmlURL="https://b.example/feed"/></outline>
<outline text="A again" xmlUrl="https://a.example/feed"/><outline text="No feed" url="https://c.example/"/></body></opml>"""


def feeds(text):
    return [(feed.title, feed.url) for feed in read_document(text.encode(), ReadRequest(wanted="opml")).feeds]


def test_every_feed_of_a_nested_list_is_found_once():
    assert feeds(OPML) == [("Ward A", "https://a.example/feed"), ("B", "https://b.example/feed")]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<opml><body/></opml>", "has no feeds"),
        ("<html/>", "isn't OPML"),
        ("<opml><body>", "isn't OPML"),
        ('<!DOCTYPE x [<!ENTITY a "b">]><opml><body><outline xmlUrl="&a;"/></body></opml>', "entities"),
    ],
)
def test_a_list_that_is_none_says_why(text, reason):
    with pytest.raises(Unreadable, match=reason):
        feeds(text)


def test_a_list_that_is_too_long_is_refused_whole(monkeypatch):
    monkeypatch.setattr(feed, "MOST_FEEDS", 1)
    with pytest.raises(Unreadable, match="names 2 feeds; at most 1 are added at once"):
        feeds(OPML)


def test_a_list_of_feeds_is_not_read_as_a_document():
    with pytest.raises(Unreadable, match="import it as OPML"):
        read_document(OPML.encode(), ReadRequest(name="feeds.opml"))
