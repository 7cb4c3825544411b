"""The record of attempts: when a backup last succeeded, and what became of the last one."""

from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from almanac.kit.messages import gettext
from almanac.relational import Database, Unit, load_queries

_QUERIES = load_queries(__package__)
_KEPT_FOR = timedelta(days=400)
OLDEST = timedelta(hours=49)

BackupKind = Literal["daily", "manual"]
BackupResult = Literal["good", "bad", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupRun:
    """One attempt. `bad` means that it was written and failed its trial restore."""

    kind: BackupKind
    result: BackupResult
    place: str
    encrypted: bool
    started_at: datetime
    finished_at: datetime
    reason: str | None = None
    name: str | None = None
    bytes: int = 0
    row_count: int = 0
    item_count: int = 0


@dataclass(frozen=True, slots=True)
class BackupStatus:
    """The last attempt, and the last that succeeded; None where there was none."""

    last: BackupRun | None
    last_good: BackupRun | None
    installed_at: datetime

    @property
    def last_good_at(self) -> datetime | None:
        return self.last_good.finished_at if self.last_good else None

    @property
    def trouble_since(self) -> datetime | None:
        """Since when there is a problem, if there is one: the failed attempt's own time, else the last good one's."""
        if self.last is not None and self.last.result != "good":
            return self.last.finished_at
        return self.last_good_at

    def is_too_old(self, now: datetime) -> bool:
        """Whether a nightly backup was missed twice; a new installation has time for its first."""
        return now - (self.last_good_at or self.installed_at) > OLDEST

    def problem(self, now: datetime) -> str | None:
        """What is wrong with the backups, in a sentence or two; None if all is well."""
        if self.last is not None and self.last.result != "good":
            return gettext("The last backup failed: %(reason)s", reason=self.last.reason)
        if self.is_too_old(now) and self.last_good_at is not None:
            return gettext(
                "The last good backup is %(days)s days old; check that a worker runs.",
                days=(now - self.last_good_at).days,
            )
        if self.is_too_old(now):
            return gettext("No backup has been made yet; check that a worker runs, or run `almanac backup`.")
        return None


async def read_status(database: Database) -> BackupStatus:
    """How backups stand."""
    async with database.reading() as reading:
        rows = await reading.all(_QUERIES["last_runs"])
    installed_at = rows[0]["installed_at"].replace(tzinfo=UTC)
    runs = [BackupRun(**{name: row[name] for name in BackupRun.__slots__}) for row in rows if row["kind"] is not None]
    last = max(runs, key=lambda run: run.finished_at, default=None)
    return BackupStatus(last, next((run for run in runs if run.result == "good"), None), installed_at)


async def record_run(unit: Unit, run: BackupRun) -> None:
    """Remember an attempt, and forget those of long ago."""
    await unit.execute(_QUERIES["add_run"], asdict(run))
    await unit.execute(_QUERIES["delete_old_runs"], {"before": run.finished_at - _KEPT_FOR})
