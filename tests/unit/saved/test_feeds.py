"""A feed is reached only by its secret address, and holds what its owner may see at that moment."""

import pytest

from almanac.accounts import service as accounts_service
from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.errors import NotFound
from almanac.saved import SavedQueryInput
from almanac.saved.feeds import FeedTokens
from almanac.search import SearchDocument


async def opened(library, by, **wish):
    saved = await library.saved.save(by, SavedQueryInput(**{"name": "Water", "query": "water", **wish}))
    saved = await library.saved.open_feed(by, saved.id)
    return saved, library.feeds.tokens.token(saved.id, saved.feed_generation)


async def test_a_feed_holds_the_newest_first(library, ada):
    saved, token = await opened(library, ada)
    await library.put("old", days=-2)
    await library.put("new", days=-1)
    feed = await library.feeds.feed(token, "atom")
    assert [item.title for item in feed.items] == ["Water new", "Water old"]
    assert feed.items[0].link == "https://almanac.example.org/news/new"
    assert feed.items[0].id == "urn:almanac:news.link:new"
    assert feed.self_link == library.feeds.addresses(saved)["atom"]


async def test_there_is_no_feed_until_it_is_opened(library, ada):
    saved = await library.saved.save(ada, SavedQueryInput(name="Water"))
    assert library.feeds.addresses(saved) == {}
    with pytest.raises(NotFound):
        await library.feeds.feed(library.feeds.tokens.token(saved.id, 1), "rss")


async def test_a_changed_address_ends_the_old_one_at_once_and_for_good(library, ada):
    saved, first = await opened(library, ada)
    second_saved = await library.saved.open_feed(ada, saved.id)
    second = library.feeds.tokens.token(saved.id, second_saved.feed_generation)
    assert second != first
    assert await library.feeds.feed(second, "rss")
    await library.saved.close_feed(ada, saved.id)
    third_saved = await library.saved.open_feed(ada, saved.id)
    third = library.feeds.tokens.token(saved.id, third_saved.feed_generation)
    assert await library.feeds.feed(third, "rss")
    for over in (first, second):
        with pytest.raises(NotFound):
            await library.feeds.feed(over, "rss")


@pytest.mark.parametrize("damage", ["", "x", "é", "A" * 400, "..", "%00"])
async def test_a_token_that_we_did_not_make_leads_nowhere(library, ada, damage):
    _, token = await opened(library, ada)
    for wrong in (damage, token + "A", token[:-4], "A" + token[1:]):
        if wrong != token:
            with pytest.raises(NotFound):
                await library.feeds.feed(wrong, "rss")


async def test_who_knows_the_query_but_not_the_key_makes_no_address(library, ada):
    saved, token = await opened(library, ada)
    for key in (b"another key", b""):
        forged = FeedTokens(key).token(saved.id, saved.feed_generation)
        assert forged != token
        with pytest.raises(NotFound):
            await library.feeds.feed(forged, "rss")


async def test_a_form_that_does_not_exist_leads_nowhere(library, ada):
    _, token = await opened(library, ada)
    with pytest.raises(NotFound):
        await library.feeds.feed(token, "pdf")


async def test_it_shows_what_the_owner_may_see_now_and_no_longer_what_not(library, make_person):
    ada = await make_person("Ada", Role.EDITOR)
    _, token = await opened(library, ada)
    await library.put("open")
    await library.put("for-editors", permission="desk.news.write")
    await library.put("of-ada", owner=ada.user_id)
    await library.put("of-bob", owner="bob")

    async def shown():
        return sorted(item.title for item in (await library.feeds.feed(token, "rss")).items)

    assert await shown() == ["Water for-editors", "Water of-ada", "Water open"]
    await accounts_service.change_role(library.accounts, CONSOLE, ada.user_id, Role.MEMBER)
    assert await shown() == ["Water of-ada", "Water open"]
    await accounts_service.deactivate_user(library.accounts, CONSOLE, ada.user_id)
    with pytest.raises(NotFound):
        await shown()


async def test_a_document_without_a_date_keeps_one_date(library, ada):
    saved, token = await opened(library, ada)
    async with library.database.unit() as unit:
        await library.index.put(
            unit, SearchDocument(kind="news.link", id="undated", title="Water", path="/news/undated")
        )
    library.clock.advance(days=3)
    [item] = (await library.feeds.feed(token, "rss")).items
    assert item.published == saved.created_at


@pytest.mark.parametrize(
    ("language", "query", "description"),
    [
        ("en", "water", "What Almanac finds for: water"),
        ("ja", "水不足のおそれ", "検索結果：水不足のおそれ"),
        ("zh", "缺水", "搜索结果：缺水"),
        ("ms", "kekurangan air", "Hasil carian: kekurangan air"),
    ],
)
@pytest.mark.parametrize("has_entries", [True, False])
async def test_a_feed_is_described_in_the_language_of_its_entries(
    library, ada, language, query, description, has_entries
):
    _, token = await opened(library, ada, name=query, query=query)
    if has_entries:
        await library.put("a", title=query, language=language)
    feed = await library.feeds.feed(token, "rss")
    assert len(feed.items) == has_entries
    assert feed.description == description
    assert feed.language == (language if has_entries else "")
