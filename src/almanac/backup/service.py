"""The verbs of backup: make one, restore one, remove old ones. Restoring verifies before it touches anything."""

import asyncio
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from almanac import __version__
from almanac.backup.archive import (
    PART,
    ArchiveManifest,
    ArchiveMember,
    ArchiveWriter,
    extract_members,
    verify_archive,
    write_archive,
)
from almanac.errors import InputError, NotFound
from almanac.kit.clock import Clock
from almanac.objects import ObjectStore
from almanac.objects.port import valid_key
from almanac.relational import (
    DatabaseTooNew,
    count_other_connections,
    dump_database,
    get_migration_state,
    has_rows,
    list_migrations,
    restore_database,
)
from tablature.engine.engine import Engine

DATABASE, OBJECT, LOOSE, TABLES = "database.sql", "objects/", "files/", "tables.db"
_PIECE = 1 << 20
_NAME = "almanac-%Y%m%d-%H%M%S.tar.gz"
_PATTERNS = ("almanac-*.tar.gz", "before-upgrade-*.tar.gz")
_LONGEST_WRITING = timedelta(days=1)

MemberListener = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """Everything that has state. `files` maps a name in the archive to a file or folder of the data folder.

    `migrations` are the folders of those that this program knows, in the order in which they are applied.
    """

    database_url: str
    objects: ObjectStore
    clock: Clock
    tables: Engine | None = None
    files: dict[str, Path] = field(default_factory=dict)
    migrations: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class BackupReport:
    """Where a backup is and what it holds."""

    path: Path
    members: int
    bytes: int


async def make_backup(installation: Installation, target: Path, seen: MemberListener | None = None) -> BackupReport:
    """Write one archive. `target` is a file, or a folder in which a name with the moment is chosen."""
    now = installation.clock.now()
    path = _free_path(target, now)
    with tempfile.TemporaryDirectory(prefix="almanac-backup-") as scratch:
        async with write_archive(path, almanac=__version__, created_at=now) as archive:
            await _fill(archive, installation, Path(scratch), seen or (lambda _: None))
    manifest = await asyncio.to_thread(verify_archive, path)
    return BackupReport(path, len(manifest.members), path.stat().st_size)


def _free_path(target: Path, now: datetime) -> Path:
    path = target / now.strftime(_NAME) if target.is_dir() else target
    if path.exists():
        raise InputError(f"{path} exists already; name another file.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path} can't be written ({error.strerror}); name another place.") from error
    return path


async def _fill(archive: ArchiveWriter, installation: Installation, scratch: Path, seen: MemberListener) -> None:
    """The database first, the tables next, the objects last.

    Rows and items name objects, never the other way round: what the dump or the copy names exists by then.
    """
    archive.migrations = (await get_migration_state(installation.database_url)).applied
    await dump_database(installation.database_url, scratch / "dump")
    await asyncio.to_thread(archive.add_file, DATABASE, scratch / "dump")
    seen(DATABASE)
    if installation.tables is not None:
        await asyncio.to_thread(installation.tables.storage.back_up, str(scratch / "tables"))
        await asyncio.to_thread(archive.add_file, TABLES, scratch / "tables")
        seen(TABLES)
    async for key, path, content_type in _spooled(installation.objects, scratch):
        await asyncio.to_thread(archive.add_file, OBJECT + key, path, content_type)
        seen(OBJECT + key)
    for name, path in await asyncio.to_thread(_loose_files, installation):
        # A mail that was just being written, or was erased, is gone under the name that it had a moment ago.
        with suppress(FileNotFoundError):
            await asyncio.to_thread(archive.add_file, LOOSE + name, path)
            seen(LOOSE + name)


async def _spooled(objects: ObjectStore, scratch: Path) -> AsyncIterator[tuple[str, Path, str]]:
    """Each object as a file. One that is removed meanwhile is left out: nothing that was dumped names it any more."""
    spool = scratch / "object"
    async for listed in objects.iterate():
        try:
            opened = await objects.open(listed.key)
        except NotFound:
            continue
        with spool.open("wb") as file:
            async for chunk in opened.chunks:
                file.write(chunk)
        yield listed.key, spool, opened.info.content_type


def _loose_files(installation: Installation) -> list[tuple[str, Path]]:
    files: list[tuple[str, Path]] = []
    for name, path in sorted(installation.files.items()):
        if path.is_dir():
            inside = sorted(p for p in path.rglob("*") if p.is_file())
            files += [(f"{name}/{p.relative_to(path).as_posix()}", p) for p in inside]
        elif path.is_file():
            files.append((name, path))
    return files


async def restore_backup(
    installation: Installation,
    path: Path,
    seen: MemberListener | None = None,
    *,
    verified: ArchiveManifest | None = None,
) -> ArchiveManifest:
    """Make the installation hold what the archive holds. A damaged archive changes nothing.

    Objects come before the rows that name them and stale ones go last, so that a restore that is interrupted
    leaves no row without its object and can simply be run again. Who has just verified the archive says so.
    """
    manifest = await asyncio.to_thread(verify_archive, path, seen) if verified is None else verified
    check_compatible(installation, manifest)
    kept = {member.name: member for member in manifest.members}
    with tempfile.TemporaryDirectory(prefix="almanac-restore-") as scratch:
        held: dict[str, Path] = {}
        for name, file in extract_members(path, Path(scratch)):
            if name in (DATABASE, TABLES):
                held[name] = file.rename(Path(scratch) / name)
                continue
            await _put_back(installation, kept[name], file)
            if seen is not None:
                seen(name)
        for name, file in held.items():
            await _put_back(installation, kept[name], file)
            if seen is not None:
                seen(name)
    await _remove_others(installation, {name.removeprefix(OBJECT) for name in kept if name.startswith(OBJECT)})
    return manifest


def check_compatible(installation: Installation, manifest: ArchiveManifest) -> None:
    """Raise for an archive that can't be restored here as a whole; asked before anything is touched."""
    our_migrations = list_migrations(*installation.migrations)
    if our_migrations and (unknown := [name for name in manifest.migrations if name not in our_migrations]):
        raise DatabaseTooNew(unknown)
    for member in manifest.members:
        if member.name.startswith(OBJECT):
            valid_key(member.name.removeprefix(OBJECT))
        elif member.name.startswith(LOOSE):
            _place_of(installation, member.name.removeprefix(LOOSE))
        elif member.name == TABLES and installation.tables is None:
            raise InputError("This backup has tables of the embedded engine, but this installation uses another one.")
        elif member.name not in (DATABASE, TABLES):
            raise InputError(f"The backup contains {member.name}, which isn't part of an Almanac backup.")


async def is_in_use(installation: Installation) -> bool:
    """Whether somebody else works with the installation's database right now."""
    return await count_other_connections(installation.database_url) > 0


async def is_empty(installation: Installation) -> bool:
    """Whether nothing would be lost by a restore: no row, and no object."""
    async for _ in installation.objects.iterate():
        return False
    return not await has_rows(installation.database_url)


async def _put_back(installation: Installation, member: ArchiveMember, file: Path) -> None:
    if member.name == DATABASE:
        await restore_database(installation.database_url, file)
    elif member.name == TABLES:
        assert installation.tables is not None, "check_fits saw to it"
        await asyncio.to_thread(installation.tables.storage.restore, str(file))
    elif member.name.startswith(OBJECT):
        content_type = member.content_type
        await installation.objects.put(member.name.removeprefix(OBJECT), _pieces(file), content_type=content_type)
    else:
        await asyncio.to_thread(_put_back_loose, installation, member.name.removeprefix(LOOSE), file)


def _put_back_loose(installation: Installation, name: str, file: Path) -> None:
    target = _place_of(installation, name)
    if target is not None:
        target.parent.mkdir(parents=True, exist_ok=True)
        # The key of all sessions is among them: never half written, and never for others to read.
        descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        with os.fdopen(descriptor, "wb") as copy, file.open("rb") as source:
            shutil.copyfileobj(source, copy)
        Path(name).replace(target)


def _place_of(installation: Installation, name: str) -> Path | None:
    """Where a loose file belongs; None for a kind that this installation doesn't keep in files."""
    root, _, inside = name.partition("/")
    place = installation.files.get(root)
    if place is None:
        return None
    target = place / inside if inside else place
    if not target.resolve().is_relative_to(place.resolve()):
        raise InputError(f"The backup names a file outside the data folder ({name}); it was not made by Almanac.")
    return target


async def _remove_others(installation: Installation, kept: set[str]) -> None:
    present = [listed.key async for listed in installation.objects.iterate()]
    for key in present:
        if key not in kept:
            await installation.objects.delete(key)


async def _pieces(file: Path) -> AsyncIterator[bytes]:
    with file.open("rb") as source:
        while piece := await asyncio.to_thread(source.read, _PIECE):
            yield piece


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
