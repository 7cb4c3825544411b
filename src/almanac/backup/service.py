"""Making a backup: everything with state into one archive, which is restored on trial before it gets its name."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from almanac import __version__
from almanac.backup.archive import ArchiveWriter, ItemCount, write_archive
from almanac.backup.names import BAD, DAILY, archive_name
from almanac.backup.port import LOOSE, OBJECT, STAGED_OBJECTS, TABLE, TABLE_FILE, Installation, MemberListener
from almanac.backup.table_file import count_items, describe_damage
from almanac.backup.trial import Trial, TrialFailed, open_trial
from almanac.errors import Conflict, InputError, NotFound
from almanac.kit.messages import gettext
from almanac.objects import ObjectStore
from almanac.relational import count_other_connections, has_rows
from tablature.engine.engine import Engine
from tablature.engine.storage import UnreadableFile


@dataclass(frozen=True, slots=True)
class BackupReport:
    """Where a backup is and what it holds."""

    path: Path
    members: int
    bytes: int
    rows: int
    items: int


async def make_backup(
    installation: Installation, target: Path, seen: MemberListener | None = None, *, passphrase: str | None = None
) -> BackupReport:
    """Write one archive. `target` is a file, or a folder in which a name with the moment is chosen.

    One that fails its trial is kept with a name that says so, and TrialFailed is raised.
    """
    now = installation.clock.now()
    path = _free_path(target, now, passphrase)
    with installation.scratch() as scratch:
        async with open_trial(installation) as trial:
            async with write_archive(path, almanac=__version__, created_at=now, passphrase=passphrase) as archive:
                await _fill(archive, installation, trial, scratch, seen or (lambda _: None))
            try:
                manifest = await trial.restore(path, scratch, passphrase)
            except TrialFailed as error:
                bad = path.rename(path.with_name(BAD + path.name))
                raise TrialFailed(
                    gettext("%(sentence)s It is kept as %(bad)s; don't rely on it.", sentence=error.sentence, bad=bad)
                ) from error
    rows = sum(table.rows for table in manifest.database.tables) if manifest.database else 0
    items = sum(count.items for count in manifest.tables.values())
    return BackupReport(path, len(manifest.members), path.stat().st_size, rows, items)


def _free_path(target: Path, now: datetime, passphrase: str | None) -> Path:
    """A folder isn't created: where one is missing, a disk may not be mounted, or a name is mistyped."""
    path = target / archive_name(DAILY, now, encrypted=passphrase is not None) if target.is_dir() else target
    if path.exists():
        raise InputError(gettext("%(path)s exists already; name another file.", path=path))
    if not path.parent.is_dir():
        raise InputError(
            gettext("There is no folder %(parent)s; create it, or name another place.", parent=path.parent)
        )
    return path


async def _fill(
    archive: ArchiveWriter, installation: Installation, trial: Trial, scratch: Path, seen: MemberListener
) -> None:
    """The database first, the tables next, the objects last.

    Rows and items name objects, never the other way round: what the rows or the items name exists by then.
    """
    await trial.copy_database(archive, scratch, seen)
    if installation.tables is not None:
        archive.tables = await asyncio.to_thread(_copy_tables, installation.tables, scratch / "tables")
        await asyncio.to_thread(archive.add_file, TABLE_FILE, scratch / "tables")
        seen(TABLE_FILE)
    elif installation.table_archive is not None:
        (scratch / TABLE).mkdir()
        archive.tables = await installation.table_archive.export(scratch / TABLE)
        for file in sorted((scratch / TABLE).iterdir()):
            await asyncio.to_thread(archive.add_file, TABLE + file.name, file)
            seen(TABLE + file.name)
    async for key, path, content_type in _spooled(installation.objects, scratch):
        await asyncio.to_thread(archive.add_file, OBJECT + key, path, content_type)
        seen(OBJECT + key)
    for name, path in await asyncio.to_thread(list_loose_files, installation):
        # A mail that was just being written, or was erased, is gone under the name that it had a moment ago.
        with suppress(FileNotFoundError):
            await asyncio.to_thread(archive.add_file, LOOSE + name, path)
            seen(LOOSE + name)


def _copy_tables(engine: Engine, target: Path) -> dict[str, ItemCount]:
    try:
        engine.storage.back_up(str(target))
        with Engine(target) as copy:
            return count_items(copy)
    except (sqlite3.DatabaseError, UnreadableFile) as error:
        if sentence := describe_damage(error):
            raise Conflict(sentence) from error
        raise


async def _spooled(objects: ObjectStore, scratch: Path) -> AsyncIterator[tuple[str, Path, str]]:
    """Each object as a file. One that is removed meanwhile is left out: nothing that was copied names it any more."""
    spool = scratch / "object"
    async for listed in objects.iterate():
        if listed.key.startswith(f"{STAGED_OBJECTS}/"):
            continue
        try:
            opened = await objects.open(listed.key)
        except NotFound:
            continue
        with spool.open("wb") as file:
            async for chunk in opened.chunks:
                file.write(chunk)
        yield listed.key, spool, opened.info.content_type


def list_loose_files(installation: Installation) -> list[tuple[str, Path]]:
    """The files of the installation that are no objects, by their name in an archive."""
    files: list[tuple[str, Path]] = []
    for name, path in sorted(installation.files.items()):
        if path.is_dir():
            inside = sorted(p for p in path.rglob("*") if p.is_file())
            files += [(f"{name}/{p.relative_to(path).as_posix()}", p) for p in inside]
        elif path.is_file():
            files.append((name, path))
    return files


async def is_in_use(installation: Installation) -> bool:
    """Whether somebody else works with the installation's database right now."""
    return await count_other_connections(installation.database_url) > 0


async def is_empty(installation: Installation) -> bool:
    """Whether nothing would be lost by a restore: no row, and no object."""
    async for _ in installation.objects.iterate():
        return False
    return not await has_rows(installation.database_url)
