"""How many forms of the public side are let through in an hour, from one sender and from everybody."""

import hmac
from datetime import datetime, timedelta

from almanac.http.rate_limit.store import QUERIES
from almanac.kit.clock import Clock
from almanac.relational import Database, Unit

EVERYBODY = ""


class StoredFormGate:
    """Counts in PostgreSQL, for all web processes. A sender is stored as a hash that is another one each hour."""

    def __init__(self, database: Database, clock: Clock, key: bytes) -> None:
        self._database = database
        self._clock = clock
        self._key = key

    async def spend(self, form: str, caller: str, *, per_hour: int, in_all: int) -> int:
        """Count a form; returns the seconds to wait if it is more than allowed."""
        now = self._clock.now()
        hour = now.replace(minute=0, second=0, microsecond=0)
        hashed = hmac.digest(self._key, f"{hour.isoformat()} {caller}".encode(), "sha256").hex()[:32]
        async with self._database.unit() as unit:
            rows = await unit.all(QUERIES["count_form"], {"form": form, "senders": [EVERYBODY, hashed], "hour": hour})
        uses = {row["sender"]: row["uses"] for row in rows}
        if uses[hashed] <= per_hour and uses[EVERYBODY] <= in_all:
            return 0
        return max(1, int((hour + timedelta(hours=1) - now).total_seconds()))


async def delete_old_form_counts(unit: Unit, before: datetime) -> None:
    """Delete what was counted in hours that are over."""
    await unit.execute(QUERIES["delete_form_counts"], {"before": before})
