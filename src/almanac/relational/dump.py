"""Dump and restore of a whole database, by PostgreSQL's own pg_dump and psql."""

import asyncio
from pathlib import Path

from psycopg.conninfo import conninfo_to_dict

from almanac.relational.programs import run_program

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
