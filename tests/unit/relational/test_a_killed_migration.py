"""A process that is killed while it migrates leaves each migration done or not begun, and the next start goes on."""

import asyncio
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from almanac.relational import get_migration_state, migrate

pytestmark = pytest.mark.lengthy

SCRIPT = Path(__file__).parent / "server_process.py"
TURN = 4711


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three migrations, the second of which waits in the middle for a turn that the test holds."""
    (tmp_path / "0001.first.sql").write_text("CREATE TABLE first (id int);")
    (tmp_path / "0002.half.sql").write_text(
        f"CREATE TABLE half (id int); SELECT pg_advisory_lock({TURN}); CREATE TABLE other_half (id int);"
    )
    (tmp_path / "0003.last.sql").write_text("CREATE TABLE last (id int);")
    return tmp_path


async def waits_for_its_turn(connection: psycopg.AsyncConnection[tuple[int]]) -> None:
    waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = %s AND NOT granted"
    async with asyncio.timeout(120):
        while (await (await connection.execute(waiting, (TURN,))).fetchone()) == (0,):  # noqa: ASYNC110 - PostgreSQL tells it only when asked
            await asyncio.sleep(0.05)


async def tables(connection: psycopg.AsyncConnection[tuple[int]]) -> set[str]:
    names = "SELECT tablename FROM pg_tables WHERE tablename IN ('first', 'half', 'other_half', 'last')"
    return {str(name) for (name,) in await (await connection.execute(names)).fetchall()}


async def test_the_next_start_finishes_what_a_killed_one_began(database_url: str, folder: Path) -> None:
    async with await psycopg.AsyncConnection.connect(database_url, autocommit=True) as connection:
        await connection.execute("SELECT pg_advisory_lock(%s)", (TURN,))
        process = await asyncio.create_subprocess_exec(
            sys.executable, str(SCRIPT), "migrate", database_url, str(folder), stdout=subprocess.DEVNULL
        )
        await waits_for_its_turn(connection)
        process.kill()
        await process.wait()
        await connection.execute("SELECT pg_advisory_unlock(%s)", (TURN,))
        standing = await get_migration_state(database_url, folder)
        assert standing.missing == ["0002.half", "0003.last"]
        assert await tables(connection) == {"first"}
        assert await migrate(database_url, folder) == ["0002.half", "0003.last"]
        assert await tables(connection) == {"first", "half", "other_half", "last"}
