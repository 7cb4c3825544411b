"""Inspect a whole database, and run the dumps that older versions made with PostgreSQL's own programs."""

import asyncio
import re
import shutil
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import scalar_row

from almanac.errors import Unavailable
from almanac.relational.errors import describe_refusal
from almanac.relational.server_programs import run_program
from almanac.relational.staged_schema import STAGED

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
_ALL_OR_NOTHING = ("--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1")
# A dump names the schema that it was made from, so that one has to step aside for it.
_ASIDE = ("ALTER SCHEMA public RENAME TO almanac_aside", "CREATE SCHEMA public")
_BACK = (f"ALTER SCHEMA public RENAME TO {STAGED}", "ALTER SCHEMA almanac_aside RENAME TO public")
# What a newer pg_dump sets, and older servers don't know.
_UNKNOWN_SETTING = re.compile(rb"SET (transaction_timeout|idle_session_timeout) = .*;\s*")


async def stage_dump(url: str, path: Path) -> None:
    """Run a dump that an older Almanac made with pg_dump, so that its tables are in the schema for staging.

    On any error the database stays as it was.
    """
    name, environment = _reaching(url)
    portable = path.with_name(f"{path.name}.portable")
    await asyncio.to_thread(_leave_out_settings, path, portable)
    run = partial(run_program, "psql", *_ALL_OR_NOTHING, *_commands(_ASIDE), environment=environment)
    await asyncio.to_thread(run, "--file", portable, *_commands(_BACK), "--dbname", name)


def _commands(statements: Iterable[str]) -> list[str]:
    return [f"--command={statement}" for statement in statements]


def _leave_out_settings(source: Path, target: Path) -> None:
    """Settings come before the first row; what looks like one later is somebody's text."""
    with source.open("rb") as dump, target.open("wb") as file:
        for line in dump:
            if line.startswith(b"COPY "):
                file.write(line)
                break
            if not _UNKNOWN_SETTING.fullmatch(line):
                file.write(line)
        shutil.copyfileobj(dump, file)


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
        raise Unavailable(describe_refusal(url, error)) from error
