"""Every read and write of the shared buckets, by name."""

from collections.abc import Mapping
from datetime import datetime

from almanac.relational import Database, Unit, load_queries

QUERIES = load_queries(__package__)


class StoredBuckets:
    """The buckets of all web processes, in PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def deduct(self, spent: Mapping[str, int], limit: int, now: datetime) -> dict[str, float]:
        """Take out what was spent by each caller; returns what is left, negative if others had spent it already."""
        params = {"callers": list(spent), "spent": list(spent.values()), "limit": float(limit), "now": now}
        async with self._database.unit() as unit:
            return {row["caller"]: row["tokens"] for row in await unit.all(QUERIES["deduct_tokens"], params)}


async def delete_full_buckets(unit: Unit, idle_since: datetime) -> None:
    """Delete the buckets that are full again."""
    await unit.execute(QUERIES["delete_full_buckets"], {"idle_since": idle_since})
