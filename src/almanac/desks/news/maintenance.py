"""Keeping the tables in order: old failures go, what is stuck is reset, statistics are renewed; as documented."""

from almanac.desks.news.store.rows import QUERIES
from almanac.relational import Database

VACUUM = ("vacuum_links", "vacuum_content", "vacuum_tasks")


async def clean_old_failed(database: Database) -> int:
    """Forget links that failed more than thirty days ago."""
    async with database.unit() as unit:
        return await unit.execute(QUERIES["clean_old_failed"])


async def reset_stuck(database: Database) -> int:
    """Let links wait again that somebody took more than an hour ago and never finished.

    Programs that never say when they took a link get the hour from when it is first seen here.
    """
    async with database.unit() as unit:
        await unit.execute(QUERIES["note_unchecked"])
        return await unit.execute(QUERIES["reset_stuck"])


async def vacuum_analyze(database: Database) -> None:
    """Give back space and renew statistics; outside of any transaction, as PostgreSQL wants it."""
    async with database.dedicated() as connection:
        for name in VACUUM:
            await connection.execute(QUERIES[name])
