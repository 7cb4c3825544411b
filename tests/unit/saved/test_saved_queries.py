"""A saved query belongs to who saved it, makes sense to search, and is edited without lost updates."""

import pytest

from almanac.accounts.model import AUTOMATION
from almanac.errors import Conflict, FieldErrors, NotFound, StaleEdit
from almanac.saved import SavedQueryInput
from almanac.saved.model import change_query
from almanac.saved.service import MAX_SAVED_QUERIES


async def test_a_query_is_kept_and_run(library, ada):
    await library.put("one", title="Water prices")
    await library.put("two", title="Bread prices")
    saved = await library.saved.save(ada, SavedQueryInput(name="  Water \n news ", query=" title:water "))
    assert (saved.name, saved.query, saved.version) == ("Water news", "title:water", 1)
    assert [hit.id for hit in (await library.saved.run(ada, saved.id)).hits] == ["one"]
    assert await library.saved.list(ada) == [saved]


async def test_to_everybody_else_it_is_not_there(library, ada, make_person):
    saved = await library.saved.save(ada, SavedQueryInput(name="Mine", query="water"))
    bob = await make_person("Bob")
    assert await library.saved.list(bob) == []
    for verb in (
        library.saved.get(bob, saved.id),
        library.saved.run(bob, saved.id),
        library.saved.delete(bob, saved.id),
        library.saved.open_feed(bob, saved.id),
        library.alerts.stop(bob, saved.id),
        library.saved.edit(bob, saved.id, SavedQueryInput(name="His"), expected=1),
    ):
        with pytest.raises(NotFound):
            await verb


@pytest.mark.parametrize(
    ("wish", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 121}, "name"),
        ({"query": '"never closed'}, "query"),
        ({"query": "x" * 1001}, "query"),
        ({"query": "nofield:x"}, "query"),
        ({"kinds": ["kitchen.soup"]}, "kinds"),
        ({"filters": {"tag": ["x" * 201]}}, "filters"),
        ({"filters": {f"tag{n}": ["x"] for n in range(21)}}, "filters"),
        ({"sort": "loudness"}, "sort"),
    ],
)
async def test_what_search_would_not_understand_is_refused_beside_its_field(library, ada, wish, field):
    with pytest.raises(FieldErrors) as refused:
        await library.saved.save(ada, SavedQueryInput(**{"name": "Water", "query": "water", **wish}))
    assert list(refused.value.fields) == [field]
    assert await library.saved.list(ada) == []


async def test_an_edit_on_an_older_version_is_refused(library, ada):
    saved = await library.saved.save(ada, SavedQueryInput(name="Water", query="water", filters={"tag": ["a"]}))
    renamed = await library.saved.edit(ada, saved.id, change_query(saved, name="Wells"), expected=1)
    assert (renamed.name, renamed.query, renamed.filters, renamed.version) == ("Wells", "water", {"tag": ("a",)}, 2)
    with pytest.raises(StaleEdit):
        await library.saved.edit(ada, saved.id, change_query(saved, name="No"), expected=1)


async def test_what_is_deleted_is_gone_with_feed_and_alert(library, ada):
    saved = await library.saved.open_feed(ada, (await library.saved.save(ada, SavedQueryInput(name="Water"))).id)
    token = library.feeds.tokens.token(saved.id, saved.feed_generation)
    await library.saved.delete(ada, saved.id)
    with pytest.raises(NotFound):
        await library.feeds.feed(token, "rss")


async def test_automation_may_save_queries_too(library):
    saved = await library.saved.save(AUTOMATION, SavedQueryInput(name="Water", query="water"))
    assert await library.saved.list(AUTOMATION) == [saved]


async def test_there_is_an_end_to_saved_queries(library, ada):
    async with library.database.unit() as unit:
        await unit.execute(
            "INSERT INTO saved_queries (id, owner_id, name, query, kinds, filters, sort, created_at, updated_at)"
            " SELECT n::text, %(owner)s, 'q', '', '{}', '{}', 'date', now(), now() FROM generate_series(1, %(n)s) n",
            {"owner": ada.user_id, "n": MAX_SAVED_QUERIES},
        )
    with pytest.raises(Conflict, match="delete one"):
        await library.saved.save(ada, SavedQueryInput(name="One too many"))
