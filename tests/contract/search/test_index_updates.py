"""Documents come, change and go with the transaction that says so."""

import pytest

from almanac.search import SearchDocument


async def test_a_document_replaces_the_one_of_its_name(bench):
    await bench.add("Old title", "old text", id="a", facets={"tag": ("old",)})
    await bench.add("New title", "new text", id="a")
    assert await bench.found("old") == set()
    assert await bench.found("tag:old") == set()
    assert await bench.found("new") == {"New title"}


async def test_kinds_do_not_share_names(bench):
    await bench.add("article", id="a")
    await bench.add("speech", id="a", kind="recap.speech")
    await bench.remove("news.article", "a", "never-there")
    assert await bench.found() == {"speech"}


async def test_what_is_rolled_back_is_not_found(bench):
    await bench.add("kept", id="a")

    async def change_and_fail():
        async with bench.database.unit() as unit:
            await bench.index.put(unit, SearchDocument(kind="news.article", id="b", title="lost", path="/"))
            await bench.index.remove(unit, "news.article", ["a"])
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await change_and_fail()
    assert await bench.found() == {"kept"}


async def test_many_documents_are_put_at_once(bench):
    documents = [
        SearchDocument(kind="news.article", id=str(number), title=f"number {number}", path="/")
        for number in range(1200)
    ]
    await bench.put(*documents, documents[0])
    assert (await bench.find("number")).total == 1200
    assert await bench.found('"number 1199"') == {"number 1199"}


async def test_putting_and_removing_nothing_changes_nothing(bench):
    await bench.add("Title", "Some rice.", id="kept")
    await bench.put()
    await bench.remove("news.article")
    assert (await bench.find("rice")).total == 1


async def test_a_hit_carries_what_was_put(bench):
    await bench.add(
        "Title",
        "Some text.",
        id="a",
        path="/news/a",
        language="en",
        date="2026-01-02",
        owner="me",
        facets={"tag": ("x", "y"), "country": ()},
        fields={"source": "Daily"},
    )
    (hit,) = (await bench.find("text")).hits
    assert (hit.kind, hit.id, hit.title, hit.path, hit.language) == ("news.article", "a", "Title", "/news/a", "en")
    assert hit.date is not None
    assert hit.date.isoformat() == "2026-01-02T00:00:00+00:00"
    assert hit.facets["tag"] == ("x", "y")
    assert hit.fields == {"source": "Daily"}
    assert hit.score > 0


async def test_a_facet_needs_a_plain_name(bench):
    with pytest.raises(ValueError, match="small letters"):
        await bench.add("a", facets={"No Good": ("x",)})
