"""What the desk gives to others: passages for newsletters, events for webhooks, a search index that can be rebuilt."""

from almanac.accounts.model import CONSOLE
from almanac.desks.news import service
from almanac.desks.news.announcing import EVENTS
from almanac.desks.news.public import find_passages
from almanac.search import ALL_SEEING


async def test_a_newsletter_finds_passages_it_can_cite(desk, services, web, web_pages):
    await desk.add_and_read(web.url("/a/3"), web.url("/a/4"))
    (passage,) = await find_passages(services, "homes", viewer=ALL_SEEING)
    assert (passage.title, passage.url, passage.date) == (web_pages.title_of(3), web.url("/a/3"), web_pages.day_of(3))
    assert web_pages.paragraphs_of(3)[0] in passage.text


async def test_a_finished_story_is_told_to_webhooks(desk, services, web):
    await services.webhooks.register(CONSOLE, url=web.url("/hook"), events=[EVENTS[0].name], description="")
    await desk.add_and_read(web.url("/a/3"), web.url("/empty/1"))
    assert await desk.value("SELECT count(*) FROM webhook_deliveries") == 1


async def test_a_rebuilt_index_finds_the_same_stories(desk, services, web):
    await desk.add_and_read(*(web.url(f"/a/{n}") for n in range(4)))
    before = {article.id for article in await service.newest_articles(services, CONSOLE)}
    async with services.database.unit() as unit:
        await services.search.remove(unit, "news", [str(one) for one in before])
    assert await service.newest_articles(services, CONSOLE) == []
    await services.rebuilds.rebuild(["news"])
    assert {article.id for article in await service.newest_articles(services, CONSOLE)} == before
