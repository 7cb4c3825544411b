"""Settings that every operation gets: table names, the clock, randomness, and limits."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from tablature.records import record, record_field
from tablature.schema.model import IndexPath, Table


def system_now() -> datetime:
    return datetime.now(UTC)


def system_random() -> float:
    return int.from_bytes(os.urandom(4)) / 2**32


@record
class OperationContext:
    """Passed to every operation. Tests replace the clock and randomness here."""

    names: Mapping[str, str] = record_field(default_factory=dict)
    now: Callable[[], datetime] = system_now
    token: Callable[[], str] = lambda: str(uuid4())
    random: Callable[[], float] = system_random
    cursor_secret: bytes = record_field(default_factory=lambda: os.urandom(32))
    warn_over: int = 300 * 1024
    has_objects: bool = False
    once_for: timedelta | None = None
    spread: bool = True

    def physical(self, table: Table) -> str:
        """The table's name at the service; its declared name if none was configured."""
        return self.names.get(table.name, table.name)

    def shards_of(self, path: IndexPath) -> int:
        """How many shards an index has. Without `spread`, 1 for an index with `include_unsharded`."""
        return path.shards if self.spread or not path.include_unsharded else 1

    def epoch(self) -> int:
        return int(self.now().timestamp())

    def backoff(self, attempt: int) -> float:
        """Seconds to wait: exponential with full jitter, at most five."""
        return self.random() * min(5.0, 0.025 * 2.0**attempt)


def make_context(**settings: Any) -> OperationContext:
    """A context with these settings. Those that are None get their default."""
    return OperationContext(**{name: value for name, value in settings.items() if value is not None})
