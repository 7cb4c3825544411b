"""Where backups are kept: a folder, or an object store such as S3."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TypeAlias

from almanac.backup.archive import PART
from almanac.backup.names import StoredBackup, parse_name
from almanac.backup.port import scratch_folder
from almanac.errors import InputError, Unavailable
from almanac.kit.messages import gettext
from almanac.objects import ObjectStore

LATEST = "latest"
_PIECE = 1 << 20
_LONGEST_WRITING_SECONDS = 86_400


class FolderPlace:
    """A folder of this machine, or one that is mounted."""

    def __init__(self, folder: Path, *, create: bool) -> None:
        self._folder, self._create = folder, create
        self.label = str(folder)

    def prepare(self) -> Path:
        """The folder. Ours is created; one that somebody named must be there, for a disk may not be mounted."""
        if self._create:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._require_named()
        return self._folder

    def _require_named(self) -> None:
        if not self._create and not self._folder.is_dir():
            raise InputError(
                gettext(
                    "There is no folder %(label)s; create it, mount its disk, or change ALMANAC_BACKUP_URL.",
                    label=self.label,
                )
            )

    async def list_stored(self) -> list[StoredBackup]:
        """Every archive of ours, the newest first; a folder that somebody named and that isn't there is an error."""
        return await asyncio.to_thread(self._list)

    def _list(self) -> list[StoredBackup]:
        self._require_named()
        files = self._folder.iterdir() if self._folder.is_dir() else iter(())
        return _newest_first(parse_name(path.name, path.stat().st_size) for path in files if path.is_file())

    async def fetch(self, name: str, _scratch: Path) -> Path:
        """The file of an archive."""
        return self._folder / name

    async def delete(self, name: str) -> None:
        """Remove an archive."""
        await asyncio.to_thread((self._folder / name).unlink, missing_ok=True)

    def remove_unfinished(self) -> None:
        """Remove what a backup that was killed had written; a younger one may still be written."""
        for path in self._folder.glob(f"*{PART}"):
            with suppress(FileNotFoundError):
                if path.stat().st_mtime < time.time() - _LONGEST_WRITING_SECONDS:
                    path.unlink()


class ObjectPlace:
    """A prefix of an object store."""

    def __init__(self, objects: ObjectStore, label: str) -> None:
        self._objects, self.label = objects, label

    async def list_stored(self) -> list[StoredBackup]:
        """Every archive of ours, the newest first."""
        return _newest_first([parse_name(listed.key, listed.size) async for listed in self._objects.iterate()])

    async def keep(self, file: Path) -> None:
        """Send an archive there under its own name. What arrived is compared with the file by its size."""
        stored = await self._objects.put(file.name, _pieces(file), content_type="application/octet-stream")
        size = (await asyncio.to_thread(file.stat)).st_size
        if stored.size != size:
            raise Unavailable(f"{self.label} stored {stored.size:,} of {size:,} bytes of {file.name}; try again.")

    async def fetch(self, name: str, scratch: Path) -> Path:
        """A copy of an archive."""
        opened = await self._objects.open(name)
        with (scratch / name).open("wb") as file:
            async for chunk in opened.chunks:
                await asyncio.to_thread(file.write, chunk)
        return scratch / name

    async def delete(self, name: str) -> None:
        """Remove an archive."""
        await self._objects.delete(name)


BackupPlace: TypeAlias = FolderPlace | ObjectPlace


@asynccontextmanager
async def archive_file(place: BackupPlace, reference: str, data: Path) -> AsyncIterator[Path]:
    """The file of an archive: a path, the name of a backup in its place, or `latest` for the newest good one there."""
    if await asyncio.to_thread(Path(reference).is_file):
        yield Path(reference)
        return
    stored = [backup.name for backup in await place.list_stored() if reference != LATEST or not backup.bad]
    name = next(iter(stored), None) if reference == LATEST else reference
    if name is None or name not in stored:
        raise InputError(
            gettext(
                "There is no backup at %(reference)s, nor of that name in %(label)s; see `almanac backups`.",
                reference=reference,
                label=place.label,
            )
        )
    with scratch_folder(data) as scratch:
        yield await place.fetch(name, scratch)


def _newest_first(backups: Iterable[StoredBackup | None]) -> list[StoredBackup]:
    return sorted(filter(None, backups), key=lambda backup: backup.created_at, reverse=True)


async def _pieces(file: Path) -> AsyncIterator[bytes]:
    with file.open("rb") as source:
        while piece := await asyncio.to_thread(source.read, _PIECE):
            yield piece
