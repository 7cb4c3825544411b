"""Counts of drafts are cached briefly, and never served after a write that changed them."""

from almanac.desks.reminders import store


async def test_a_count_is_read_once_until_something_is_written(tables, owing, drafted):
    await owing("acme")
    await drafted("acme")
    assert await store.count_drafts(tables, "draft", upto=50) == 1
    with tables.measure() as spent:
        assert await store.count_drafts(tables, "draft", upto=50) == 1
    assert spent.total.calls == 0
    await owing("birch", numbers=("INV-2",))
    await drafted("birch")
    assert await store.count_drafts(tables, "draft", upto=50) == 2


async def test_states_and_limits_are_counted_apart(tables, owing, drafted):
    await owing("acme")
    await drafted("acme")
    await owing("birch", numbers=("INV-2",))
    await drafted("birch")
    assert await store.count_drafts(tables, "draft", upto=1) == 1
    assert await store.count_drafts(tables, "draft", upto=50) == 2
    assert await store.count_drafts(tables, "unknown", upto=50) == 0
