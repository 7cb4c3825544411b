"""Restoring a backup: staged beside what is in use, compared, then switched as a whole.

Until the journal is written nothing in use is touched, and whatever stops the restore leaves the old installation. From
then on each step may be repeated, and the next start finishes them: the installation is the new one.
"""

import asyncio
import os
import shutil
import socket
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack
from enum import StrEnum
from pathlib import Path

import msgspec

from almanac.backup.archive import ArchiveManifest, ArchiveMember, extract_members, verify_archive
from almanac.backup.encryption import BackupDamaged
from almanac.backup.port import (
    DATABASE,
    DUMP,
    LOOSE,
    OBJECT,
    STAGED_OBJECTS,
    TABLE,
    TABLE_FILE,
    Installation,
    MemberListener,
)
from almanac.backup.service import list_loose_files
from almanac.backup.table_file import check_table_file
from almanac.errors import Conflict, InputError
from almanac.kit.json_text import encode_json
from almanac.kit.messages import gettext
from almanac.objects.port import valid_key
from almanac.relational import DatabaseTooNew, list_migrations, stage_dump
from almanac.relational.staged_schema import (
    REPLACED,
    STAGED,
    create_schema,
    drop_schema,
    existing_schemas,
    fill_schema,
    read_journal,
    staging,
    switch_schemas,
    write_journal,
)
from almanac.relational.table_copy import CopyConnection, connect

_FOLDER = "restore"
_PIECE = 1 << 20
_PATIENCE_SECONDS = 60


class RestoreStage(StrEnum):
    """The steps of a restore, in order. What comes before DECIDED can be undone, what comes after it is repeated."""

    DATABASE_STAGED = "database staged"
    FILES_STAGED = "files staged"
    DECIDED = "decided"
    OBJECTS_REPLACED = "objects replaced"
    TABLES_REPLACED = "tables replaced"
    FILES_REPLACED = "files replaced"
    DATABASE_REPLACED = "database replaced"


StageListener = Callable[[RestoreStage], None]


class StagedObject(msgspec.Struct, frozen=True):
    """An object of the backup, stored under a key of its own until the switch."""

    key: str
    staged: str


class RestorePlan(msgspec.Struct):
    """What the switch has to do, kept in the database from the decision until it is done."""

    machine: str
    objects: list[StagedObject] = []
    files: dict[str, str] = {}
    has_table_file: bool = False
    has_table_archive: bool = False


async def restore_backup(
    installation: Installation,
    path: Path,
    seen: MemberListener | None = None,
    *,
    verified: ArchiveManifest | None = None,
    passphrase: str | None = None,
    reached: StageListener = lambda _: None,
) -> ArchiveManifest:
    """Make the installation hold what the archive holds and nothing else, or change nothing.

    Who has just verified the archive says so.
    """
    verify = verify_archive
    manifest = await asyncio.to_thread(verify, path, seen, passphrase=passphrase) if verified is None else verified
    check_compatible(installation, manifest)
    await settle_restore(installation)
    with ExitStack() as stack:
        turn = staging(installation.database_url, STAGED)
        connection = await asyncio.to_thread(stack.enter_context, turn)
        try:
            plan = await _Stage(installation, connection, path, passphrase, manifest, seen).prepare(reached)
        except BaseException:
            await _discard(installation, connection)
            raise
        await asyncio.to_thread(write_journal, connection, encode_json(plan))
        reached(RestoreStage.DECIDED)
        await _switch(installation, connection, plan, reached)
    return manifest


def check_compatible(installation: Installation, manifest: ArchiveManifest) -> None:
    """Raise for an archive that can't be restored here as a whole; asked before anything is touched."""
    our_migrations = list_migrations(*installation.migrations)
    if our_migrations and (unknown := [name for name in manifest.migrations if name not in our_migrations]):
        raise DatabaseTooNew(unknown)
    copied = {DATABASE + table.name for table in manifest.database.tables} if manifest.database else {DUMP}
    for member in manifest.members:
        if member.name.startswith(OBJECT):
            valid_key(member.name.removeprefix(OBJECT))
        elif member.name.startswith(LOOSE):
            _place_of(installation, member.name.removeprefix(LOOSE))
        elif member.name == TABLE_FILE or member.name.startswith(TABLE):
            _check_tables(installation, member.name)
        elif member.name not in copied:
            raise InputError(
                gettext("The backup contains %(name)s, which isn't part of an Almanac backup.", name=member.name)
            )


def _check_tables(installation: Installation, name: str) -> None:
    is_usual = name == TABLE_FILE and installation.tables is not None
    if not is_usual and installation.table_archive is None:
        raise InputError(gettext("This backup has tables of another kind than this installation."))
    if name.removeprefix(TABLE) in ("", "..") or "/" in name.removeprefix(TABLE):
        raise InputError(gettext("The backup contains %(name)s, which isn't part of an Almanac backup.", name=name))


async def settle_restore(installation: Installation) -> None:
    """Finish or undo what a restore that was stopped has left; nothing happens where there was none."""
    with ExitStack() as stack:
        turn = connect(installation.database_url)
        connection = await asyncio.to_thread(stack.enter_context, turn)
        if not await asyncio.to_thread(existing_schemas, connection, (STAGED, REPLACED)):
            return
        # Of several processes that start at once, one finishes what was stopped, and the others find it done.
        turn = staging(installation.database_url, STAGED, patience_seconds=_PATIENCE_SECONDS)
        connection = await asyncio.to_thread(stack.enter_context, turn)
        journal = await asyncio.to_thread(read_journal, connection)
        if journal is None:
            await _discard(installation, connection)
            return
        plan = msgspec.json.decode(journal, type=RestorePlan)
        if (plan.files or plan.has_table_file or plan.has_table_archive) and not _folder(installation).is_dir():
            raise Conflict(
                gettext(
                    "A restore on %(machine)s was stopped before its last step; start Almanac there first, which "
                    "finishes it.",
                    machine=plan.machine,
                )
            )
        await _switch(installation, connection, plan, lambda _: None)


def _folder(installation: Installation) -> Path:
    return installation.folder / _FOLDER


async def _discard(installation: Installation, connection: CopyConnection) -> None:
    """Remove what was staged, and what was replaced. The schema goes last: while it is there, this is repeated."""
    await installation.objects.delete_prefix(STAGED_OBJECTS)
    await asyncio.to_thread(shutil.rmtree, _folder(installation), ignore_errors=True)
    for schema in (STAGED, REPLACED):
        await asyncio.to_thread(drop_schema, connection, schema)


class _Stage:
    """Puts every part of an archive beside the one in use."""

    def __init__(
        self,
        installation: Installation,
        connection: CopyConnection,
        path: Path,
        passphrase: str | None,
        manifest: ArchiveManifest,
        seen: MemberListener | None,
    ) -> None:
        self._installation, self._connection = installation, connection
        self._path, self._passphrase, self._manifest = path, passphrase, manifest
        self._seen = seen or (lambda _: None)
        self._folder = _folder(installation)
        self._plan = RestorePlan(socket.gethostname())

    async def prepare(self, reached: StageListener) -> RestorePlan:
        await _discard(self._installation, self._connection)
        self._folder.mkdir(mode=0o700, parents=True)
        with self._installation.scratch() as scratch:
            rows = await self._unpack(scratch)
            await self._stage_database(rows)
            reached(RestoreStage.DATABASE_STAGED)
            await self._stage_tables(scratch)
        await asyncio.to_thread(_flush, self._folder)
        reached(RestoreStage.FILES_STAGED)
        return self._plan

    async def _unpack(self, scratch: Path) -> dict[str, Path]:
        """Objects and files to where they wait; the answer is the files of the database."""
        rows: dict[str, Path] = {}
        members = {member.name: member for member in self._manifest.members}
        unpacking = extract_members(self._path, scratch, self._passphrase)
        while (unpacked := await asyncio.to_thread(next, unpacking, None)) is not None:
            name, file = unpacked
            if name.startswith(OBJECT):
                await self._stage_object(members[name], file)
            elif name.startswith(DATABASE) or name == DUMP:
                rows[name] = file.rename(scratch / f"rows-{len(rows)}")
            else:
                self._stage_file(name, file)
            self._seen(name)
        return rows

    async def _stage_object(self, member: ArchiveMember, file: Path) -> None:
        staged = f"{STAGED_OBJECTS}/{len(self._plan.objects)}"
        await self._installation.objects.put(staged, _pieces(file), content_type=member.content_type)
        self._plan.objects.append(StagedObject(member.name.removeprefix(OBJECT), staged))

    def _stage_file(self, name: str, file: Path) -> None:
        if name == TABLE_FILE:
            shutil.move(file, self._folder / TABLE_FILE)
        elif name.startswith(TABLE):
            (self._folder / TABLE).mkdir(exist_ok=True)
            shutil.move(file, self._folder / name)
        elif _place_of(self._installation, name.removeprefix(LOOSE)) is not None:
            waiting = f"file-{len(self._plan.files)}"
            shutil.move(file, self._folder / waiting)
            self._plan.files[name.removeprefix(LOOSE)] = waiting

    async def _stage_database(self, rows: dict[str, Path]) -> None:
        url, copy, connection = self._installation.database_url, self._manifest.database, self._connection
        if copy is None:
            await stage_dump(url, rows[DUMP])
            return
        sources = self._installation.migrations
        await asyncio.to_thread(create_schema, connection, url, STAGED, copy, *sources)
        await asyncio.to_thread(fill_schema, connection, STAGED, copy, lambda table: rows[DATABASE + table.name])

    async def _stage_tables(self, scratch: Path) -> None:
        file, archive = self._folder / TABLE_FILE, self._installation.table_archive
        folder, is_embedded = self._folder / TABLE, self._installation.tables is not None
        if file.exists():
            await asyncio.to_thread(check_table_file, file, scratch, self._manifest.tables)
            if not is_embedded and archive is not None:
                folder.mkdir()
                await archive.export_engine(file, folder)
        elif folder.exists() and archive is not None:
            if await archive.verify(folder) != self._manifest.tables:
                raise BackupDamaged(gettext("The tables in the backup are not those that its manifest lists."))
            if is_embedded:
                await archive.import_engine(folder, file)
        self._plan.has_table_file = is_embedded and file.exists()
        self._plan.has_table_archive = not is_embedded and folder.exists()


async def _switch(
    installation: Installation, connection: CopyConnection, plan: RestorePlan, reached: StageListener
) -> None:
    """Put everything that is staged in its place. Each step may be repeated; the database comes last."""
    folder = _folder(installation)
    for waiting in plan.objects:
        await installation.objects.copy(waiting.staged, waiting.key)
    await _remove_other_objects(installation, {waiting.key for waiting in plan.objects})
    reached(RestoreStage.OBJECTS_REPLACED)
    if plan.has_table_file and installation.tables is not None:
        await asyncio.to_thread(installation.tables.storage.restore, str(folder / TABLE_FILE))
    if plan.has_table_archive and installation.table_archive is not None:
        await installation.table_archive.replace(folder / TABLE)
    reached(RestoreStage.TABLES_REPLACED)
    await asyncio.to_thread(_replace_files, installation, plan)
    reached(RestoreStage.FILES_REPLACED)
    await asyncio.to_thread(switch_schemas, connection)
    reached(RestoreStage.DATABASE_REPLACED)
    await _discard(installation, connection)


async def _remove_other_objects(installation: Installation, kept: set[str]) -> None:
    present = [listed.key async for listed in installation.objects.iterate()]
    for key in present:
        if key not in kept and not key.startswith(f"{STAGED_OBJECTS}/"):
            await installation.objects.delete(key)


def _replace_files(installation: Installation, plan: RestorePlan) -> None:
    for name, waiting in plan.files.items():
        if (target := _place_of(installation, name)) is not None:
            _replace_file(_folder(installation) / waiting, target)
    for name, path in list_loose_files(installation):
        # A file that stands for itself, such as the key of a backup that had none, is no leftover.
        if "/" in name and name not in plan.files:
            path.unlink(missing_ok=True)


def _replace_file(source: Path, target: Path) -> None:
    """The key of all sessions is among them: never half written, and never for others to read."""
    target.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    with os.fdopen(descriptor, "wb") as copy, source.open("rb") as content:
        shutil.copyfileobj(content, copy)
        copy.flush()
        os.fsync(copy.fileno())
    Path(name).replace(target)


def _place_of(installation: Installation, name: str) -> Path | None:
    """Where a loose file belongs; None for a kind that this installation doesn't keep in files."""
    root, _, inside = name.partition("/")
    place = installation.files.get(root)
    if place is None:
        return None
    target = place / inside if inside else place
    if not target.resolve().is_relative_to(place.resolve()):
        raise InputError(
            gettext(
                "The backup names a file outside the data folder (%(name)s); it was not made by Almanac.", name=name
            )
        )
    return target


async def _pieces(file: Path) -> AsyncIterator[bytes]:
    with file.open("rb") as source:
        while piece := await asyncio.to_thread(source.read, _PIECE):
            yield piece


def _flush(folder: Path) -> None:
    """What the decision counts on is on the disk before it is made."""
    for path in (*folder.rglob("*"), folder):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
