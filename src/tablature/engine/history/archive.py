"""Moves changes out of the table file into the history beside it, makes base copies and removes what is too old.

Any process that has the file open may do so; a lock lets one at a time. A kill at any moment loses nothing: a change
leaves the table file only after its frame is on disk, and what was archived twice is recognised by its number.
"""

from __future__ import annotations

import fcntl
import gzip
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from tablature.engine.history.segments import (
    SEGMENT_BYTES,
    BaseCopy,
    Frame,
    base_path,
    change_checksum,
    encode_frame,
    history_folder,
    list_bases,
    list_segments,
    read_frame,
    read_frames,
    segment_path,
    sync_folder,
)
from tablature.engine.storage import Storage, Transaction, changes

_DAY_SECONDS = 86_400
_CHANGES_PER_FRAME, _BYTES_PER_FRAME = 5_000, 4 << 20
_PIECE = 1 << 20
_PART = ".part"


class _LogEnd(NamedTuple):
    """Where the log ends: the last whole frame, in which file, and how long that was when it was read."""

    path: Path
    size: int
    frame: Frame


class HistoryArchive:
    """The history of one table file. How many days are kept is said in the file, for every process."""

    def __init__(self, storage: Storage) -> None:
        self.folder = history_folder(storage.path)
        self._storage = storage
        self._end: _LogEnd | None = None

    def start(self, days: int) -> None:
        """Keep a history of so many days from now on; goes on with an existing one."""
        if self._storage.history_days != days:
            self._storage.keep_history(days)
        self.advance()

    @property
    def delay(self) -> float:
        """For how many seconds changes have been waiting to be archived; 0 if none is."""
        with self._storage.snapshot() as snapshot:
            moment = changes.oldest_waiting(snapshot.connection)
        return 0.0 if moment is None else max(0.0, self._storage.clock() - moment)

    def advance(self) -> int:
        """Archive what waits, make a base copy when one is due and remove what is too old; returns how many changes.

        Does nothing while another process is at it.
        """
        if not self._storage.history_days:
            return 0
        with self._locked() as is_ours:
            if not is_ours:
                return 0
            end = self._find_end()
            if not self._belongs(end):
                self._start_over()
            # Before the changes leave the file: a break that waits there is what makes a copy due.
            if self._base_is_due():
                self._make_base(end)
                self._prune()
            return self._ship(end)

    def clear(self) -> None:
        """Forget everything before now: make a new base copy and remove all that is older."""
        with self._locked(wait=True):
            self._start_over()
            self._make_base(self._find_end())
            newest = list_bases(self.folder)[-1]
            old = [segment.path for segment in list_segments(self.folder)]
            self._ship(self._find_end())
            for path in (*old, *(base.path for base in list_bases(self.folder) if base != newest)):
                path.unlink()
            sync_folder(self.folder)

    def stop(self) -> None:
        """Keep no changes any more and delete the whole history. Does nothing if there is none."""
        if self._storage.history_days:
            self._storage.keep_history(0)
        shutil.rmtree(self.folder, ignore_errors=True)

    @contextmanager
    def _locked(self, *, wait: bool = False) -> Iterator[bool]:
        self.folder.mkdir(mode=0o700, exist_ok=True)
        descriptor = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            yield False
            return
        try:
            yield True
        finally:
            os.close(descriptor)

    def _ship(self, end: _LogEnd | None) -> int:
        """Append the waiting changes to the log, frame by frame."""
        moved = 0
        while True:
            last = end.frame.last if end else 0
            with self._storage.snapshot() as snapshot:
                waiting = changes.read_changes(snapshot.connection, last, _CHANGES_PER_FRAME, _BYTES_PER_FRAME)
            if not waiting:
                return moved
            end = self._end = self._append(end, waiting)
            self._forget_before(end.frame.last)
            moved += len(waiting)

    def _forget_before(self, sequence: int) -> None:
        self._storage.write(lambda transaction: changes.forget_before(transaction.connection, sequence))

    def _append(self, end: _LogEnd | None, waiting: list[changes.StoredChange]) -> _LogEnd:
        """Write a frame to disk: to the last segment, or to a new one when that is full or older than a base copy."""
        latest = max(end.frame.latest if end else 0.0, *(change.at for change in waiting))
        if end is None or self._is_full(end):
            path, at = segment_path(self.folder, waiting[0].sequence), 0
        else:
            path, at = end.path, end.frame.end
        frame, content = encode_frame(waiting, latest, at)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            # What follows the last whole frame was left by a kill.
            file.truncate(at)
            file.seek(at)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if at == 0:
            sync_folder(self.folder)
        return _LogEnd(path, frame.end, frame)

    def _is_full(self, end: _LogEnd) -> bool:
        bases = list_bases(self.folder)
        return end.size > SEGMENT_BYTES or (bool(bases) and bases[-1].sequence >= end.frame.last)

    def _find_end(self) -> _LogEnd | None:
        """The end of the log; read again only when another process has written to it."""
        for segment in reversed(list_segments(self.folder)):
            end = self._end
            if end is not None and end.path == segment.path and end.size == segment.path.stat().st_size:
                return end
            for frame in reversed(list(read_frames(segment.path))):
                if read_frame(segment.path, frame) is not None:
                    return _LogEnd(segment.path, frame.end, frame)
        return None

    def _belongs(self, end: _LogEnd | None) -> bool:
        """Whether the table file goes on where the log ends: its row of the last archived change is the same."""
        if end is None:
            return not list_bases(self.folder)
        with self._storage.snapshot() as snapshot:
            row = changes.read_change(snapshot.connection, end.frame.last)
        return row is not None and change_checksum(row) == end.frame.last_checksum

    def _start_over(self) -> None:
        """The table file was replaced by another: a break, with a number above all that are archived."""
        numbers = [base.sequence for base in list_bases(self.folder)]
        for segment in list_segments(self.folder):
            numbers += [segment.first, *(frame.last for frame in read_frames(segment.path))]
        after = max(numbers, default=0)

        def replace_by_break(transaction: Transaction) -> None:
            last = max(after, changes.last_change(transaction.connection))
            changes.put_back(transaction.connection, [])
            changes.add_break(transaction.connection, transaction.now, last)

        self._storage.write(replace_by_break)

    def _base_is_due(self) -> bool:
        bases = list_bases(self.folder)
        if not bases or self._storage.clock() - bases[-1].moment >= _DAY_SECONDS:
            return True
        return self._has_break_after(bases[-1])

    def _has_break_after(self, base: BaseCopy) -> bool:
        """Whether the content was replaced since the newest copy; then nothing later can be recovered without one."""
        with self._storage.snapshot() as snapshot:
            row = snapshot.connection.execute(
                "SELECT 1 FROM changes WHERE kind = ? AND sequence > ?", (changes.BREAK, base.sequence)
            ).fetchone()
        return row is not None

    def _make_base(self, end: _LogEnd | None) -> None:
        part = self.folder / f"copy{_PART}"
        packed = self.folder / f"packed{_PART}"
        for leftover in (part, packed):
            leftover.unlink(missing_ok=True)
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT, 0o600))
        self._storage.back_up(str(part))
        archived = end.frame.latest if end else 0.0
        with closing(sqlite3.connect(part)) as copy:
            sequence = changes.last_change(copy)
            moment = max(archived, changes.latest_moment(copy))
        _pack(part, packed)
        packed.rename(base_path(self.folder, sequence, moment))
        part.unlink()
        sync_folder(self.folder)

    def _prune(self) -> None:
        """Remove copies and segments that no moment within the kept days needs."""
        oldest_wanted = self._storage.clock() - self._storage.history_days * _DAY_SECONDS
        usable = [base for base in list_bases(self.folder) if base.moment <= oldest_wanted]
        if usable:
            self._remove_before(usable[-1])

    def _remove_before(self, oldest: BaseCopy) -> None:
        for base in list_bases(self.folder):
            if base < oldest:
                base.path.unlink()
        segments = list_segments(self.folder)
        for segment, following in pairwise(segments):
            if following.first <= oldest.sequence + 1:
                segment.path.unlink()
        sync_folder(self.folder)


def _pack(source: Path, target: Path) -> None:
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        with gzip.open(file, "wb", compresslevel=1) as packed, source.open("rb") as content:
            shutil.copyfileobj(content, packed, _PIECE)
        file.flush()
        os.fsync(file.fileno())
