"""Reads of the platform's own parts of the public side, each one statement."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from almanac.relational import Database, load_queries

QUERIES = load_queries(__package__)
_MOST = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicQuery:
    """A saved query that anyone may read, without whose it is. `address` is its name in the path."""

    address: str
    name: str
    query: str
    kinds: Sequence[str]
    filters: Mapping[str, Sequence[str]]
    public_since: datetime
    updated_at: datetime


async def list_public_queries(database: Database) -> list[PublicQuery]:
    """The public queries by name."""
    async with database.reading() as reading:
        return await reading.all(QUERIES["list_public_queries"], {"limit": _MOST}, into=PublicQuery)


async def get_public_query(database: Database, address: str) -> PublicQuery | None:
    """The public query at an address; None if there is none, or not any more."""
    async with database.reading() as reading:
        return await reading.one(QUERIES["get_public_query"], {"address": address}, into=PublicQuery)


async def list_last_collections(database: Database, tasks: Sequence[str]) -> dict[str, datetime | None]:
    """When each task last ended well; None if never."""
    async with database.reading() as reading:
        rows = await reading.all(QUERIES["list_last_collections"], {"tasks": list(tasks)})
    return {row["task"]: row["finished_at"] for row in rows}
