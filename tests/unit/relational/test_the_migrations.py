"""Migrations give the documented schema, apply whole or not at all, and may be started by several processes at once."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import procrastinate.schema
import psycopg
import pytest

from almanac.errors import Unavailable
from almanac.jobs import SCHEMA
from almanac.kit.ids import new_id
from almanac.relational import (
    MIGRATIONS,
    Database,
    EmbeddedPostgres,
    MigrationFailed,
    UnsupportedDatabase,
    list_pending_migrations,
    migrate,
)
from almanac.relational.migrate import _LOCK
from almanac.relational.server_programs import run_program

SCRIPT = Path(__file__).parent / "server_process.py"


@pytest.fixture
async def empty_url(postgres: EmbeddedPostgres) -> AsyncIterator[str]:
    """A database without any table."""
    name = f"empty_{new_id().replace('-', '')}"
    async with await psycopg.AsyncConnection.connect(postgres.url("postgres"), autocommit=True) as connection:
        await connection.execute(f"CREATE DATABASE {name}")
        yield postgres.url(name)
        await connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def start_migrating(url: str) -> subprocess.Popen[str]:
    command = [sys.executable, str(SCRIPT), "migrate", url, str(SCHEMA)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


async def test_everything_is_applied_once(empty_url: str) -> None:
    expected = sorted(path.stem for path in (*SCHEMA.glob("*.sql"), *MIGRATIONS.glob("*.sql")))

    assert sorted(await list_pending_migrations(empty_url, SCHEMA, MIGRATIONS)) == expected
    assert sorted(await migrate(empty_url, SCHEMA, MIGRATIONS)) == expected
    assert await migrate(empty_url, SCHEMA, MIGRATIONS) == []


async def test_two_processes_may_migrate_at_once(empty_url: str) -> None:
    processes = [start_migrating(empty_url), start_migrating(empty_url)]
    counts = sorted(int(process.communicate()[0]) for process in processes)

    assert [process.returncode for process in processes] == [0, 0]
    assert counts[0] == 0
    assert counts[1] > 0


async def test_a_database_without_unicode_is_refused_before_a_write(
    postgres: EmbeddedPostgres,
) -> None:
    name = f"ascii_{new_id().replace('-', '')}"
    async with await psycopg.AsyncConnection.connect(postgres.url("postgres"), autocommit=True) as connection:
        await connection.execute(f"CREATE DATABASE {name} ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0")
        with pytest.raises(
            UnsupportedDatabase, match=f"SQL_ASCII.* `createdb --encoding=UTF8 --template=template0 {name}`"
        ):
            await migrate(postgres.url(name), SCHEMA, MIGRATIONS)
        async with await psycopg.AsyncConnection.connect(postgres.url(name)) as inside:
            tables = await inside.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
            assert await tables.fetchone() == (0,)
        await connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


async def test_a_migration_that_fails_leaves_nothing_behind(empty_url: str, tmp_path: Path) -> None:
    (tmp_path / "0001.good.sql").write_text("CREATE TABLE good (id int);")
    (tmp_path / "0002.half.sql").write_text("CREATE TABLE half (id int); CREATE TABLE half (id int);")
    with pytest.raises(MigrationFailed, match=r'0002\.half can\'t be applied .*: relation "half" already exists\.'):
        await migrate(empty_url, tmp_path)

    assert await list_pending_migrations(empty_url, tmp_path) == ["0002.half"]
    (tmp_path / "0002.half.sql").write_text("CREATE TABLE half (id int);")
    assert await migrate(empty_url, tmp_path) == ["0002.half"]


async def test_the_queue_has_the_schema_that_procrastinate_expects(
    empty_url: str, postgres: EmbeddedPostgres, tmp_path: Path
) -> None:
    name = f"expected_{new_id().replace('-', '')}"
    async with await psycopg.AsyncConnection.connect(postgres.url("postgres"), autocommit=True) as connection:
        await connection.execute(f"CREATE DATABASE {name}")
        async with Database(postgres.url(name)) as expected, expected.dedicated() as direct:
            await direct.execute(procrastinate.schema.SchemaManager.get_schema())
        await asyncio.to_thread(dump, postgres, name, tmp_path / "expected")
        await connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
    await migrate(empty_url, SCHEMA)
    await asyncio.to_thread(dump, postgres, empty_url.partition("@/")[2].partition("?")[0], tmp_path / "made")

    assert definitions(tmp_path / "expected") <= definitions(tmp_path / "made")


def dump(server: EmbeddedPostgres, name: str, file: Path) -> None:
    run_program("pg_dump", "--schema-only", "--file", file, "--dbname", server.url(name))


def definitions(dump: Path) -> set[str]:
    """The tables, functions, indexes and triggers of a dump, without the order of columns and the wording of bodies."""
    lines = {line.strip().rstrip(",") for line in dump.read_text().splitlines()}
    return {line for line in lines if line.startswith(("CREATE ", "procrastinate", "id ", "status ", "EXECUTE "))}


async def test_a_database_that_does_not_answer_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="check the database address"):
        await migrate(f"postgresql://nobody@/none?host={tmp_path}")


async def test_asking_does_not_wait_for_a_long_migration(empty_url: str) -> None:
    """Whoever asks whether we are ready asks again and again; questions that wait would use up every thread."""
    async with await psycopg.AsyncConnection.connect(empty_url, autocommit=True) as migrating:
        await migrating.execute("SELECT pg_advisory_lock(%s)", (_LOCK,))
        with pytest.raises(Unavailable, match="being migrated"):
            async with asyncio.timeout(30):
                await list_pending_migrations(empty_url, MIGRATIONS)
