"""What the desk gives to others: passages for newsletters, events for webhooks, a search index that can be rebuilt."""

from dataclasses import replace
from datetime import UTC, datetime

from almanac.accounts.model import CONSOLE
from almanac.desks.news.events import EVENTS
from almanac.desks.news.public import current_story_texts, find_story_passages
from almanac.desks.news.service import articles
from almanac.desks.news.service.articles import StoryFilter
from almanac.search import UNRESTRICTED_VIEWER, SearchViewer

ALWAYS = {"since": datetime(2000, 1, 1, tzinfo=UTC), "until": datetime(2100, 1, 1, tzinfo=UTC)}


async def test_a_newsletter_finds_passages_it_can_cite(desk, services, web, web_pages):
    await desk.add_and_read(web.url("/a/3"), web.url("/a/4"))
    (passage,) = await find_story_passages(services, UNRESTRICTED_VIEWER, ["homes"], **ALWAYS)
    assert (passage.title, passage.url, passage.date) == (web_pages.title_of(3), web.url("/a/3"), web_pages.day_of(3))
    assert web_pages.paragraphs_of(3)[0] in passage.text
    story = await articles.get_article(services, int(passage.place.item))
    assert passage.text == story.article[passage.place.start : passage.place.end]
    assert passage.place.path == f"/news/stories/{story.id}"


async def test_the_words_of_a_story_can_be_read_again(desk, services, web):
    await desk.add_and_read(web.url("/a/3"))
    (passage,) = await find_story_passages(services, UNRESTRICTED_VIEWER, ["homes"], **ALWAYS)
    now = await current_story_texts(services, UNRESTRICTED_VIEWER, [passage.place, replace(passage.place, item="999")])
    assert {name: words.version for name, words in now.items()} == {passage.place.name: passage.place.version}
    assert await current_story_texts(services, SearchViewer("somebody"), [passage.place]) == {}
    assert await find_story_passages(services, SearchViewer("somebody"), ["homes"], **ALWAYS) == []


async def test_a_finished_story_is_told_to_webhooks(desk, services, web):
    await services.webhooks.register(CONSOLE, url=web.url("/hook"), events=[EVENTS[0].name], description="")
    await desk.add_and_read(web.url("/a/3"), web.url("/empty/1"))
    assert await desk.value("SELECT count(*) FROM webhook_deliveries") == 1


async def test_a_rebuilt_index_finds_the_same_stories(desk, services, web):
    await desk.add_and_read(*(web.url(f"/a/{n}") for n in range(4)))
    before = {article.id for article in (await articles.find_articles(services, CONSOLE, StoryFilter())).page.items}
    async with services.database.unit() as unit:
        await services.search.remove(unit, "news", [str(link_id) for link_id in before])
    assert (await articles.find_articles(services, CONSOLE, StoryFilter())).page.items == []
    await services.rebuilds.rebuild(["news"])
    assert {
        article.id for article in (await articles.find_articles(services, CONSOLE, StoryFilter())).page.items
    } == before
