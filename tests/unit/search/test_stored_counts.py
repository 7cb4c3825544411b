"""Kept counts equal counted ones, whatever was put, replaced, removed, rebuilt or added up, for every viewer."""

import asyncio
import random
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest

from almanac.search import UNRESTRICTED_VIEWER, DocumentBatch, DocumentKind, SearchDocument, SearchViewer, store
from almanac.search.memory import MemoryIndex
from almanac.search.postgres import PostgresIndex
from almanac.search.rebuild import IndexRebuilder

NOTE, STORY = (
    DocumentKind("note", "Note", "Notes", {"tag": "Tag"}),
    DocumentKind("story", "Story", "Stories", {"tag": "Tag"}),
)
VIEWERS = (
    UNRESTRICTED_VIEWER,
    SearchViewer(),
    SearchViewer("ada"),
    SearchViewer("ben", frozenset({"desk.news.read"})),
    SearchViewer(None, frozenset({"desk.news.read", "users.manage"})),
)
START = datetime(2026, 1, 1, tzinfo=UTC)
COUNTED = """
SELECT split_part(facet, '=', 1) AS name, count(*) FROM search_documents, unnest(facets) AS facet GROUP BY 1 ORDER BY 1
"""
KEPT = """
SELECT name, sum(documents)::bigint AS count FROM search_kept_counts GROUP BY 1 HAVING sum(documents) <> 0 ORDER BY 1
"""


class Stopped(Exception):
    pass


def document(chance: random.Random, kind: str, number: int) -> SearchDocument:
    return SearchDocument(
        kind=kind,
        id=f"{number:02}",
        title="word",
        path="/",
        language=chance.choice(["en", "ms", ""]),
        date=START + timedelta(days=chance.randint(0, 9)) if chance.random() < 0.7 else None,
        facets={"tag": tuple(chance.sample(["Rice", "ＲＩＣＥ", "trade", "a=b", "日本"], chance.randint(0, 3)))},
        owner=chance.choice([None, "ada", "ben", ""]),
        permission=chance.choice([None, "desk.news.read", "users.manage"]),
    )


@dataclass
class Both:
    """The index that keeps counts and the one that counts, which are told the same."""

    database: object
    chance: random.Random
    counted: int
    real: PostgresIndex = field(init=False)
    plain: MemoryIndex = field(init=False)

    def __post_init__(self):
        self.real = PostgresIndex(self.database, cursor_key=b"key", counted=self.counted)
        self.plain = MemoryIndex(counted=self.counted)
        for index in (self.real, self.plain):
            index.add_kinds(NOTE, STORY)

    def frequent(self) -> dict[str, list[str]]:
        """Filters that leave most documents more often than not."""
        return {"lang": ["EN"], "tag": ["ＲＩＣＥ", "trade", "a=b", "日本"][: self.chance.randint(1, 4)]}

    def some(self) -> list[tuple[str, int]]:
        everything = [(kind, number) for kind in ("note", "story") for number in range(12)]
        return sorted(self.chance.sample(everything, self.chance.randint(1, 8)))

    async def put(self):
        documents = [document(self.chance, *name) for name in self.some()]
        async with self.database.unit() as unit:
            await self.real.put(unit, *documents)
            await self.plain.put(unit, *documents)

    async def remove(self):
        async with self.database.unit() as unit:
            for kind, number in self.some():
                await self.real.remove(unit, kind, [f"{number:02}"])
                await self.plain.remove(unit, kind, [f"{number:02}"])

    async def fail(self):
        with pytest.raises(Stopped):
            await self._put_and_stop()

    async def _put_and_stop(self):
        async with self.database.unit() as unit:
            await self.real.put(unit, *(document(self.chance, *name) for name in self.some()))
            await store.apply_count_changes(unit, many=1)
            raise Stopped

    async def add_up(self):
        async with self.database.unit() as unit:
            await store.apply_count_changes(unit, many=1)

    async def rebuild(self):
        given = [document(self.chance, "note", number) for number in sorted(self.chance.sample(range(12), 5))]
        rebuilds = IndexRebuilder(self.database, self.real)
        rebuilds.add(Given(given))
        await rebuilds.rebuild(["note"])
        async with self.database.unit() as unit:
            await self.plain.put(unit, *given)
            gone = {f"{number:02}" for number in range(12)} - {note.id for note in given}
            await self.plain.remove(unit, "note", sorted(gone))

    async def compare(self):
        days = self.chance.choice(["", "", "date:2026-01-03..2026-01-06", "after:2026-01-05"])
        kinds = self.chance.choice([[], [], ["note"], ["story", "note"], ["NOTE"], ["nothing"]])
        asked = {"kinds": kinds, "facets": self.chance.choice([[], ["tag", "lang", "kind"]]), "limit": 5}
        asked["filters"] = self.chance.choice([{}, {}, {"lang": ["en", "ms"]}, {"tag": ["rice"]}, self.frequent()])
        for viewer in VIEWERS:
            for order in ("-date", "date"):
                await self._compare_pages(days, {**asked, "viewer": viewer, "order": order})

    async def _compare_pages(self, days, asked):
        ours = theirs = None
        while True:
            results = await self.real.find(days, cursor=ours, **asked)
            expected = await self.plain.find(days, cursor=theirs, **asked)
            assert [(hit.kind, hit.id) for hit in results.hits] == [(hit.kind, hit.id) for hit in expected.hits], asked
            assert (results.total, results.or_more) == (expected.total, expected.or_more), asked
            assert results.facets_among == expected.facets_among, asked
            assert results.facets == expected.facets, asked
            ours, theirs = results.next_cursor, expected.next_cursor
            assert (ours is None) == (theirs is None)
            if ours is None:
                return


@dataclass
class Given:
    """Gives some documents in one batch."""

    documents: list[SearchDocument]
    kind: DocumentKind = NOTE

    async def count(self) -> int:
        return len(self.documents)

    async def batch(self, _after: str | None, _limit: int) -> DocumentBatch:
        return DocumentBatch(self.documents)


@pytest.mark.parametrize(("seed", "counted"), [(0, 10_000), (1, 10_000), (2, 4)])
async def test_kept_counts_equal_counted_ones(database, seed, counted):
    both = Both(database, random.Random(seed), counted)
    for _ in range(20):
        change = both.chance.choice([both.put, both.put, both.remove, both.fail, both.add_up, both.rebuild])
        await change()
        await both.compare()


async def test_writers_at_the_same_time_lose_no_count(database):
    index = PostgresIndex(database, cursor_key=b"key")

    async def write(writer: int) -> None:
        chance = random.Random(writer)
        for _ in range(15):
            number = chance.randint(0, 9)
            async with database.unit() as unit:
                if chance.random() < 0.3:
                    await index.remove(unit, "note", [f"{number:02}"])
                else:
                    await index.put(unit, document(chance, "note", number))
                await store.apply_count_changes(unit, many=chance.choice([1, 1000]))

    await asyncio.gather(*(write(writer) for writer in range(4)))
    async with database.unit() as unit:
        assert await unit.all(KEPT) == await unit.all(COUNTED)


async def test_what_is_written_past_the_index_is_counted_too(database):
    index = PostgresIndex(database, cursor_key=b"key")
    async with database.unit() as unit:
        await index.put(unit, *(document(random.Random(number), "note", number) for number in range(9)))
    async with database.dedicated() as connection:
        await connection.execute("SET session_replication_role = replica")
        await connection.execute("DELETE FROM search_documents WHERE key < '03'")
        assert (await index.find("", viewer=UNRESTRICTED_VIEWER)).total == 6
        await connection.execute("TRUNCATE search_documents CASCADE")
    assert (await index.find("", viewer=UNRESTRICTED_VIEWER, facets=["tag"])).facets == {"tag": []}
