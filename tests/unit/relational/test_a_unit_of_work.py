"""A unit of work commits as a whole or not at all, and speaks our errors."""

from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from almanac.errors import Unavailable
from almanac.relational import Database, DuplicateRow, Jsonb, StillReferenced, UnstorableValue

LINK = "INSERT INTO news_links (url, url_hash) VALUES (%(url)s, md5(%(url)s)) RETURNING id"


@dataclass(frozen=True)
class Link:
    url: str
    status: str


async def test_a_block_that_ends_well_is_committed(database: Database) -> None:
    async with database.unit() as unit:
        await unit.execute(LINK, {"url": "a"})

    async with database.unit() as unit:
        assert await unit.value("SELECT count(*) FROM news_links") == 1


async def test_any_error_rolls_the_whole_block_back(database: Database) -> None:
    async def write_then_fail() -> None:
        async with database.unit() as unit:
            await unit.execute(LINK, {"url": "a"})
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await write_then_fail()

    async with database.unit() as unit:
        assert await unit.value("SELECT count(*) FROM news_links") == 0


async def test_rows_are_built_by_keyword(database: Database) -> None:
    async with database.unit() as unit:
        await unit.execute(LINK, {"url": "a"})
        assert await unit.all("SELECT url, status FROM news_links", into=Link) == [Link("a", "pending")]
        assert await unit.one("SELECT url, status FROM news_links WHERE id = 0", into=Link) is None


async def test_dictionaries_travel_as_json_with_dates(database: Database) -> None:
    moment = datetime(2026, 3, 2, tzinfo=UTC)
    async with database.unit() as unit:
        assert await unit.value("SELECT %(it)s::jsonb", {"it": {"at": moment}}) == {"at": "2026-03-02T00:00:00Z"}
        assert await unit.value("SELECT %(it)s", {"it": Jsonb([1, {"a": None}])}) == [1, {"a": None}]


async def test_a_second_row_of_a_unique_value_is_a_duplicate(database: Database) -> None:
    async def write_twice() -> None:
        async with database.unit() as unit:
            await unit.execute(LINK, {"url": "a"})
            await unit.execute(LINK, {"url": "a"})

    with pytest.raises(DuplicateRow) as caught:
        await write_twice()

    assert caught.value.constraint == "news_links_url_hash_key"


async def test_a_row_that_points_nowhere_is_refused(database: Database) -> None:
    with pytest.raises(StillReferenced):
        async with database.unit() as unit:
            await unit.execute("INSERT INTO processed_content (link_id) VALUES (99)")


@pytest.mark.parametrize("url", ["a\x00b", "\ud800"])
async def test_text_with_a_character_that_is_no_text_is_bad_input(database: Database, url: str) -> None:
    with pytest.raises(UnstorableValue, match="can't be stored"):
        await add(database, url)


async def test_a_value_that_does_not_fit_is_bad_input(database: Database) -> None:
    async def write_too_much() -> None:
        async with database.unit() as unit:
            await unit.execute("INSERT INTO news_links (url, url_hash) VALUES ('a', repeat('x', 65))")

    with pytest.raises(UnstorableValue):
        await write_too_much()


async def add(database: Database, url: str) -> None:
    async with database.unit() as unit:
        await unit.execute(LINK, {"url": url})


async def test_what_waits_for_the_commit_never_happens_after_a_rollback(database: Database) -> None:
    happened: list[str] = []

    async def wait_then_fail() -> None:
        async with database.unit() as unit:
            unit.after_commit(lambda: happened.append("rolled back"))
            raise RuntimeError

    async with database.unit() as unit:
        unit.after_commit(lambda: happened.append("committed"))
        assert happened == []
    with pytest.raises(RuntimeError):
        await wait_then_fail()

    assert happened == ["committed"]


async def test_a_database_that_does_not_answer_is_unavailable(tmp_path: object) -> None:
    database = Database(f"postgresql://nobody@/none?host={tmp_path}", patience_seconds=0.2)
    with pytest.raises(Unavailable, match="doesn't answer"):
        await database.open()
    await database.close()


async def test_a_database_tells_its_version(database: Database) -> None:
    assert (await database.check()).startswith("18.")


async def test_connections_that_broke_while_they_rested_are_replaced(database: Database) -> None:
    async def ask() -> object:
        async with database.unit() as unit:
            return await unit.value("SELECT pg_backend_pid()")

    rested = {await ask() for _ in range(3)}
    async with database.dedicated() as another:
        gone = await another.execute(
            "SELECT pg_terminate_backend(pid, 10000) FROM unnest(%s::int[]) AS pid", [list(rested)]
        )
        assert await gone.fetchall() == [(True,)] * len(rested)

    assert await ask() not in rested
    async with database.reading() as reading:
        assert await reading.value("SELECT pg_backend_pid()") not in rested


async def test_a_reading_leaves_no_transaction_open(database: Database) -> None:
    async with database.reading() as reading:
        first = await reading.value("SELECT now()")
        assert await reading.value("SELECT now()") > first
