"""Which backups stay: those of the last days, then the newest of each week and of each month."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from almanac.backup.names import StoredBackup


@dataclass(frozen=True, slots=True)
class RetentionPolicy:
    """For how many days every backup stays, and for how many weeks and months one of each."""

    days: int
    weeks: int = 0
    months: int = 0


def choose_removed(backups: Iterable[StoredBackup], policy: RetentionPolicy, now: datetime) -> list[StoredBackup]:
    """The backups that the policy no longer keeps. The newest good one of each kind always stays."""
    newest_first = sorted(backups, key=lambda backup: backup.created_at, reverse=True)
    kept = {backup.name for backup in newest_first if backup.created_at >= now - timedelta(days=policy.days)}
    for kind in {backup.kind for backup in newest_first}:
        good = [backup for backup in newest_first if backup.kind == kind and not backup.bad]
        kept |= {backup.name for backup in good[:1]}
        kept |= _newest_of_each(good, lambda at: at.isocalendar()[:2], now - timedelta(weeks=policy.weeks))
        kept |= _newest_of_each(good, lambda at: (at.year, at.month), now - timedelta(days=31 * policy.months))
    return [backup for backup in newest_first if backup.name not in kept]


def _newest_of_each(
    newest_first: Sequence[StoredBackup], period_of: Callable[[datetime], tuple[int, int]], since: datetime
) -> set[str]:
    newest: dict[tuple[int, int], str] = {}
    for backup in newest_first:
        if backup.created_at >= since:
            newest.setdefault(period_of(backup.created_at), backup.name)
    return set(newest.values())
