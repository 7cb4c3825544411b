"""The archive: a compressed tar whose last member is a manifest with the size and checksum of every other.

A cut-off archive has no manifest and is refused; a changed one fails its checksums. Nothing here touches an
installation.
"""

import asyncio
import hashlib
import io
import os
import shutil
import tarfile
import tempfile
import zlib
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext
from datetime import datetime
from pathlib import Path
from typing import IO, cast

import msgspec

from almanac.backup.encryption import BackupDamaged, DecryptingReader, EncryptingWriter, PassphraseNeeded, is_encrypted
from almanac.errors import InputError
from almanac.kit.json_text import encode_json
from almanac.kit.messages import gettext
from almanac.relational import DatabaseCopy

MANIFEST = "manifest.json"
FORMAT = 2
# The first had the database as a program for psql.
READABLE = (1, FORMAT)
PART = ".part"
_PIECE = 1 << 20
_LARGEST_MANIFEST = 1 << 28

MemberListener = Callable[[str], None]
FileChooser = Callable[[str], Path | None]


class ArchiveMember(msgspec.Struct, frozen=True):
    """One file of the archive. An object's content type travels here."""

    name: str
    size: int
    sha256: str
    content_type: str | None = None


class ItemCount(msgspec.Struct, frozen=True):
    """How many items a table of the table engine has, and a checksum of them that doesn't depend on their order."""

    items: int
    checksum: str


class ArchiveManifest(msgspec.Struct, frozen=True):
    """What the archive holds and where it came from."""

    format: int
    almanac: str
    created_at: datetime
    members: list[ArchiveMember]
    migrations: list[str] = []
    database: DatabaseCopy | None = None
    tables: dict[str, ItemCount] = {}

    @property
    def total(self) -> int:
        """The size of everything in it, unpacked."""
        return sum(member.size for member in self.members)


class ArchiveWriter:
    """Adds members one by one and closes with the manifest."""

    def __init__(self, tar: tarfile.TarFile, *, almanac: str, created_at: datetime) -> None:
        self._tar, self._almanac, self._created_at = tar, almanac, created_at
        self._members: list[ArchiveMember] = []
        self.database: DatabaseCopy | None = None
        self.tables: dict[str, ItemCount] = {}

    def add_file(self, name: str, path: Path, content_type: str | None = None) -> None:
        """Copy a file in; its checksum is taken from the very bytes that go into the archive."""
        with path.open("rb") as source:
            info = self._entry(name, os.fstat(source.fileno()).st_size)
            counted = _HashingReader(source)
            self._tar.addfile(info, counted)
        self._members.append(ArchiveMember(name, info.size, counted.hexdigest(), content_type))

    def finish(self) -> None:
        """Write the manifest; without it the archive counts as cut off."""
        migrations = self.database.migrations if self.database else []
        manifest = ArchiveManifest(
            FORMAT, self._almanac, self._created_at, self._members, migrations, self.database, self.tables
        )
        content = msgspec.json.format(encode_json(manifest), indent=1)
        self._tar.addfile(self._entry(MANIFEST, len(content)), io.BytesIO(content))

    def _entry(self, name: str, size: int) -> tarfile.TarInfo:
        info = tarfile.TarInfo(name)
        info.size, info.mode, info.mtime = size, 0o600, int(self._created_at.timestamp())
        return info


class _HashingReader:
    """A file that remembers the hash of what was read from it."""

    def __init__(self, source: IO[bytes]) -> None:
        self._source, self._hash = source, hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        piece = self._source.read(size)
        self._hash.update(piece)
        return piece

    def hexdigest(self) -> str:
        return self._hash.hexdigest()


@asynccontextmanager
async def write_archive(
    path: Path, *, almanac: str, created_at: datetime, passphrase: str | None = None
) -> AsyncIterator[ArchiveWriter]:
    """An archive that appears under its name only when it is complete and on disk. Nobody waits for the disk."""
    # Only its owner may read it, for it holds password hashes and personal data. Its name is its own: another that
    # writes to the same place, or was killed while it did, is not in the way.
    descriptor, name = tempfile.mkstemp(prefix=f"{path.name}.", suffix=PART, dir=path.parent)
    part = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            sealed = await asyncio.to_thread(EncryptingWriter, file, passphrase) if passphrase else None
            with tarfile.open(fileobj=cast("IO[bytes]", sealed or file), mode="w:gz", compresslevel=6) as tar:
                writer = ArchiveWriter(tar, almanac=almanac, created_at=created_at)
                yield writer
                await asyncio.to_thread(writer.finish)
            if sealed is not None:
                sealed.close()
            file.flush()
            await asyncio.to_thread(os.fsync, file.fileno())
        await asyncio.to_thread(part.rename, path)
    finally:
        await asyncio.to_thread(part.unlink, missing_ok=True)


def verify_archive(
    path: Path, seen: MemberListener | None = None, *, passphrase: str | None = None, keep: FileChooser | None = None
) -> ArchiveManifest:
    """Read the whole archive and compare every member with the manifest; any difference is BackupDamaged.

    `keep` names a file for the members whose content is wanted; who asks for them uses them only after this returned.
    """
    members: dict[str, tuple[int, str]] = {}
    manifest: ArchiveManifest | None = None
    with _reading(path):
        for info, content in _members(path, passphrase):
            if manifest is not None or info.name in members:
                raise BackupDamaged(
                    gettext("%(name)s has more files than its manifest lists. Use another backup.", name=path.name)
                )
            if info.name == MANIFEST:
                manifest = _decode_manifest(content.read(_LARGEST_MANIFEST), path)
            else:
                members[info.name] = _measure(content, keep(info.name) if keep else None)
            if seen is not None:
                seen(info.name)
    if manifest is None:
        raise BackupDamaged(
            gettext("%(name)s ends before its manifest: it was cut off. Use another backup.", name=path.name)
        )
    expected = {member.name: (member.size, member.sha256) for member in manifest.members}
    for name in sorted(expected.keys() | members.keys()):
        if expected.get(name) != members.get(name):
            raise BackupDamaged(
                gettext(
                    "%(name)s in %(name2)s is not what was backed up. Use another backup.", name=name, name2=path.name
                )
            )
    return manifest


def extract_members(path: Path, folder: Path, passphrase: str | None = None) -> Iterator[tuple[str, Path]]:
    """Each member but the manifest as a file below `folder`, one at a time; the file is removed afterwards.

    The files are numbered, so that no name in an archive ever becomes a path.
    """
    for number, (info, content) in enumerate(_members(path, passphrase)):
        if info.name == MANIFEST:
            continue
        target = folder / f"member-{number}"
        with _reading(path), target.open("wb") as file:
            while piece := content.read(_PIECE):
                file.write(piece)
        yield info.name, target
        target.unlink(missing_ok=True)


def _members(path: Path, passphrase: str | None) -> Iterator[tuple[tarfile.TarInfo, IO[bytes]]]:
    """The files of the archive. Whatever else a tar can hold was not put there by us."""
    with _reading(path), path.open("rb") as file:
        stream = _opened(file, path, passphrase)
        with tarfile.open(fileobj=stream, mode="r|gz") as tar:
            for info in tar:
                content = tar.extractfile(info) if info.isreg() else None
                if content is None:
                    raise BackupDamaged(
                        gettext(
                            "%(name)s contains a link or a device (%(name2)s). Use another backup.",
                            name=path.name,
                            name2=info.name,
                        )
                    )
                _check_room(path, info)
                yield info, content
        # The seal of the last chunk is checked too.
        while stream.read(_PIECE):
            pass


def _opened(file: IO[bytes], path: Path, passphrase: str | None) -> IO[bytes]:
    if not is_encrypted(path):
        return file
    if passphrase is None:
        raise PassphraseNeeded(
            gettext("%(name)s is encrypted; set ALMANAC_BACKUP_PASSPHRASE to the one it was made with.", name=path.name)
        )
    return cast("IO[bytes]", DecryptingReader(file, passphrase, path.name))


def _check_room(path: Path, info: tarfile.TarInfo) -> None:
    """Asked before a member is read: a small archive can claim to unpack to any size."""
    if info.size > (free := shutil.disk_usage(tempfile.gettempdir()).free):
        raise InputError(
            gettext(
                "%(name)s in %(name2)s needs %(size)s bytes, and %(free)s are free for it here.",
                name=info.name,
                name2=path.name,
                size=f"{info.size:,}",
                free=f"{free:,}",
            )
        )


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise InputError(gettext("There is no backup at %(path)s.", path=path)) from None
    except (tarfile.TarError, EOFError, OSError, zlib.error) as error:
        raise BackupDamaged(
            gettext("%(name)s can't be read as a backup (%(error)s). Use another one.", name=path.name, error=error)
        ) from error


def _measure(content: IO[bytes], copy: Path | None) -> tuple[int, str]:
    digest, size = hashlib.sha256(), 0
    with copy.open("wb") if copy else nullcontext() as file:
        while piece := content.read(_PIECE):
            digest.update(piece)
            size += len(piece)
            if file:
                file.write(piece)
    return size, digest.hexdigest()


def _decode_manifest(content: bytes, path: Path) -> ArchiveManifest:
    try:
        manifest = msgspec.json.decode(content, type=ArchiveManifest)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BackupDamaged(
            gettext("The manifest of %(name)s can't be read. Use another backup.", name=path.name)
        ) from error
    if manifest.format not in READABLE:
        raise InputError(
            gettext(
                "%(name)s was written by Almanac %(almanac)s in a form this version can't read.",
                name=path.name,
                almanac=manifest.almanac,
            )
        )
    return manifest
