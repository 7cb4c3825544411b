"""Background maintenance of the engine: expires items, archives changes, deletes stream records past retention.

A sweep checks a bounded part of each table and continues from there the next time, so its cost doesn't grow with the
tables.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, suppress

from tablature.engine.backups.continuous import continuous_backups_of
from tablature.engine.encoding.keys import ItemKey
from tablature.engine.history import HistoryArchive
from tablature.engine.storage import StaleCatalog, Storage, StoredItem, StoredTable, Transaction
from tablature.engine.storage.records import expire_records
from tablature.engine.streams.lifecycle import RETAINED_SECONDS, all_streams, forget_stream, has_expired

_log = logging.getLogger(__name__)

PRINCIPAL = "dynamodb.amazonaws.com"
# Decoding a large item takes ten times its size in Python objects, so a batch is limited in bytes too.
ITEMS_PER_BATCH, BYTES_PER_BATCH = 2000, 1 << 20
SECONDS_BETWEEN_SWEEPS = 1.0
SWEEPS_BETWEEN_PURGES = 600
# The service ignores expiry times longer ago than this, because they are probably not times at all.
OLDEST_EXPIRY_SECONDS = 5 * 365 * 86_400


class Housekeeper:
    """Sweeps a database in the background from `start` to `stop`. `clock`, if given, decides what has expired.

    A `history`, if given, is advanced with every sweep and once more at the end.
    """

    def __init__(
        self,
        storage: Storage,
        seconds_between: float = SECONDS_BETWEEN_SWEEPS,
        clock: Callable[[], float] | None = None,
        history: HistoryArchive | None = None,
    ) -> None:
        self._storage = storage
        self._history = history
        self._history_fails = False
        self._clock = clock or storage.clock
        self._seconds_between = seconds_between
        self._places: dict[int, ItemKey] = {}
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._sweep_on, name="tablature-housekeeping", daemon=True)

    def start(self) -> None:
        """Begin sweeping."""
        self._thread.start()

    def stop(self) -> None:
        """Finish the current sweep and stop."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()
        self._advance_history()

    def sweep(self) -> int:
        """Delete expired items in the next part of each table. Returns how many."""
        removed = 0
        for schema in self._storage.tables():
            table = self._storage.table(schema.name)
            if table is not None and table.schema.ttl is not None:
                # The table was changed or dropped meanwhile; the next sweep handles it.
                with suppress(StaleCatalog):
                    removed += self._sweep_table(table, table.schema.ttl.attribute)
        return removed

    def purge(self) -> None:
        """Delete change records past retention, and streams that have none left."""
        self._storage.write(_purge_records)

    def _sweep_on(self) -> None:
        sweeps = 0
        while not self._stopping.wait(self._seconds_between):
            try:
                self.sweep()
                self._advance_history()
                if sweeps % SWEEPS_BETWEEN_PURGES == 0:
                    self.purge()
            except Exception:  # noqa: BLE001 - a failed sweep must not end all later ones; the log says why
                _log.exception("A sweep failed; the next one will try again")
            sweeps += 1

    def _advance_history(self) -> None:
        """Changes that can't be archived now wait in the file; that is logged once, not with every sweep."""
        if self._history is None:
            return
        try:
            self._history.advance()
            self._history_fails = False
        except (OSError, sqlite3.Error):
            if not self._history_fails:
                _log.exception("The history of the tables can't be written; changes wait in the table file")
            self._history_fails = True

    def _sweep_table(self, table: StoredTable, attribute: str) -> int:
        now = self._clock()
        expired = [table.key_of(stored.item) for stored in self._next(table) if is_expired(stored, attribute, now)]
        return self._remove(table, attribute, expired, now) if expired else 0

    def _next(self, table: StoredTable) -> Iterator[StoredItem]:
        """The items after the previous sweep, one at a time, to hold only one in memory."""
        items = size = 0
        with self._storage.snapshot() as snapshot:
            rows = snapshot.everything(table, None, after=self._places.pop(table.schema.id, None))
            with closing(rows):
                for stored in rows:
                    yield stored
                    items, size = items + 1, size + stored.size
                    if items == ITEMS_PER_BATCH or size > BYTES_PER_BATCH:
                        self._places[table.schema.id] = table.key_of(stored.item)
                        return

    def _remove(self, table: StoredTable, attribute: str, expired: list[ItemKey], now: float) -> int:
        def remove(transaction: Transaction) -> int:
            transaction.require_current(table)
            removed = 0
            for key in expired:
                present = transaction.get(table, key)
                # Its expiry may have been extended since it was read.
                if present is not None and is_expired(present, attribute, now):
                    transaction.write(table, key, present, None, principal=PRINCIPAL)
                    removed += 1
            return removed

        return self._storage.write(remove)


def is_expired(stored: StoredItem, attribute: str, now: float) -> bool:
    """Whether an item has expired: its epoch seconds are in the past, but not absurdly long ago."""
    text = stored.item.get(attribute, {}).get("N")
    if text is None:
        return False
    moment = float(text)
    return now - OLDEST_EXPIRY_SECONDS < moment <= now


def _purge_records(transaction: Transaction) -> None:
    for stream in list(all_streams(transaction)):
        expire_records(transaction, stream.id, transaction.now - RETAINED_SECONDS)
        if has_expired(stream, transaction.now):
            forget_stream(transaction, stream)
    for table in transaction.catalog.values():
        if (history := continuous_backups_of(table.schema)) is not None:
            expire_records(transaction, history.stream, history.earliest(transaction.now))
