"""What only the stored knowledge has: its index, its schedules, and changes while a source is being read."""

import asyncio
from contextlib import aclosing

from almanac.fetch import HostUnavailable
from almanac.knowledge import KnowledgeViewer, Visibility, jobs, store
from almanac.knowledge import source_reader as reading
from almanac.knowledge.indexing import ChunkProvider
from almanac.search import SearchViewer as Searcher
from almanac.search.rebuild import IndexRebuilder

AMINA = KnowledgeViewer("amina")
SEARCHING_AMINA, SEARCHING_BARAKA = Searcher("amina"), Searcher("baraka", frozenset({"desk.newsletter.read"}))
TEXT = b"The bridge near the market was mended in March. It had been unsafe since the January rains."


async def found(stored, words, viewer=SEARCHING_AMINA):
    results = await stored.search.find(words, viewer=viewer, kinds=["knowledge"])
    return [hit.id for hit in results.hits]


async def test_chunks_are_found_as_soon_as_they_are_read_and_by_those_who_may(stored):
    source = await stored.knowledge.add_file(AMINA, "bridge.txt", TEXT)
    assert await found(stored, "bridge") == []
    await stored.jobs.drain()
    (chunk,) = (await stored.knowledge.list_chunks(AMINA, source.id)).items
    assert await found(stored, "bridge market") == [chunk.id]
    assert await found(stored, "bridge", SEARCHING_BARAKA) == []
    await stored.knowledge.share(AMINA, source.id, Visibility.EVERYONE)
    assert await found(stored, "bridge", SEARCHING_BARAKA) == [chunk.id]
    await stored.knowledge.remove(AMINA, source.id)
    assert await found(stored, "bridge") == []
    await stored.knowledge.restore(AMINA, source.id)
    assert await found(stored, "bridge") == [chunk.id]


async def test_a_hit_carries_what_a_citation_needs(stored):
    page = b"<html><head><title>Bridge mended</title></head><body><h1>News</h1><p>" + TEXT + b"</p></body></html>"
    stored.web.lay_out("https://ward.example/bridge", page)
    source = await stored.knowledge.add_url(AMINA, "https://ward.example/bridge")
    await stored.jobs.drain()
    (hit,) = (await stored.search.find("bridge", viewer=SEARCHING_AMINA, kinds=["knowledge"])).hits
    assert hit.fields["url"] == "https://ward.example/bridge"
    assert hit.fields["source_id"] == source.id
    assert hit.path.startswith(f"/knowledge/{source.id}")


def feed_of(title, *entries):
    items = "".join(f"<item><guid>{key}</guid><description>{text}</description></item>" for key, text in entries)
    return f'<rss version="2.0"><channel><title>{title}</title>{items}</channel></rss>'.encode()


async def sources_found(stored):
    results = await stored.search.find("", viewer=SEARCHING_AMINA, kinds=["knowledge"], facets=["source"])
    return {first.value: first.count for first in results.facets["source"]}, {hit.title for hit in results.hits}


async def test_search_knows_a_source_by_the_title_that_it_has_now(stored):
    address = "https://ward.example/feed"
    stored.web.lay_out(address, feed_of("Ward news", ("a", "The bridge was mended.")))
    source = await stored.knowledge.add_feed(AMINA, address)
    await stored.jobs.drain()
    assert await sources_found(stored) == ({"Ward news": 1}, {"Ward news"})
    stored.web.lay_out(address, feed_of("News of the ward", ("b", "The school has a new roof.")))
    await stored.knowledge.refresh(AMINA, source.id)
    await stored.jobs.drain()
    assert (await sources_found(stored))[0] == {"News of the ward": 2}


async def test_words_that_are_gone_are_found_no_more(stored):
    await stored.knowledge.add_file(AMINA, "bridge.txt", TEXT)
    await stored.jobs.drain()
    await stored.knowledge.add_file(AMINA, "bridge.txt", b"Now it tells of a school and its new roof.")
    await stored.jobs.drain()
    assert await found(stored, "market") == []
    assert len(await found(stored, "school roof")) == 1


async def test_the_index_can_be_rebuilt_from_what_is_stored(stored, database):
    await stored.knowledge.add_file(AMINA, "bridge.txt", TEXT)
    await stored.jobs.drain()
    before = await found(stored, "bridge")
    async with database.unit() as unit:
        await stored.search.remove(unit, "knowledge", before)
    rebuilds = IndexRebuilder(database, stored.search)
    rebuilds.add(ChunkProvider(database))
    await rebuilds.rebuild([])
    assert await found(stored, "bridge") == before


async def test_a_host_that_is_down_is_tried_again_and_the_source_says_so(stored, clock):
    stored.web.fail("https://ward.example/", HostUnavailable("ward.example can't be reached."))
    source = await stored.knowledge.add_url(AMINA, "https://ward.example/")
    await stored.jobs.drain()
    waiting = (await stored.knowledge.get(AMINA, source.id)).source
    assert waiting.status == "waiting"
    assert waiting.reason == "ward.example can't be reached. (Attempt 1 of 6; it is tried again later.)"
    stored.web.lay_out("https://ward.example/", b"<html><p>The bridge was mended in March.</p></html>")
    clock.advance(minutes=5)
    await stored.jobs.drain()
    assert (await stored.knowledge.get(AMINA, source.id)).source.status == "ready"


async def test_an_unchanged_page_is_not_sent_or_read_again(stored):
    stored.web.lay_out("https://ward.example/", b"<html><p>The bridge was mended.</p></html>", headers={"ETag": '"1"'})
    source = await stored.knowledge.add_url(AMINA, "https://ward.example/")
    await stored.jobs.drain()
    before = (await stored.knowledge.get(AMINA, source.id)).source
    await stored.knowledge.refresh(AMINA, source.id)
    await stored.jobs.drain()
    after = (await stored.knowledge.get(AMINA, source.id)).source
    assert (after.status, after.read_at, len(stored.web.asked)) == ("ready", before.read_at, 2)


async def test_feeds_are_looked_at_each_hour_and_pages_each_day(stored, clock):
    item = "<item><guid>1</guid><title>Some words</title></item>"
    feed = f"<rss version='2.0'><channel><title>W</title>{item}</channel></rss>".encode()
    stored.web.lay_out("https://ward.example/feed", feed)
    stored.web.lay_out("https://ward.example/page", b"<html><p>The bridge was mended.</p></html>")
    await stored.knowledge.add_feed(AMINA, "https://ward.example/feed")
    await stored.knowledge.add_url(AMINA, "https://ward.example/page")
    await stored.jobs.start_due_runs()
    await stored.jobs.drain()
    for hours, looked_at in ((1, (2, 1)), (1, (3, 1)), (22, (4, 2))):
        clock.advance(hours=hours)
        await stored.jobs.start_due_runs()
        await stored.jobs.drain()
        asked = stored.web.asked
        assert (asked.count("https://ward.example/feed"), asked.count("https://ward.example/page")) == looked_at


async def test_what_was_removed_is_cleared_away_after_a_week(stored, clock, database):
    source = await stored.knowledge.add_file(AMINA, "bridge.txt", TEXT)
    await stored.jobs.drain()
    await stored.knowledge.remove(AMINA, source.id)
    await stored.jobs.start_due_runs()
    clock.advance(days=6)
    await stored.jobs.start_due_runs()
    await stored.jobs.drain()
    assert (await stored.objects.usage()).objects == 1
    clock.advance(days=2)
    await stored.jobs.start_due_runs()
    await stored.jobs.drain()
    assert (await stored.objects.usage()).objects == 0
    async with database.unit() as unit:
        assert await unit.value("SELECT count(*) FROM knowledge_chunks") == 0


async def test_all_that_was_removed_long_ago_is_cleared_away_in_one_night(stored, clock, monkeypatch):
    monkeypatch.setattr(jobs, "_BATCH_SIZE", 2)
    for number in range(5):
        source = await stored.knowledge.add_file(AMINA, f"bridge{number}.txt", TEXT)
        await stored.jobs.drain()
        await stored.knowledge.remove(AMINA, source.id)
    await stored.jobs.start_due_runs()
    clock.advance(days=8)
    await stored.jobs.start_due_runs()
    await stored.jobs.drain()
    assert (await stored.objects.usage()).objects == 0


async def test_only_the_newest_bytes_of_a_source_are_kept(stored):
    source = await stored.knowledge.add_file(AMINA, "bridge.txt", TEXT)
    await stored.jobs.drain()
    await stored.knowledge.add_file(AMINA, "bridge.txt", TEXT + b" And more.")
    await stored.jobs.drain()
    listed = [item.size async for item in stored.objects.iterate(f"knowledge/{source.id}")]
    assert listed == [len(TEXT) + 10]


async def test_cancelled_reading_leaves_a_word_and_goes_on_where_it_stopped(stored):
    items = "".join(f"<item><guid>{n}</guid><title>Entry number {n}</title></item>" for n in range(30))
    feed = f"<rss version='2.0'><channel><title>W</title>{items}</channel></rss>".encode()
    stored.web.lay_out("https://ward.example/feed", feed)
    source = await stored.knowledge.add_feed(AMINA, "https://ward.example/feed")

    async def cancel_midway():
        async with aclosing(stored.jobs.watch(source.job_id)) as changes:
            async for view in changes:
                if view.done == 10:
                    await stored.jobs.cancel(source.job_id)
                    return

    await asyncio.gather(stored.jobs.drain(), cancel_midway())
    halfway = (await stored.knowledge.get(AMINA, source.id)).source
    assert "cancelled" in halfway.reason
    assert 10 <= halfway.documents < 30
    await stored.knowledge.refresh(AMINA, source.id)
    await stored.jobs.drain()
    assert (await stored.knowledge.get(AMINA, source.id)).source.documents == 30


async def while_it_is_read(stored, monkeypatch, deed):
    """Do something once, when a reader has got the bytes and has not kept anything yet."""
    real, done = reading.read_in_process, []

    async def read_apart(*args):
        if not done:
            done.append(True)
            await deed()
        return await real(*args)

    monkeypatch.setattr(reading, "read_in_process", read_apart)
    await stored.jobs.drain()


async def test_a_newer_file_that_comes_while_the_older_is_read_is_the_one_that_stays(stored, monkeypatch):
    source = await stored.knowledge.add_file(AMINA, "bridge.txt", TEXT)
    newer = b"The bridge near the market is closed again since the May floods, the ward says."

    async def add_the_newer():
        await stored.knowledge.add_file(AMINA, "bridge.txt", newer)

    await while_it_is_read(stored, monkeypatch, add_the_newer)
    await stored.jobs.drain()
    page = await stored.knowledge.list_chunks(AMINA, source.id)
    assert [chunk.text for chunk in page.items] == [newer.decode()]
    assert [item.size async for item in stored.objects.iterate(f"knowledge/{source.id}")] == [len(newer)]
    assert (await stored.knowledge.get(AMINA, source.id)).source.size == len(newer)


async def test_bytes_that_are_cleared_away_before_their_row_names_them_are_put_again(stored, monkeypatch):
    source = await stored.knowledge.add_file(AMINA, "bridge.txt", TEXT)
    await stored.jobs.drain()
    real = stored.objects.put

    async def put_and_lose(key, *args, **kwargs):
        monkeypatch.setattr(stored.objects, "put", real)
        await real(key, *args, **kwargs)
        await stored.objects.delete(key)

    monkeypatch.setattr(stored.objects, "put", put_and_lose)
    await stored.knowledge.add_file(AMINA, "bridge.txt", TEXT + b" And more.")
    await stored.jobs.drain()
    assert (await stored.knowledge.get(AMINA, source.id)).source.status == "ready"


async def test_two_who_add_a_file_at_once_leave_no_bytes_behind(stored):
    first, second = await asyncio.gather(
        stored.knowledge.add_file(AMINA, "bridge.txt", TEXT), stored.knowledge.add_file(AMINA, "bridge.txt", TEXT)
    )
    assert first.id == second.id
    await stored.jobs.drain()
    assert [item.key.split("/")[1] async for item in stored.objects.iterate("knowledge")] == [first.id]


async def test_what_is_made_private_while_it_is_kept_is_found_by_no_other(stored, database, monkeypatch):
    """The words that are kept just then are indexed as what they are by the time they can be found."""
    source = await stored.knowledge.add_file(AMINA, "bridge.txt", TEXT, visibility=Visibility.EVERYONE)
    real = store.list_indexed_chunks
    sharing = []

    async def list_indexed(unit, **which):
        rows = await real(unit, **which)
        if not sharing:
            sharing.append(asyncio.create_task(stored.knowledge.share(AMINA, source.id, Visibility.MINE)))
            await asyncio.wait(sharing, timeout=0.5)
        return rows

    monkeypatch.setattr(store, "list_indexed_chunks", list_indexed)
    await stored.jobs.drain()
    await sharing[0]
    assert await found(stored, "market bridge", SEARCHING_BARAKA) == []
    assert await found(stored, "market bridge")
