"""What operations need to know of their surroundings: physical names, the clock, random tokens, and limits."""

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
    """Passed to every operation, so that tests decide what time it is and what chance gives."""

    names: Mapping[str, str] = record_field(default_factory=dict)
    now: Callable[[], datetime] = system_now
    token: Callable[[], str] = lambda: str(uuid4())
    chance: Callable[[], float] = system_random
    cursor_secret: bytes = record_field(default_factory=lambda: os.urandom(32))
    warn_over: int = 300 * 1024
    has_objects: bool = False
    once_for: timedelta | None = None
    spread: bool = True

    def physical(self, table: Table) -> str:
        """The name of the table at the service; the declared name where no other was given."""
        return self.names.get(table.name, table.name)

    def shards_of(self, path: IndexPath) -> int:
        """How many partitions an index is spread over here; one that has an unsharded form can do without."""
        return path.shards if self.spread or not path.include_unsharded else 1

    def epoch(self) -> int:
        return int(self.now().timestamp())

    def backoff(self, attempt: int) -> float:
        """Full jitter: somewhere between nothing and twice as long as last time, at most five seconds."""
        return self.chance() * min(5.0, 0.025 * 2.0**attempt)


def make_context(**given: Any) -> OperationContext:
    """A context with the settings that are given, and the usual ones where they are None."""
    return OperationContext(**{name: value for name, value in given.items() if value is not None})
