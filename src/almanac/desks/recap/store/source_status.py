"""Whether each source of records answered when it was last asked, and since when it doesn't."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from almanac.relational import Database, load_queries
from almanac.services import Services

QUERIES = load_queries(__package__)


@dataclass(frozen=True, slots=True)
class RecordSourceStatus:
    """One source: `failing_since` is None where it answered when it was last asked."""

    address: str
    tried_at: datetime
    reached_at: datetime | None
    failing_since: datetime | None
    failures: int
    error: str


async def record_attempt(services: Services, address: str, error: str) -> None:
    """Record that a source was asked, and what it failed with, or "" where it answered."""
    params = {"address": address, "now": services.clock.now(), "error": error}
    async with services.database.unit() as unit:
        await unit.execute(QUERIES["record_source_attempt"], params)


async def list_failing_sources(database: Database, addresses: Sequence[str]) -> list[RecordSourceStatus]:
    """Those among the sources that failed when they were last asked, the longest first."""
    async with database.reading() as reading:
        return await reading.all(
            QUERIES["list_failing_sources"], {"addresses": list(addresses)}, into=RecordSourceStatus
        )
