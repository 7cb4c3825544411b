"""An archive that nobody's backup wrote is refused as a whole: names that lead out, links, doubles, false sizes."""

import gzip
import hashlib
import io
import tarfile
from contextlib import suppress

import msgspec
import pytest

from almanac.backup import BackupDamaged, Installation, restore_backup, verify_archive
from almanac.backup.archive import ArchiveManifest, ArchiveMember
from almanac.errors import InputError
from almanac.objects.memory import MemoryObjectStore
from almanac.relational import MIGRATIONS, DatabaseTooNew


def entry(name, content=b"", **attributes):
    info = tarfile.TarInfo(name)
    info.size = len(content)
    for attribute, value in attributes.items():
        setattr(info, attribute, value)
    return info, content


def archive_of(path, *entries, migrations=(), clock):
    """An archive whose manifest agrees with it, whatever it holds."""
    members = [ArchiveMember(info.name, len(content), hashlib.sha256(content).hexdigest()) for info, content in entries]
    manifest = ArchiveManifest(1, "0", clock.now(), members, list(migrations))
    with tarfile.open(path, "w:gz") as tar:
        for info, content in (*entries, entry("manifest.json", msgspec.json.encode(manifest))):
            tar.addfile(info, io.BytesIO(content))
    return path


@pytest.fixture
def outbox(tmp_path):
    (tmp_path / "outbox").mkdir()
    return tmp_path / "outbox"


@pytest.fixture
async def installation(clock, outbox):
    """Its database is never reached: whatever comes that far has failed already."""
    objects = MemoryObjectStore(clock)
    await objects.put("kept.txt", b"kept")
    url = "postgresql://nobody@127.0.0.1:1/none"
    return Installation(
        database_url=url,
        objects=objects,
        clock=clock,
        folder=outbox.parent / "data",
        files={"outbox": outbox},
        migrations=(MIGRATIONS,),
    )


HOSTILE = {
    "an object outside": entry("objects/../../escaped.txt", b"x"),
    "an object with a root": entry("objects//etc/passwd", b"x"),
    "a file outside": entry("files/outbox/../../escaped.txt", b"x"),
    "a path with a root": entry("/etc/escaped", b"x"),
    "something else": entry("program.py", b"x"),
    "tables without an engine": entry("tables.db", b"x"),
    "a link": entry("objects/link", type=tarfile.SYMTYPE, linkname="/etc/passwd"),
    "a hard link": entry("files/outbox/link", type=tarfile.LNKTYPE, linkname="/etc/passwd"),
    "a device": entry("objects/device", type=tarfile.CHRTYPE),
    "a folder": entry("objects/folder", type=tarfile.DIRTYPE),
}


@pytest.mark.parametrize("hostile", HOSTILE.values(), ids=HOSTILE.keys())
async def test_it_is_refused_before_anything_is_touched(installation, tmp_path, clock, hostile):
    archive = archive_of(tmp_path / "a.tar.gz", entry("objects/good.txt", b"new"), hostile, clock=clock)
    with pytest.raises(InputError):
        await restore_backup(installation, archive)
    assert [listed.key async for listed in installation.objects.iterate()] == ["kept.txt"]
    assert not list(tmp_path.rglob("escaped*"))


async def test_one_of_a_newer_version_is_refused_by_name(installation, tmp_path, clock):
    archive = archive_of(tmp_path / "a.tar.gz", entry("objects/a", b"x"), migrations=["9999.future"], clock=clock)
    with pytest.raises(DatabaseTooNew, match=r"9999\.future"):
        await restore_backup(installation, archive)
    assert await installation.objects.get("kept.txt") == b"kept"


def test_a_member_twice_or_after_the_manifest_is_refused(tmp_path, clock):
    twice = archive_of(tmp_path / "a.tar.gz", entry("objects/a", b"x"), entry("objects/a", b"x"), clock=clock)
    with pytest.raises(BackupDamaged, match="more files than its manifest"):
        verify_archive(twice)


def test_a_size_that_no_disk_has_is_refused_before_it_is_read(tmp_path, clock):
    info, _ = entry("objects/bomb")
    info.size = 1 << 60
    path = tmp_path / "bomb.tar.gz"
    path.write_bytes(gzip.compress(info.tobuf(tarfile.GNU_FORMAT) + bytes(10_240)))
    with pytest.raises(InputError, match="are free for it here"):
        verify_archive(path)


@pytest.mark.parametrize("place", range(0, 100, 7))
async def test_a_byte_changed_anywhere_is_noticed_or_means_nothing(installation, tmp_path, clock, place):
    """What gzip's header says of a name or a time is no content; everything else is under a checksum."""
    path = archive_of(tmp_path / "a.tar.gz", entry("objects/a", bytes(range(256)) * 20), clock=clock)
    whole = verify_archive(path)
    content = bytearray(path.read_bytes())
    content[len(content) * place // 100] ^= 0x55
    path.write_bytes(content)
    with suppress(BackupDamaged):
        assert verify_archive(path) == whole
