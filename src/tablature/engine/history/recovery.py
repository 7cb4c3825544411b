"""Builds the table file as it was at a moment: the newest base copy before it, and the changes up to it."""

from __future__ import annotations

import gzip
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import msgspec

from tablature.engine.backups.continuous import continuous_backups_of
from tablature.engine.history.segments import (
    BaseCopy,
    HistoryDamaged,
    list_bases,
    list_segments,
    read_frame,
    read_frames,
    sync_folder,
)
from tablature.engine.schema import TableSchema
from tablature.engine.storage import Storage, StoredTable, Transaction, changes
from tablature.engine.storage.changes import StoredChange
from tablature.engine.storage.layout import decode_item
from tablature.engine.storage.records import drop_records

_CHANGES_PER_COMMIT = 2_000
_PIECE = 1 << 20
_decode_schema = msgspec.json.Decoder(TableSchema).decode


@dataclass(frozen=True, slots=True)
class HistorySpan:
    """What a history can give: the earliest moment, the latest archived change, and what it takes on disk."""

    earliest: float
    latest: float
    bases: int
    bytes: int


class RecoveredFile(NamedTuple):
    """A recovered file: the time of the last change in it, and how many changes were applied to the base copy."""

    latest: float
    changes: int


def describe_history(folder: Path) -> HistorySpan | None:
    """What a history can give, or None if there is none."""
    bases, segments = list_bases(folder), list_segments(folder)
    if not bases:
        return None
    latest = max([bases[-1].moment, *(frame.latest for each in segments for frame in read_frames(each.path))])
    paths = [*(base.path for base in bases), *(segment.path for segment in segments)]
    size = sum(path.stat().st_size for path in paths)
    return HistorySpan(bases[0].moment, latest, len(bases), size)


def recover(folder: Path, moment: float, target: Path, listener: Callable[[int], None] | None = None) -> RecoveredFile:
    """Write the tables as they were at a moment to a new file, which appears under its name only when it is sound.

    `listener` gets the number of changes applied so far. Raises HistoryDamaged if the history doesn't reach there.
    """
    if target.exists():
        raise HistoryDamaged(f"{target} exists already; name another file.")
    base = _choose_base(folder, moment)
    part = target.with_name(f"{target.name}.part")
    _remove_file(part)
    try:
        _unpack(base, part)
        storage = Storage(str(part), lambda: moment)
        try:
            recovered = _replay(storage, folder, base, moment, listener or (lambda _: None))
            storage.write(_forget_side_data)
            if problems := storage.check():
                raise HistoryDamaged(f"The recovered tables are damaged ({problems[0]}); choose another time.")
        finally:
            storage.close()
        part.rename(target)
    finally:
        _remove_file(part)
    sync_folder(target.parent)
    return recovered


def _choose_base(folder: Path, moment: float) -> BaseCopy:
    bases = list_bases(folder)
    if not bases:
        raise HistoryDamaged(f"There is no history in {folder}; it starts when it is switched on.")
    usable = [base for base in bases if base.moment <= moment]
    if not usable:
        raise HistoryDamaged(f"The history starts at {_text(bases[0].moment)}; choose that time or a later one.")
    return usable[-1]


def _unpack(base: BaseCopy, target: Path) -> None:
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with gzip.open(base.path, "rb") as packed, os.fdopen(descriptor, "wb") as file:
            shutil.copyfileobj(packed, file, _PIECE)
    except (OSError, EOFError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise HistoryDamaged(f"The base copy {base.path.name} is damaged ({error}); choose an earlier time.") from error


def _replay(
    storage: Storage, folder: Path, base: BaseCopy, moment: float, tell: Callable[[int], None]
) -> RecoveredFile:
    storage.keep_history(0)
    applied, latest = 0, base.moment
    batch: list[StoredChange] = []
    replayer = _ChangeReplayer({schema.id: schema for schema in storage.tables()})
    for change, at in _changes_after(folder, base, moment):
        batch.append(change)
        latest = at
        if len(batch) == _CHANGES_PER_COMMIT:
            replayer.write(storage, batch)
            applied, batch = applied + len(batch), []
            tell(applied)
    replayer.write(storage, batch)
    return RecoveredFile(latest, applied + len(batch))


def _changes_after(folder: Path, base: BaseCopy, moment: float) -> Iterator[tuple[StoredChange, float]]:
    """The changes after a base copy up to a moment, with their time. None may be missing."""
    last, clock = base.sequence, base.moment
    for change in _archived(folder, base):
        if change is not None and change.sequence <= last:
            continue
        if change is None or (change.sequence != last + 1 and change.kind != changes.BREAK):
            if clock >= moment:
                return
            raise HistoryDamaged(f"The history lacks changes after {_text(clock)}; choose that time or an earlier one.")
        # A clock that was set back doesn't undo what was done before.
        clock = max(clock, change.at)
        if clock > moment:
            return
        if change.kind == changes.BREAK:
            raise HistoryDamaged(
                f"The table file was replaced at {_text(clock)}, and the next copy of it is later than "
                f"{_text(moment)}; choose a time before, or a later one."
            )
        last = change.sequence
        yield change, clock


def _archived(folder: Path, base: BaseCopy) -> Iterator[StoredChange | None]:
    """The archived changes in order; None stands for some that are damaged."""
    for segment in list_segments(folder):
        for frame in read_frames(segment.path):
            if frame.last > base.sequence:
                content: Sequence[StoredChange | None] | None = read_frame(segment.path, frame)
                yield from (None,) if content is None else content


class _ChangeReplayer:
    """Applies changes to a file, without leaving stream records."""

    def __init__(self, schemas: dict[int, TableSchema]) -> None:
        self._schemas = schemas
        self._tables = {number: _quiet_table(schema) for number, schema in schemas.items()}

    def write(self, storage: Storage, batch: list[StoredChange]) -> None:
        storage.write(lambda transaction: self._apply(transaction, batch))

    def _apply(self, transaction: Transaction, batch: list[StoredChange]) -> None:
        for change in batch:
            if change.kind == changes.ITEM:
                self._apply_item(transaction, change)
            elif change.kind == changes.CATALOG:
                self._apply_definition(transaction, _decode_schema(change.body or b""))
            elif change.kind == changes.DROP:
                transaction.drop_table(self._tables.pop(change.table_id))
                del self._schemas[change.table_id]
            elif change.kind == changes.DOCUMENT:
                _apply_document(transaction, change)

    def _apply_item(self, transaction: Transaction, change: StoredChange) -> None:
        table, key = self._tables[change.table_id], (change.h or b"", change.r or b"")
        new = None if change.body is None else decode_item(change.body)
        transaction.write(table, key, transaction.get(table, key), new)

    def _apply_definition(self, transaction: Transaction, schema: TableSchema) -> None:
        before = self._schemas.get(schema.id)
        if before is None:
            transaction.create_table(schema)
        else:
            numbers = {index.number for index in schema.indexes}
            for index in before.indexes:
                if index.number not in numbers:
                    transaction.remove_index(schema, index)
            for index in schema.indexes:
                if index.number not in {each.number for each in before.indexes}:
                    transaction.add_index(schema, index)
            transaction.save_table(schema)
        self._schemas[schema.id], self._tables[schema.id] = schema, _quiet_table(schema)
        history = continuous_backups_of(schema)
        numbers_used = (schema.id, schema.stream.id if schema.stream else 0, history.stream if history else 0)
        transaction.reserve_ids(max(numbers_used))


def _quiet_table(schema: TableSchema) -> StoredTable:
    settings = {name: value for name, value in schema.settings.items() if name != "history"}
    return StoredTable(replace(schema, stream=None, settings=settings))


def _apply_document(transaction: Transaction, change: StoredChange) -> None:
    """Descriptions of streams. On-demand backups stay those of the base copy, because their items are not archived."""
    kind, name = (change.h or b"").decode(), (change.r or b"").decode()
    if kind == "backup":
        return
    if change.body is None:
        transaction.delete_document(kind, name)
    else:
        transaction.put_document(kind, name, change.body)


def _forget_side_data(transaction: Transaction) -> None:
    """Idempotency tokens, and records of continuous backups, which lack those between base copy and moment."""
    transaction.connection.execute("DELETE FROM tokens")
    for table in list(transaction.catalog.values()):
        history = continuous_backups_of(table.schema)
        if history is not None:
            drop_records(transaction, history.stream)
            settings = table.schema.settings | {
                "history": {"since": transaction.now, "days": history.days, "stream": history.stream}
            }
            transaction.save_table(replace(table.schema, settings=settings))


def _remove_file(path: Path) -> None:
    for name in (path, Path(f"{path}-wal"), Path(f"{path}-shm")):
        name.unlink(missing_ok=True)


def _text(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
