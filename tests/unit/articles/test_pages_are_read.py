"""Pages become articles: words, date, language, country, tags; what holds no article is refused with its reason."""

import asyncio
import json
from datetime import date
from html import escape

import pytest

from almanac.articles import NoArticle, PageRequest, ReaderPool
from almanac.articles.labels import find_country, find_tags
from almanac.articles.page import TEXT_LIMIT, parse_page

PROSE = (
    "<p>Malaysia will build a solar farm of 40 megawatts in Kedah, the ministry said on Monday.</p>"
    "<p>The solar farm costs 120 million ringgit and will supply 9,000 homes in the state, it added.</p>"
    "<p>Engineers in Kedah expect the work to take two years, and the grid to be ready before that.</p>"
)


def page(body, head="", url="https://news.example.com/a", title="Kedah gets solar farm", **options):
    markup = f"<html><head><title>{title}</title>{head}</head><body>{body}</body></html>"
    return parse_page(PageRequest(url=url, content=markup.encode(), content_type="text/html", **options))


def test_an_article_comes_without_its_surroundings():
    menu = "<nav>" + "<a href='/x'>Menu entry</a>" * 30 + "</nav>"
    read = page(f"{menu}<article><h1>Kedah gets solar farm</h1>{PROSE}</article><footer>All rights reserved.</footer>")
    assert read.text.startswith("Malaysia will build")
    assert "Menu entry" not in read.text
    assert (read.title, read.language, read.country) == ("Kedah gets solar farm", "en", "MY")
    assert "Solar" in read.tags
    assert read.signature is not None


@pytest.mark.parametrize("byline", ["By Jane Porter", "Von Anna Schmidt"])
def test_a_byline_set_as_heading_is_no_title(byline):
    read = page(f"<article><h1>{byline}</h1>{PROSE}</article>")
    assert read.title == "Kedah gets solar farm"
    assert byline not in (read.choice.headline, *(point.text for point in read.choice.points))


@pytest.mark.parametrize(
    ("body", "head", "url", "day"),
    [
        (PROSE, '<meta property="article:published_time" content="2026-02-03T23:00:00+08:00">', "", date(2026, 2, 3)),
        (
            PROSE,
            '<script type="application/ld+json">{"@type":"NewsArticle","datePublished":"2026-02-04"}</script>',
            "",
            date(2026, 2, 4),
        ),
        (f"<p>5 Februari 2026</p>{PROSE}", "", "", date(2026, 2, 5)),
        (f"<p>2026年2月6日 10:30</p>{PROSE}", "", "", date(2026, 2, 6)),
        (PROSE, "", "https://example.com/2026/02/07/solar", date(2026, 2, 7)),
        (PROSE, "", "", None),
    ],
)
def test_the_date_is_the_page_s_own_or_none(body, head, url, day):
    assert page(f"<article>{body}</article>", head, url or "https://example.com/a").published == day


def test_a_page_says_what_it_calls_itself():
    assert (
        page(PROSE, '<link rel="canonical" href="https://example.com/story">').stated_url == "https://example.com/story"
    )


def test_the_site_tells_the_country_where_the_words_do_not():
    prose = "<p>" + "The company opened a new plant and hired many people for it this year. " * 6 + "</p>"
    assert page(prose, url="https://www.example.com.my/a", title="A plant").country == "MY"
    assert page(prose, url="https://www.example.com/a", title="A plant").country is None


def test_a_country_whose_name_begins_with_another_s_is_told_apart():
    assert find_country("印度尼西亚出口镍", "印度尼西亚政府说，印度尼西亚今年出口更多。", "example.com") == "ID"
    assert find_country("印度出口大米", "印度政府说，印度今年出口更多。", "example.com") == "IN"


def test_a_tag_is_given_for_words_said_twice():
    assert find_tags("计划", "公司要实现碳中和。") == ()
    assert find_tags("计划", "公司要实现碳中和，减少排放。") == ("Climate",)


@pytest.mark.parametrize(
    ("data", "day"),
    [
        ([{"datePublished": "2026-02-03"}, {"datePublished": "2026-02-03"}], date(2026, 2, 3)),
        ([{"datePublished": "2026-02-03"}, {"datePublished": "2026-02-04"}], None),
        ([{"datePublished": "2026-02-03", "headline": ""}, {"datePublished": "2026-02-04", "headline": "X"}], None),
        (
            [{"datePublished": "2026-02-03", "headline": "X"}, {"datePublished": "2026-02-04", "headline": "Kedah"}],
            date(2026, 2, 4),
        ),
    ],
)
def test_of_data_that_contradict_each_other_only_the_article_s_own_counts(data, day):
    articles = json.dumps([{"@type": "NewsArticle", **fields} for fields in data])
    assert page(PROSE, f'<script type="application/ld+json">{articles}</script>').published == day


def test_an_article_that_is_too_long_ends_with_a_paragraph():
    paragraph = "The ministry said that the plant would cost 1,234,567 ringgit in all."
    text = page(f"<article>{f'<p>{paragraph}</p>' * 1000}</article>").text
    assert TEXT_LIMIT - 100 < len(text) <= TEXT_LIMIT
    assert text.endswith(paragraph)


@pytest.mark.parametrize(
    "body",
    [
        "",
        "<ul>" + "<li><a href='/x'>Section</a></li>" * 50 + "</ul>",
        "<p>Please enable JavaScript and cookies to continue.</p>" + "<p>We verify that you are human first.</p>" * 5,
    ],
)
def test_a_page_without_an_article_is_refused_and_nothing_made_up(body):
    with pytest.raises(NoArticle):
        page(body)


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0;URL='/Energy/Real?a=1'", "https://news.example.com/Energy/Real?a=1"),
        ('3; url="https://other.example/x#top"', "https://other.example/x"),
        ("0 //other.example/y", "https://other.example/y"),
        ("30", None),
        ("0; url=", None),
        ("0; url=#top", None),
        ("0; url=javascript:alert(1)", None),
        ("0; url=http://[", None),
    ],
)
def test_a_page_that_does_little_else_says_where_it_leads_on_to(content, target):
    head = f"<noscript><meta http-equiv='Refresh' content='{escape(content)}'></noscript>"
    with pytest.raises(NoArticle) as refused:
        page("<p>You are being redirected. Please wait while your browser takes you to our site.</p>", head)
    assert refused.value.leads_to == target


def test_an_article_that_leads_on_later_is_read():
    head = '<meta http-equiv="refresh" content="600; url=https://news.example.com/">'
    assert page(f"<article>{PROSE}</article>", head).text.startswith("Malaysia will build")


async def test_where_a_page_leads_on_to_is_told_by_a_reader_s_process_too():
    markup = b"<meta http-equiv=refresh content='0;url=/b'>"
    async with ReaderPool(1) as reader:
        with pytest.raises(NoArticle) as refused:
            await reader.read(PageRequest(url="https://example.com/a", content=markup, content_type="text/html"))
    assert refused.value.leads_to == "https://example.com/b"


def test_a_file_is_no_page():
    with pytest.raises(NoArticle, match="application/pdf"):
        parse_page(PageRequest(url="https://example.com/a", content=b"%PDF-1.7", content_type="application/pdf"))


async def test_readers_stay_for_the_next_page_and_leave_when_none_comes():
    errand = PageRequest(
        url="https://example.com/a", content=f"<article>{PROSE}</article>".encode(), content_type="text/html"
    )
    async with ReaderPool(2) as reader:
        await reader.read(errand)
        reader.kept_for = 0.01
        await reader.read(errand)
        assert reader.processes == 1
        async with asyncio.timeout(60):
            while reader.processes:  # noqa: ASYNC110 - they leave by a timer, which no event tells of
                await asyncio.sleep(0.01)
        await reader.read(errand)
        assert reader.processes == 1


async def test_a_reader_that_was_lost_while_it_waited_costs_no_page():
    errand = PageRequest(
        url="https://example.com/a", content=f"<article>{PROSE}</article>".encode(), content_type="text/html"
    )
    async with ReaderPool(1) as reader:
        await reader.read(errand)
        (process,) = reader._all
        process.kill()
        await process.wait()
        assert (await reader.read(errand)).language == "en"
        assert reader.processes == 1


async def test_a_page_that_stalls_its_reader_costs_only_itself():
    good = PageRequest(
        url="https://example.com/a", content=f"<article>{PROSE}</article>".encode(), content_type="text/html"
    )
    async with ReaderPool(1) as reader:
        assert (await reader.read(good)).language == "en"
        reader.seconds = 0.0
        with pytest.raises(NoArticle, match="longer than"):
            await reader.read(good)
        reader.seconds = 60
        assert (await reader.read(good)).language == "en"
