"""Which backups stay: those of the last days, then the newest of each week and of each month."""

from datetime import timedelta
from pathlib import Path

from almanac.backup.archive import PART
from almanac.kit.clock import Clock

_PATTERNS = ("almanac-*.tar.gz", "before-upgrade-*.tar.gz")
_LONGEST_WRITING = timedelta(days=1)


def remove_old_backups(folder: Path, *, clock: Clock, keep_days: int) -> list[Path]:
    """Remove archives of ours that are older than the days to keep; the newest of each kind always stays.

    What a backup that was killed had written goes too.
    """
    now = clock.now()
    old, left = now - timedelta(days=keep_days), now - _LONGEST_WRITING
    archives = [path for pattern in _PATTERNS for path in sorted(folder.glob(pattern))[:-1]]
    unfinished = [path for pattern in _PATTERNS for path in folder.glob(f"{pattern}*{PART}")]
    removed = [path for path in archives if path.stat().st_mtime < old.timestamp()]
    removed += [path for path in unfinished if path.stat().st_mtime < left.timestamp()]
    for path in removed:
        path.unlink(missing_ok=True)
    return removed
