"""The file of the embedded table engine, copied and compared item by item."""

import hashlib
from contextlib import closing
from pathlib import Path

from almanac.backup.archive import ItemCount
from almanac.backup.encryption import BackupDamaged
from tablature.engine.engine import Engine

_WIDTH = 1 << 128


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
        if problems := engine.storage.check():
            raise BackupDamaged(f"The table file in the backup is damaged: {problems[0]}.")
        if expected and count_items(engine) != expected:
            raise BackupDamaged("The tables hold other items after a restore than before.")
    for left in scratch.glob(f"{target.name}*"):
        left.unlink()
