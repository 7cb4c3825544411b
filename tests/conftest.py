"""What tests of every kind share: one embedded PostgreSQL for the whole run, a fresh database per test, a clock."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest

from almanac.jobs import SCHEMA
from almanac.kit.clock import FixedClock
from almanac.kit.ids import new_id
from almanac.relational import MIGRATIONS, Database, EmbeddedPostgres, migrate

SPEED = {
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "autovacuum": "off",
    "max_wal_size": "4GB",
    "checkpoint_timeout": "1h",
}
TEMPLATE = "migrated"


@pytest.fixture(scope="session")
def postgres_folder() -> Path:
    """Shared by the workers of one run, and short enough for a socket."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID") or new_id()
    return Path(tempfile.gettempdir()) / f"almanac-test-{run[-12:]}"


@pytest.fixture(scope="session")
async def postgres(postgres_folder: Path) -> AsyncIterator[EmbeddedPostgres]:
    """A running server with a migrated, empty database to copy from."""
    server = EmbeddedPostgres(postgres_folder, options=SPEED)
    await server.start()
    with (postgres_folder / "template.lock").open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        await make_template(server)
    yield server
    if await server.stop():
        shutil.rmtree(postgres_folder, ignore_errors=True)


async def make_template(server: EmbeddedPostgres) -> None:
    """Nobody may be connected to a template while it is copied, so it gets its name when it is complete."""
    async with await psycopg.AsyncConnection.connect(server.url("postgres"), autocommit=True) as connection:
        made = await connection.execute("SELECT FROM pg_database WHERE datname = %s", (TEMPLATE,))
        if made.rowcount == 0:
            await connection.execute("CREATE DATABASE in_the_making")
            await migrate(server.url("in_the_making"), SCHEMA, MIGRATIONS)
            await connection.execute(f"ALTER DATABASE in_the_making RENAME TO {TEMPLATE}")


@pytest.fixture
async def database_url(postgres: EmbeddedPostgres) -> AsyncIterator[str]:
    """The address of a migrated, empty database that lives as long as the test."""
    name = f"test_{new_id().replace('-', '')}"
    async with await psycopg.AsyncConnection.connect(postgres.url("postgres"), autocommit=True) as connection:
        await connection.execute(f'CREATE DATABASE "{name}" TEMPLATE {TEMPLATE}')
        yield postgres.url(name)
        await connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """A migrated, empty database."""
    async with Database(database_url, max_connections=6) as database:
        yield database


@pytest.fixture
def clock() -> FixedClock:
    """Stands still at a Monday morning until the test moves it."""
    return FixedClock(datetime(2026, 3, 2, 9, 0, tzinfo=UTC))
