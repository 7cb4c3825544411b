"""Rows go out and into a staged schema as they were; anything else than what was copied is refused."""

from pathlib import Path

import pytest

from almanac.errors import Unavailable
from almanac.jobs import SCHEMA
from almanac.relational import MIGRATIONS, Database, DatabaseCopy, IncompleteDatabase, get_migration_state
from almanac.relational.staged_schema import (
    TRIAL,
    CopyDiffers,
    RestoreRunning,
    create_schema,
    drop_schema,
    existing_schemas,
    fill_schema,
    staging,
)
from almanac.relational.table_copy import (
    connect,
    copy_out,
    find_live_schema,
    read_sequences,
    read_shapes,
    snapshot,
)

LIVE = "public"
SOURCES = (SCHEMA, MIGRATIONS)
LINK = "INSERT INTO news_links (url, url_hash) VALUES (%(url)s, md5(%(url)s))"
AWKWARD = ["https://example.org/令和?q='quoted'", "a\ttab", "two\nlines", "back\\slash", "\\N", "\\.", ""]


async def add_links(database: Database, *urls: str) -> None:
    async with database.unit() as unit:
        for url in urls:
            await unit.execute(LINK, {"url": url})


async def copy_all(database: Database, folder: Path) -> DatabaseCopy:
    applied = (await get_migration_state(database.url, *SOURCES)).applied
    with snapshot(database.url) as source:
        tables = [copy_out(source, shape, LIVE, folder / shape.name) for shape in read_shapes(source, LIVE)]
        return DatabaseCopy(source.info.server_version, applied, tables, read_sequences(source, LIVE))


def stage(database: Database, copy: DatabaseCopy, folder: Path) -> list[str]:
    """The links as a trial restore has them."""
    with staging(database.url, TRIAL) as connection:
        create_schema(connection, database.url, TRIAL, copy, *SOURCES)
        try:
            fill_schema(connection, TRIAL, copy, lambda table: folder / table.name)
            rows = connection.execute(f"SELECT url FROM {TRIAL}.news_links ORDER BY id").fetchall()
        finally:
            drop_schema(connection, TRIAL)
        assert existing_schemas(connection, (TRIAL,)) == set()
    return [url for (url,) in rows]


async def test_every_character_comes_back(database: Database, tmp_path: Path) -> None:
    await add_links(database, *AWKWARD)
    copy = await copy_all(database, tmp_path)
    assert copy.sequences["news_links_id_seq"] == len(AWKWARD)
    assert stage(database, copy, tmp_path) == AWKWARD


async def test_rows_that_differ_from_the_copy_are_refused(database: Database, tmp_path: Path) -> None:
    await add_links(database, "https://example.org/one", "https://example.org/two")
    copy = await copy_all(database, tmp_path)
    (tmp_path / "news_links").write_bytes((tmp_path / "news_links").read_bytes().replace(b"org/two", b"org/ten"))
    with pytest.raises(CopyDiffers, match="news_links"):
        stage(database, copy, tmp_path)


async def test_a_row_that_points_to_nothing_is_refused(database: Database, tmp_path: Path) -> None:
    async with database.unit() as unit:
        await unit.execute("SET LOCAL session_replication_role = replica")
        await unit.execute(
            "INSERT INTO sessions (id, user_id, token_hash, address, user_agent, created_at, last_seen_at, expires_at)"
            " VALUES ('1', 'nobody', '', '', '', now(), now(), now())"
        )
    copy = await copy_all(database, tmp_path)
    with pytest.raises(CopyDiffers, match="foreign key"):
        stage(database, copy, tmp_path)


async def test_a_missing_column_is_named(database: Database, tmp_path: Path) -> None:
    with snapshot(database.url) as source:
        shapes = {shape.name: shape for shape in read_shapes(source, LIVE)}
    async with database.unit() as unit:
        await unit.execute("ALTER TABLE news_links DROP COLUMN url_hash CASCADE")
    with snapshot(database.url) as source, pytest.raises(IncompleteDatabase, match="news_links"):
        copy_out(source, shapes["news_links"], LIVE, tmp_path / "rows")


async def test_one_stages_at_a_time(database: Database) -> None:
    with staging(database.url, TRIAL), pytest.raises(RestoreRunning), staging(database.url, TRIAL):
        pass


def test_a_database_that_does_not_answer_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="doesn't answer"), snapshot(f"postgresql://nobody@/none?host={tmp_path}"):
        pass


async def test_the_schema_is_the_one_that_statements_use(database: Database) -> None:
    """A role may have another than `public` as its own."""
    with snapshot(database.url) as source:
        assert find_live_schema(source) == LIVE
    with connect(database.url) as connection:
        connection.execute("CREATE SCHEMA ours")
        connection.execute("SET search_path TO missing, ours, public")
        assert find_live_schema(connection) == "ours"
