"""Of very many matches only some are ranked; still every one is reached, once, and the best come first."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from unittest.mock import patch

import pytest

from almanac.relational import Database, Unit
from almanac.search import UNRESTRICTED_VIEWER, FacetCount, SearchDocument, store
from almanac.search.postgres import MAX_RANKED, PostgresIndex

START = datetime(2020, 1, 1, tzinfo=UTC)
GIVEN = "SELECT count(*) FROM search_documents WHERE vector @@ %(everything)s::tsquery"


def document(number: int, title: str = "A day", body: str = "rice among many other things") -> SearchDocument:
    date = START + timedelta(days=number)
    return SearchDocument(kind="note", id=f"{number:04}", title=title, body=body, path="/", date=date)


async def test_beyond_the_ranked_the_rest_follows_by_date(database):
    index = PostgresIndex(database, cursor_key=b"key")
    many = MAX_RANKED + 120
    async with database.unit() as unit:
        await index.put(unit, document(0, title="Rice"), *(document(number) for number in range(1, many)))
    seen, cursor = [], None
    while cursor or not seen:
        results = await index.find("rice", viewer=UNRESTRICTED_VIEWER, limit=150, cursor=cursor)
        seen += [hit.id for hit in results.hits]
        cursor = results.next_cursor
        assert results.total == many
    assert sorted(seen) == [f"{number:04}" for number in range(many)]
    assert seen[0] == "0000", "the oldest has the word in its title, and comes first"
    assert seen[1:] == sorted(seen[1:], reverse=True)


async def many_of_two_kinds(database, counted: int) -> PostgresIndex:
    """Stories that name rice every day; notes long before them, two of them about rice; one from afar, some undated."""
    index = PostgresIndex(database, cursor_key=b"key", counted=counted)
    stories = [replace(document(number, body="rice and wheat"), kind="story") for number in range(4000, 4400)]
    stories[100:180] = [replace(story, date=stories[100].date) for story in stories[100:180]]
    notes = [document(0, title="Rice"), document(1, title="Rice"), *(document(number) for number in range(2, 9))]
    future = document(40_000)
    undated = [replace(document(number), date=None) for number in range(20, 30)]
    async with database.unit() as unit:
        await index.put(unit, *stories, *notes, future, *undated)
    async with database.dedicated() as connection:
        await connection.execute("VACUUM ANALYZE search_documents")
    return index


async def everything(index: PostgresIndex, query: str, **asked: object) -> list[str]:
    seen, cursor = [], None
    while cursor or not seen:
        results = await index.find(query, viewer=UNRESTRICTED_VIEWER, limit=50, cursor=cursor, **asked)
        seen += [hit.id for hit in results.hits]
        cursor = results.next_cursor
    return seen


@pytest.mark.parametrize("order", ["relevance", "-date", "date"])
async def test_more_than_are_counted_come_in_the_same_order(database, order):
    few = await everything(await many_of_two_kinds(database, counted=10_000), "rice", order=order)
    many = await everything(PostgresIndex(database, cursor_key=b"key", counted=30), "rice", order=order)
    assert len(few) == 400 + 9 + 1 + 10
    assert many == few


async def test_much_of_one_kind_hides_no_other(database):
    index = await many_of_two_kinds(database, counted=30)
    results = await index.survey("rice", viewer=UNRESTRICTED_VIEWER, facets=["lang"], each=3)
    assert results.results.facets["kind"] == [FacetCount("story", 30, or_more=True), FacetCount("note", 20)]
    assert (results.results.total, results.results.or_more) == (50, True)
    assert [hit.id for hit in results.best["note"]][:2] == ["0001", "0000"], "what is about rice, however old"


async def test_a_page_of_many_is_looked_for_among_few(database):
    await many_of_two_kinds(database, counted=30)
    assert await looked_through(database, counted=10_000) == 400
    assert 6 <= await looked_through(database, counted=30) < 60
    assert 6 <= await looked_through(database, counted=200) < 60, "too few more than that to be known beforehand"


@dataclass
class Watched:
    """A database that remembers what the page was asked for with."""

    database: Database
    name: str = "find_newest"
    asked: list[Mapping[str, object]] = field(default_factory=list)

    @asynccontextmanager
    async def unit(self) -> AsyncIterator[Unit]:
        async with self.database.unit() as unit:
            fetch_one, fetch_all = unit.one, unit.all

            async def watched_one(sql, params=None, **more):
                self._note(sql, params)
                return await fetch_one(sql, params, **more)

            async def watched_all(sql, params=None, **more):
                self._note(sql, params)
                return await fetch_all(sql, params, **more)

            with patch.multiple(unit, one=watched_one, all=watched_all):
                yield unit

    def _note(self, sql, params):
        if sql == store.QUERIES[self.name]:
            self.asked.append(params)


async def looked_through(database, counted: int) -> int:
    """How many documents the index gives for a page of the newest."""
    watched = Watched(database)
    index = PostgresIndex(watched, cursor_key=b"key", counted=counted)
    results = await index.find("wheat", viewer=UNRESTRICTED_VIEWER, order="-date", limit=5)
    assert [hit.id for hit in results.hits] == ["4399", "4398", "4397", "4396", "4395"]
    (asked,) = watched.asked
    async with database.unit() as unit:
        return int(await unit.value(GIVEN, asked))


async def test_of_far_more_not_even_their_list_is_read(database):
    """Where far more are likely than are counted, nothing is asked of the index but days that hold enough."""
    await many_of_two_kinds(database, counted=30)
    watched = Watched(database, "count_matches")
    index = PostgresIndex(watched, cursor_key=b"key", counted=30)
    results = await index.find("wheat", viewer=UNRESTRICTED_VIEWER, facets=["kind", "lang"], order="-date")
    assert (results.total, results.or_more) == (30, True)
    assert results.facets["kind"] == [FacetCount("story", 30, or_more=True)]
    async with database.unit() as unit:
        assert watched.asked
        assert max([int(await unit.value(GIVEN, asked)) for asked in watched.asked]) < 100
