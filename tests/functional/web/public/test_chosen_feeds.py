"""Feeds that an editor chose: they list what is public, whoever saved the query, and can be made private again."""

import feedparser
import httpx
import pytest

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.errors import Conflict, NotAllowed
from almanac.kit.ids import new_id
from almanac.saved import SavedQueryInput
from almanac.saved.model import change_query
from almanac.search import SearchDocument


@pytest.fixture(scope="module")
async def documents(installation):
    """A story, and a customer that only the reminders desk may see, with the same word."""
    story = SearchDocument(
        kind="news",
        id="7",
        title="海水淡化",
        path="/news/articles/7",
        body="zephyr text of the paper",
        language="zh",
        date=installation.clock.now(),
        facets={"source": ("paper.example",)},
        fields={"url": "https://paper.example/7", "title_en": "Seawater plant opens"},
        permission="desk.news.read",
    )
    customer = SearchDocument(
        kind="customer",
        id="c1",
        title="Zephyr Debtor Ltd",
        path="/reminders/customers/c1",
        body="zephyr",
        language="en",
        permission="desk.reminders.read",
    )
    async with installation.database.unit() as unit:
        await installation.search.put(unit, story, customer)


@pytest.fixture
async def editor(installation):
    user = await accounts.create_user(
        installation.accounts, CONSOLE, email=f"{new_id()}@example.org", name="Confidential Person", role=Role.EDITOR
    )
    return user.as_principal("session", desks=installation.accounts.desks)


async def test_a_query_is_private_until_it_is_published_and_after_it_is_withdrawn(
    installation, documents, editor, stranger: httpx.AsyncClient
):
    saved = await installation.saved.save(editor, SavedQueryInput(name="Zephyr News", query="zephyr"))
    assert (await stranger.get("/public/en/feeds/zephyr-news")).status_code == 404
    public = await installation.saved.publish(editor, saved.id)
    assert public.public_name == "zephyr-news"

    page = await stranger.get("/public/en/feeds/zephyr-news")
    assert "Seawater plant opens" in page.text
    assert 'href="https://paper.example/7"' in page.text
    for private in ("Zephyr Debtor", "text of the paper", "Confidential Person", "/news/articles/7"):
        assert private not in page.text
    for form in ("atom", "rss", "json"):
        answer = await stranger.get(f"/public/en/feeds/zephyr-news/feed.{form}")
        assert answer.status_code == 200
        assert "Zephyr Debtor" not in answer.text
    feed = feedparser.parse((await stranger.get("/public/en/feeds/zephyr-news/feed.atom")).text)
    assert [(entry.title, entry.link) for entry in feed.entries] == [
        ("Seawater plant opens", "https://paper.example/7")
    ]

    await installation.saved.withdraw(editor, saved.id)
    assert (await stranger.get("/public/en/feeds/zephyr-news")).status_code == 404
    assert (await stranger.get("/public/en/feeds/zephyr-news/feed.atom")).status_code == 404


async def test_two_queries_of_one_name_have_two_addresses(installation, editor):
    names = []
    for _ in range(2):
        saved = await installation.saved.save(editor, SavedQueryInput(name="Same name"))
        names.append((await installation.saved.publish(editor, saved.id)).public_name)
    assert names[0] == "same-name"
    assert names[1].startswith("same-name-")


async def test_a_query_over_private_kinds_cant_be_published_nor_become_one(installation, editor):
    newsletters = await installation.saved.save(editor, SavedQueryInput(name="N", kinds=["newsletter"]))
    with pytest.raises(Conflict, match="aren't public"):
        await installation.saved.publish(editor, newsletters.id)
    news = await installation.saved.save(editor, SavedQueryInput(name="S", kinds=["news"]))
    news = await installation.saved.publish(editor, news.id)
    with pytest.raises(Conflict, match="aren't public"):
        await installation.saved.edit(editor, news.id, change_query(news, kinds=["newsletter"]), expected=news.version)


async def test_a_member_cant_publish(installation):
    user = await accounts.create_user(
        installation.accounts, CONSOLE, email=f"{new_id()}@example.org", name="Member", role=Role.MEMBER
    )
    member = user.as_principal("session", desks=installation.accounts.desks)
    saved = await installation.saved.save(member, SavedQueryInput(name="Mine"))
    with pytest.raises(NotAllowed):
        await installation.saved.publish(member, saved.id)
