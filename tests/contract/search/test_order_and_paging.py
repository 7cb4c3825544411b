"""Results come by relevance or by date, in pages that neither repeat nor miss anything."""

from itertools import chain

import pytest

from almanac.errors import InputError


async def all_pages(bench, query, **more):
    seen, cursor = [], None
    while True:
        results = await bench.find(query, cursor=cursor, limit=3, **more)
        seen.append([hit.id for hit in results.hits])
        cursor = results.next_cursor
        if cursor is None:
            return seen
        assert len(seen) < 20


async def test_a_title_counts_more_than_the_text(bench):
    await bench.add("Something else", "a word about harvest among many other words here", id="text")
    await bench.add("Harvest", "nothing more", id="title")
    assert await bench.ids("harvest") == ["title", "text"]


async def test_more_of_a_word_counts_more(bench):
    await bench.add("A", "rice and wheat and maize and beans and soy and oats", id="once")
    await bench.add("B", "rice and rice and rice and beans and soy and oats", id="often")
    assert await bench.ids("rice") == ["often", "once"]


async def test_among_equals_the_newest_comes_first(bench):
    await bench.add("rice", date="2026-01-01", id="old")
    await bench.add("rice", date="2026-02-01", id="new")
    await bench.add("rice", id="undated")
    assert await bench.ids("rice") == ["new", "old", "undated"]


async def test_dates_order_both_ways_with_undated_last(bench):
    await bench.add("rice", date="2026-01-01", id="old")
    await bench.add("rice rice", id="undated")
    await bench.add("rice", date="2026-02-01", id="new")
    assert await bench.ids("rice", order="-date") == ["new", "old", "undated"]
    assert await bench.ids("rice", order="date") == ["old", "new", "undated"]
    assert await bench.ids("", order="relevance") == ["new", "old", "undated"]


@pytest.mark.parametrize("order", ["relevance", "date", "-date"])
async def test_pages_hold_everything_once(bench, order):
    for number in range(10):
        day = f"2026-01-{number // 2 + 1:02}" if number % 5 else None
        await bench.add("rice", "rice " * (number % 3), id=str(number), date=day)
    pages = await all_pages(bench, "rice", order=order)
    assert [len(page) for page in pages] == [3, 3, 3, 1]
    assert sorted(chain(*pages)) == [str(number) for number in range(10)]
    assert list(chain(*pages)) == await bench.ids("rice", order=order)


@pytest.mark.parametrize(("order", "newcomer"), [("-date", "2026-02-01"), ("date", "2025-02-01")])
async def test_what_comes_in_between_moves_no_page(bench, order, newcomer):
    for number in range(6):
        await bench.add("rice", date=f"2026-01-0{number + 1}", id=str(number))
    first = await bench.find("rice", order=order, limit=3)
    await bench.add("rice", date=newcomer, id="newcomer")
    second = await bench.find("rice", order=order, limit=3, cursor=first.next_cursor)
    shown = [hit.id for hit in (*first.hits, *second.hits)]
    assert sorted(shown) == ["0", "1", "2", "3", "4", "5"]


async def test_a_page_that_is_just_full_has_no_next(bench):
    for _ in range(3):
        await bench.add("rice")
    results = await bench.find("rice", limit=3)
    assert len(results.hits) == 3
    assert results.next_cursor is None


async def test_a_cursor_belongs_to_its_search(bench):
    for _ in range(4):
        await bench.add("rice harvest")
    cursor = (await bench.find("rice", limit=2)).next_cursor
    assert cursor is not None
    for wrong in ({"query": "harvest"}, {"order": "date"}, {"kinds": ["news.article"]}, {"filters": {"tag": ["x"]}}):
        with pytest.raises(InputError, match="start again from the first page"):
            await bench.find(**{"query": "rice", **wrong}, cursor=cursor)
    with pytest.raises(InputError, match="start again"):
        await bench.find("rice", cursor="forged")


async def test_facets_are_counted_over_everything_found(bench):
    for number in range(7):
        tags = ("Rice", "Trade") if number % 2 else ("rice",)
        await bench.add("harvest", facets={"tag": tags, "country": ("my",)}, language="en" if number else "ms")
    await bench.add("unrelated", facets={"tag": ("Rice",)})
    results = await bench.find("harvest", facets=["tag", "lang", "person"], limit=2)
    counts = {name: [(facet.value, facet.count) for facet in values] for name, values in results.facets.items()}
    assert counts == {"tag": [("rice", 7), ("Trade", 3)], "lang": [("en", 6), ("ms", 1)], "person": []}
    assert results.total == 7
    assert (await bench.find("harvest", limit=2)).total == 7
    assert (await bench.find("nothing like it", facets=["tag"])).total == 0


async def test_bare_hits_are_the_same_documents_in_the_same_pages(bench):
    for day in range(1, 8):
        await bench.add(f"rice {day}", "a text", date=f"2026-01-0{day}", language="en")
    for query, order in (("rice", "relevance"), ("", "-date")):
        bare = await all_pages(bench, query, order=order, bare=True)
        assert bare == await all_pages(bench, query, order=order)
        assert [len(page) for page in bare] == [3, 3, 1]
    hit = (await bench.find("rice", bare=True)).hits[0]
    full = (await bench.find("rice")).hits[0]
    assert (hit.kind, hit.id, hit.score) == (full.kind, full.id, full.score)
    assert (hit.title, hit.path, hit.language, hit.date, hit.snippet) == ("", "", "", None, ())
