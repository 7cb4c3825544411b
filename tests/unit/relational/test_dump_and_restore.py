"""A dump holds everything; a restore brings back exactly that, or changes nothing."""

from pathlib import Path

import pytest

from almanac.errors import Unavailable
from almanac.relational import Database, dump_database, restore_database

URLS = "SELECT url FROM news_links ORDER BY id"
LINK = "INSERT INTO news_links (url, url_hash) VALUES (%(url)s, md5(%(url)s))"


async def add_link(database: Database, url: str) -> None:
    async with database.unit() as unit:
        await unit.execute(LINK, {"url": url})


async def urls(database: Database) -> list[str]:
    async with database.unit() as unit:
        return [row["url"] for row in await unit.all(URLS)]


async def test_a_restore_brings_back_what_was_dumped_and_nothing_else(database: Database, tmp_path: Path) -> None:
    await add_link(database, "https://example.org/令和?q='quoted'")
    await dump_database(database.url, tmp_path / "dump.sql")
    await add_link(database, "https://example.org/later")
    async with database.unit() as unit:
        await unit.execute("CREATE TABLE later (id int)")

    await restore_database(database.url, tmp_path / "dump.sql")

    assert await urls(database) == ["https://example.org/令和?q='quoted'"]
    async with database.unit() as unit:
        assert await unit.value("SELECT to_regclass('later')") is None
    await add_link(database, "https://example.org/new")
    assert len(await urls(database)) == 2


async def test_a_broken_dump_leaves_the_database_as_it_was(database: Database, tmp_path: Path) -> None:
    await add_link(database, "https://example.org/kept")
    await dump_database(database.url, tmp_path / "dump.sql")
    with (tmp_path / "dump.sql").open("a") as dump:
        dump.write("SELECT broken;\n")

    with pytest.raises(Unavailable, match="psql failed"):
        await restore_database(database.url, tmp_path / "dump.sql")
    assert await urls(database) == ["https://example.org/kept"]


async def test_a_database_that_does_not_answer_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="pg_dump failed"):
        await dump_database(f"postgresql://nobody@/none?host={tmp_path}", tmp_path / "dump.sql")
