"""Dump, restore and inspect a whole database with PostgreSQL's own programs."""

import asyncio
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import scalar_row

from almanac.errors import Unavailable
from almanac.relational.server_programs import run_program

_VARIABLES = {
    "host": "PGHOST",
    "port": "PGPORT",
    "user": "PGUSER",
    "password": "PGPASSWORD",
    "passfile": "PGPASSFILE",
    "service": "PGSERVICE",
    "options": "PGOPTIONS",
    "connect_timeout": "PGCONNECT_TIMEOUT",
    "channel_binding": "PGCHANNELBINDING",
    "sslmode": "PGSSLMODE",
    "sslrootcert": "PGSSLROOTCERT",
    "sslcert": "PGSSLCERT",
    "sslkey": "PGSSLKEY",
}
_CONTENT = ("--format=plain", "--no-owner", "--no-privileges")
_ALL_OR_NOTHING = ("--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1")
_EMPTY = ("--command=DROP SCHEMA public CASCADE", "--command=CREATE SCHEMA public")


async def dump_database(url: str, path: Path) -> None:
    """Write everything in the database to one file of SQL, as of one moment, while it stays in use."""
    name, environment = _reaching(url)
    what = (*_CONTENT, "--file", path, "--dbname", name)
    await asyncio.to_thread(run_program, "pg_dump", *what, environment=environment)


async def restore_database(url: str, path: Path) -> None:
    """Make the database hold what the file holds and nothing else; on any error it stays as it was."""
    name, environment = _reaching(url)
    what = (*_ALL_OR_NOTHING, *_EMPTY, "--file", path, "--dbname", name)
    await asyncio.to_thread(run_program, "psql", *what, environment=environment)


def _reaching(url: str) -> tuple[str, dict[str, str]]:
    """The database name and, as variables, the rest: an argument would show the password to the whole machine."""
    given = conninfo_to_dict(url)
    name = str(given.pop("dbname", "") or given.get("user") or "postgres")
    return name, {_VARIABLES[key]: str(value) for key, value in given.items() if key in _VARIABLES}


_TABLES = """
SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) FROM pg_tables
WHERE schemaname NOT IN ('pg_catalog', 'information_schema') AND tablename !~ '^_?yoyo'
"""
_OTHERS = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
"""
# Rows that migrations themselves write, so that a database in which nothing happened yet counts as empty.
_WRITTEN_BY_MIGRATIONS = frozenset({"public.audit_head", "public.procrastinate_version"})


async def has_rows(url: str) -> bool:
    """Whether any table has a row that no migration wrote."""
    async with await _connection(url) as connection:
        for name in await (await connection.execute(_TABLES)).fetchall():
            # The name is quoted by PostgreSQL itself.
            asked = sql.SQL("SELECT EXISTS (SELECT FROM {})").format(sql.SQL(name))
            if name not in _WRITTEN_BY_MIGRATIONS and await (await connection.execute(asked)).fetchone():
                return True
    return False


async def count_other_connections(url: str) -> int:
    """How many connections to the database are open besides the one that asks."""
    async with await _connection(url) as connection:
        return int(await (await connection.execute(_OTHERS)).fetchone() or 0)


async def _connection(url: str) -> psycopg.AsyncConnection[Any]:
    try:
        return await psycopg.AsyncConnection.connect(url, autocommit=True, row_factory=scalar_row)
    except psycopg.OperationalError as error:
        raise Unavailable("The database doesn't answer; check the database address and that it runs.") from error
