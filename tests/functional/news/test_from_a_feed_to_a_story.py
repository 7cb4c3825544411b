"""The whole way: a feed names links, each page is read once, written about, checked and found."""

from almanac.accounts.model import CONSOLE
from almanac.desks.news.service import articles, links
from almanac.desks.news.service.articles import StoryFilter


async def test_every_page_of_the_feeds_is_read_once(desk, services, web):
    await desk.task("Energy", web.feed_url(0), web.feed_url(1))
    run = await desk.run("Energy")
    counts = await desk.read()

    assert (run.status, run.found, run.added, run.problems) == ("done", 30, 30, [])
    assert counts == {"completed": 30}
    assert all(web.hits[f"127.0.0.1/a/{n}"] == 1 for n in range(30))
    stats = await links.count_links_by_status(services)
    assert (stats.total_links, stats.completed, stats.pending, stats.failed) == (30, 30, 0, 0)


async def test_an_article_is_told_in_points_that_name_their_sentence(desk, services, web, web_pages):
    (fate,) = await desk.add_and_read(web.url("/a/3?utm_source=x"))
    article = await articles.get_article(services, fate.link.id)

    assert article.language == "en"
    assert article.titles == {"en": web_pages.title_of(3)}
    assert article.news_date == web_pages.day_of(3)
    assert article.country == "MY"
    assert article.content.startswith("- ")
    assert article.points
    for point in article.points:
        assert article.article[point.start : point.end] == point.sentence
        assert point.texts["en"].rstrip(".") in point.sentence
    assert article.states == {"en": "original", "zh": "not translated", "ms": "not translated"}
    assert "umbrellas" not in article.article


async def test_stories_are_found_in_three_languages(desk, services, web):
    await desk.add_and_read(*(web.url(f"/a/{n}") for n in range(6)))
    for words, language in (("homes", "en"), ("兆瓦", "zh"), ("pekerjaan", "ms")):
        stories = await articles.find_articles(services, CONSOLE, StoryFilter(words=words))
        assert {article.language for article in stories.page.items} == {language}
