"""Recovers a table file, and puts the result in its place, with the old one kept. A kill leaves the old or the new."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from tablature.engine.history.archive import HistoryArchive
from tablature.engine.history.recovery import RecoveredFile, recover
from tablature.engine.history.segments import history_folder, sync_folder
from tablature.engine.storage import Storage, UnreadableFile


class FileInUse(Exception):
    """Another process has the table file open."""


def recover_file(
    path: Path, moment: float, target: Path, listener: Callable[[int], None] | None = None
) -> RecoveredFile:
    """Write the tables of a file as they were at a moment to another, as `recover` does.

    The last seconds, which may not be archived yet, are included unless the file is lost or damaged.
    """
    folder = history_folder(path)
    if path.is_file() and folder.is_dir():
        with suppress(UnreadableFile, sqlite3.DatabaseError):
            _archive_waiting(path)
    return recover(folder, moment, target, listener)


def _archive_waiting(path: Path) -> None:
    storage = Storage(str(path))
    try:
        HistoryArchive(storage).advance()
    finally:
        storage.close()


def require_unused(path: Path) -> None:
    """Raise FileInUse if any connection to the file is open, in this process or another.

    SQLite lets a file leave write-ahead mode only if nobody else has it open; opening it for use sets the mode again.
    """
    if not path.exists():
        return
    try:
        with closing(sqlite3.connect(path, timeout=0)) as connection:
            (mode,) = connection.execute("PRAGMA journal_mode = DELETE").fetchone()
    except sqlite3.OperationalError as error:
        raise FileInUse(f"{path} is in use; stop every program that has it open.") from error
    except sqlite3.DatabaseError:
        # So damaged that nobody can use it.
        return
    if mode != "delete":
        raise FileInUse(f"{path} is in use; stop every program that has it open.")


def replace_file(path: Path, staged: Path, kept: Path, clock: Callable[[], float] = time.time) -> None:
    """Replace the table file's content by that of `staged`, which is removed; the old content is in `kept`."""
    if path.exists():
        try:
            _replace_content(path, staged, kept, clock)
        except (sqlite3.DatabaseError, UnreadableFile):
            _replace_damaged(path, staged, kept)
    else:
        _set_log_aside(path, kept)
        staged.rename(path)
    staged.unlink(missing_ok=True)
    sync_folder(path.parent)


def _replace_content(path: Path, staged: Path, kept: Path, clock: Callable[[], float]) -> None:
    """In one transaction of SQLite. The history goes on after a break."""
    storage = Storage(str(path), clock)
    try:
        os.close(os.open(kept, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        storage.back_up(str(kept))
        storage.restore(str(staged))
    finally:
        storage.close()


def _replace_damaged(path: Path, staged: Path, kept: Path) -> None:
    """A file that SQLite can't read is kept as it is, with its write-ahead log."""
    kept.unlink(missing_ok=True)
    shutil.copy2(path, kept)
    kept.chmod(0o600)
    _set_log_aside(path, kept)
    staged.replace(path)


def _set_log_aside(path: Path, kept: Path) -> None:
    """A write-ahead log of another content would be applied to the new file."""
    for suffix in ("-wal", "-shm"):
        extra = Path(f"{path}{suffix}")
        if extra.exists():
            shutil.copy2(extra, f"{kept}{suffix}")
            extra.unlink()
