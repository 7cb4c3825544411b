"""Whether a database holds anything and whether anybody works with it: asked before it is replaced as a whole."""

from typing import Any

import psycopg
from psycopg import sql
from psycopg.rows import scalar_row

from almanac.errors import Unavailable

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


async def holds_rows(url: str) -> bool:
    """Whether any table has a row that no migration wrote."""
    async with await _connection(url) as connection:
        for name in await (await connection.execute(_TABLES)).fetchall():
            # The name is quoted by PostgreSQL itself.
            asked = sql.SQL("SELECT EXISTS (SELECT FROM {})").format(sql.SQL(name))
            if name not in _WRITTEN_BY_MIGRATIONS and await (await connection.execute(asked)).fetchone():
                return True
    return False


async def connected_others(url: str) -> int:
    """How many connections to the database are open besides the one that asks."""
    async with await _connection(url) as connection:
        return int(await (await connection.execute(_OTHERS)).fetchone() or 0)


async def _connection(url: str) -> psycopg.AsyncConnection[Any]:
    try:
        return await psycopg.AsyncConnection.connect(url, autocommit=True, row_factory=scalar_row)
    except psycopg.OperationalError as error:
        raise Unavailable("The database doesn't answer; check the database address and that it runs.") from error
