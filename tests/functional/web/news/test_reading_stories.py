"""Reading: stories once with all their sources, in three languages, and points that lead to their sentence."""

import re
from datetime import timedelta

import pytest

from almanac.accounts.permissions import Role
from almanac.desks.news.demo import PART
from almanac.desks.news.demo.stories import stories
from almanac.desks.news.public import find_story_passages
from almanac.desks.news.service import links, sites, tasks
from almanac.search import SearchViewer


@pytest.fixture
async def reader(demo, signed_in):
    return await signed_in(Role.MEMBER)


def titles(answer):
    return re.findall(r'class="story-title"[^>]*>\s*<a href="[^"]*">([^<]*)<', answer.text)


async def test_stories_are_read_searched_and_narrowed_in_a_language_that_is_remembered(reader):
    latest = await reader.get("/news")
    assert (f"{len(stories())} stories" in latest.text, "<span>3 sources</span>" in latest.text) == (True, True)
    assert titles(await reader.get("/news?lang=zh&q=floating"))[0] == "吉打水库兴建浮动太阳能电站"
    assert titles(await reader.get("/news?q=suria+terapung"))[0] == "吉打水库兴建浮动太阳能电站"
    narrowed = await reader.get("/news?lang=en&tag=Wind&country=LA")
    assert titles(narrowed) == ["Highland wind farm reaches full output"]
    assert "Country: Laos" in narrowed.text
    assert ("Tag: Wind" in narrowed.text, "/api/v1/news/feeds/rss?tag=Wind" in narrowed.text) == (True, True)
    assert "/saved/new?tag=Wind&amp;country=LA" in narrowed.text
    wrong = await reader.get("/news?from=yesterday")
    assert (wrong.status_code, "a date; use 2026-03-02" in wrong.text) == (422, True)


async def test_two_languages_stand_side_by_side_and_a_missing_one_is_said_plainly(reader):
    both = titles(await reader.get("/news?lang=en&beside=ms&q=floating"))
    assert both[:2] == ["Kedah reservoir gets floating solar farm", "Empangan Kedah terima ladang suria terapung"]
    own = await reader.get("/news?lang=en&beside=none&q=泰国电动车出口")
    assert (titles(own)[0], "Not translated into English." in own.text) == ("泰国电动车出口首超内销", True)


async def test_every_point_leads_to_the_sentence_that_it_rests_on(reader, demo):
    first = demo.made("link")["https://selatpost.example/news/kedah-floating-solar"]
    page = await reader.get(f"/news/stories/{first}?lang=en")
    for number in re.findall(r'href="#sentence-(\d)"', page.text):
        (sentence,) = re.findall(rf'<mark class="news-sentence"\s+id="sentence-{number}">([^<]*)</mark>', page.text)
        assert page.text.count(sentence) == 2
    assert ("3 sources" in page.text, "https://kualagrid.example/news/kedah-floating-solar" in page.text) == (
        True,
        True,
    )
    assert "Read the original at selatpost.example" in page.text
    assert (await reader.get("/news/stories/999999")).status_code == 404


async def test_the_demo_fills_every_page_and_goes_again_without_a_trace(reader, demo, services):
    (task,) = await tasks.list_tasks(services)
    card = await tasks.get_task_card(services, task.task_name)
    assert (len(card.runs), card.scorecard.completed >= 40, card.scorecard.failed > 0) == (10, True, True)
    page = await reader.get(f"/news/tasks/{task.id}")
    assert ("Links found by day" in page.text, "The Selat Post" in page.text) == (True, True)
    assert "asks for a subscription" in (await reader.get("/news/queue?status=failed")).text
    days = {"since": demo.services.clock.now() - timedelta(days=20), "until": demo.services.clock.now()}
    passages = await find_story_passages(services, SearchViewer.for_principal(demo.owner), ["floating solar"], **days)
    assert any(passage.text.startswith("The Beris reservoir in Kedah") for passage in passages)
    for step in PART.steps:
        await step(demo)
    assert (await links.count_links_by_status(services)).total_links == len(demo.made("link"))
    await PART.remove(demo)
    assert (await links.count_links_by_status(services)).total_links == 0
    assert "No stories yet" in (await reader.get("/news")).text
    assert (await sites.list_domains(services)).items == []
