"""Continuous backups: the changes recorded since they were enabled, and a table's content at any time since."""

from collections.abc import Iterator
from dataclasses import dataclass

from tablature.engine.context import Response
from tablature.engine.schema import TableSchema
from tablature.engine.storage import StoredTable, Transaction
from tablature.engine.storage.records import records_from

DEFAULT_DAYS = 35
_DAY_SECONDS = 86_400


@dataclass(frozen=True)
class ContinuousBackups:
    """A table's continuous backups: since when, for how many days, and the number of its change stream."""

    since: float
    days: int
    stream: int

    def earliest(self, now: float) -> float:
        return max(self.since, now - self.days * _DAY_SECONDS)


def continuous_backups_of(table: TableSchema) -> ContinuousBackups | None:
    kept = table.settings.get("history")
    return None if kept is None else ContinuousBackups(**kept)


def continuous_backups_description(table: TableSchema, now: float) -> Response:
    """Describe continuous backups, which every table has, and point-in-time recovery, which it may have."""
    history = continuous_backups_of(table)
    recovery: Response = {"PointInTimeRecoveryStatus": "DISABLED"}
    if history is not None:
        recovery = {
            "PointInTimeRecoveryStatus": "ENABLED",
            "RecoveryPeriodInDays": history.days,
            "EarliestRestorableDateTime": round(history.earliest(now), 3),
            "LatestRestorableDateTime": round(now, 3),
        }
    return {"ContinuousBackupsStatus": "ENABLED", "PointInTimeRecoveryDescription": recovery}


def undo_since(transaction: Transaction, source: StoredTable, target: StoredTable, moment: float) -> None:
    """Revert a copy of a table's current items to an earlier moment, using the recorded changes."""
    history = continuous_backups_of(source.schema)
    assert history is not None
    for old_key, old in _first_changes(transaction, source, history.stream, moment):
        present = transaction.get(target, old_key)
        transaction.write(target, old_key, present, old)


def _first_changes(
    transaction: Transaction, source: StoredTable, stream: int, moment: float
) -> Iterator[tuple[tuple[bytes, bytes], dict[str, dict[str, object]] | None]]:
    seen: set[tuple[bytes, bytes]] = set()
    for record in records_from(transaction, stream, 0, moment):
        key = source.key_of(record.keys)
        if key not in seen:
            seen.add(key)
            yield key, record.old
