"""What a backup is made of and restored to, and the port for tables as files."""

import fcntl
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from almanac.backup.archive import ItemCount
from almanac.kit.clock import Clock
from almanac.kit.ids import new_id
from almanac.objects import ObjectStore
from tablature.engine.engine import Engine

DATABASE, OBJECT, LOOSE, TABLE_FILE, TABLE = "database/", "objects/", "files/", "tables.db", "tables/"
# The database in archives of the first format.
DUMP = "database.sql"
# Objects of a restore that isn't finished; never a part of a backup.
STAGED_OBJECTS = "restore"
_SCRATCH = "scratch"

MemberListener = Callable[[str], None]


class TableArchive(Protocol):
    """Tables as files in a folder: one of items and one that describes it for each table."""

    async def export(self, folder: Path) -> dict[str, ItemCount]:
        """Write every table; the answer is what was written, by the name of the table."""

    async def export_engine(self, file: Path, folder: Path) -> None:
        """The same from a file of the embedded engine."""

    async def import_engine(self, folder: Path, file: Path) -> None:
        """Make a file of the embedded engine that holds what the files hold."""

    async def verify(self, folder: Path) -> dict[str, ItemCount]:
        """Compare the files with their own descriptions."""

    async def replace(self, folder: Path) -> None:
        """Make the tables hold what the files hold and nothing else; may be repeated after an interruption."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """Everything that has state. `files` maps a name in the archive to a file or folder of the data folder.

    `folder` is the data folder, where a restore is prepared. `migrations` are the folders of those that this program
    knows, in the order in which they are applied.
    """

    database_url: str
    objects: ObjectStore
    clock: Clock
    folder: Path
    tables: Engine | None = None
    table_archive: TableArchive | None = None
    files: dict[str, Path] = field(default_factory=dict)
    migrations: tuple[Path, ...] = ()

    def scratch(self) -> AbstractContextManager[Path]:
        """A private folder on the disk of the data, gone afterwards."""
        return scratch_folder(self.folder)


@contextmanager
def scratch_folder(data: Path) -> Iterator[Path]:
    """A private folder below the data folder, gone afterwards; what a killed process left of one goes too."""
    above = data / _SCRATCH
    above.mkdir(mode=0o700, parents=True, exist_ok=True)
    for lock in above.glob("*.lock"):
        _remove_abandoned(lock)
    lock = above / f"{new_id()}.lock"
    folder = lock.with_suffix("")
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        folder.mkdir(mode=0o700)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            lock.unlink(missing_ok=True)


def _remove_abandoned(lock: Path) -> None:
    """The kernel drops the lock of a process that ends in any way."""
    with suppress(FileNotFoundError, BlockingIOError), lock.open() as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(lock.with_suffix(""), ignore_errors=True)
        lock.unlink()
