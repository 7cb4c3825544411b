"""The file of the embedded table engine, copied and compared item by item."""

import hashlib
import sqlite3
from contextlib import closing
from pathlib import Path

from almanac.backup.archive import ItemCount
from almanac.backup.encryption import BackupDamaged
from almanac.kit.messages import gettext
from tablature.engine.engine import Engine

_WIDTH = 1 << 128
_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
DAMAGED = gettext(
    "The table file is damaged ({}); stop Almanac and run `almanac tables restore --to` a time "
    "before, or restore a backup."
)


def describe_damage(error: BaseException | None) -> str | None:
    """A sentence if this error of the table engine, or what caused it, is a damaged file."""
    while error is not None:
        # The low byte is the kind; an error that SQLite itself didn't raise has no code.
        if isinstance(error, sqlite3.Error) and getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGE:
            return DAMAGED.format(error)
        error = error.__cause__
    return None


def count_items(engine: Engine) -> dict[str, ItemCount]:
    """How many items each table has, and the sum of their checksums."""
    counts: dict[str, ItemCount] = {}
    with engine.storage.snapshot() as snapshot:
        for schema in engine.storage.tables():
            table = engine.storage.table(schema.name)
            items = total = 0
            if table is not None:
                with closing(snapshot.everything(table, None)) as stored:
                    for item, _ in stored:
                        items += 1
                        total += int.from_bytes(hashlib.blake2b(repr(item).encode(), digest_size=16).digest())
            counts[schema.name] = ItemCount(items, f"{total % _WIDTH:032x}")
    return counts


def check_table_file(file: Path, scratch: Path, expected: dict[str, ItemCount]) -> None:
    """Restore a file into an empty engine; damage, or another content than expected, is BackupDamaged."""
    target = scratch / "tables-trial.db"
    with Engine(target) as engine:
        engine.storage.restore(str(file))
        try:
            problems = engine.storage.check()
        except sqlite3.DatabaseError as error:
            raise BackupDamaged(gettext("The table file in the backup is damaged: %(error)s.", error=error)) from error
        if problems:
            raise BackupDamaged(gettext("The table file in the backup is damaged: %(problems)s.", problems=problems[0]))
        if expected and count_items(engine) != expected:
            raise BackupDamaged(gettext("The tables hold other items after a restore than before."))
    for left in scratch.glob(f"{target.name}*"):
        left.unlink()
