"""One archive holds everything with state; restoring it makes an installation hold exactly that, or changes nothing."""

import gzip
import os
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from almanac.backup import (
    BackupDamaged,
    Backups,
    FolderPlace,
    Installation,
    RetentionPolicy,
    make_backup,
    restore_backup,
    verify_archive,
)
from almanac.backup.archive import write_archive
from almanac.errors import InputError, Unavailable
from almanac.jobs import SCHEMA, InlineLedger, RunningJob
from almanac.objects.local import LocalObjectStore
from almanac.objects.memory import MemoryObjectStore
from almanac.platform_jobs import daily_backup
from almanac.relational import MIGRATIONS
from tablature.engine.engine import Engine

TABLE = {
    "TableName": "things",
    "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
    "BillingMode": "PAY_PER_REQUEST",
}


@pytest.fixture
def outbox(tmp_path) -> Path:
    folder = tmp_path / "outbox"
    (folder / "2026").mkdir(parents=True)
    (folder / "2026" / "one.eml").write_bytes(b"From: a\r\n\r\nhello")
    return folder


@pytest.fixture
def installation(database, clock, tmp_path, outbox):
    with Engine(tmp_path / "tables.db") as tables:
        yield Installation(
            database_url=database.url,
            objects=MemoryObjectStore(clock),
            clock=clock,
            folder=tmp_path / "data",
            tables=tables,
            files={"outbox": outbox},
            migrations=(SCHEMA, MIGRATIONS),
        )


async def fill(installation, database):
    async with database.unit() as unit:
        await unit.execute("INSERT INTO news_links (url, url_hash) VALUES ('kept', '1'), ('also — kept', '2')")
    await installation.objects.put("a/one.txt", b"first", content_type="text/markdown")
    await installation.objects.put("b/two.bin", os.urandom(300_000))
    installation.tables.call("CreateTable", TABLE)
    installation.tables.call("PutItem", {"TableName": "things", "Item": {"id": {"S": "1"}}})


async def spoil(installation, database, outbox):
    async with database.unit() as unit:
        await unit.execute("DELETE FROM news_links")
        await unit.execute("CREATE TABLE later (id int)")
    await installation.objects.delete("a/one.txt")
    await installation.objects.put("later.txt", b"not in the backup")
    installation.tables.call("DeleteItem", {"TableName": "things", "Key": {"id": {"S": "1"}}})
    (outbox / "2026" / "one.eml").unlink()


async def test_everything_comes_back_and_nothing_else(installation, database, tmp_path, outbox):
    await fill(installation, database)
    content = await installation.objects.get("b/two.bin")
    report = await make_backup(installation, tmp_path / "all.tar.gz")
    await spoil(installation, database, outbox)
    await restore_backup(installation, report.path)
    async with database.unit() as unit:
        assert await unit.value("SELECT string_agg(url, ',' ORDER BY id) FROM news_links") == "kept,also — kept"
        assert await unit.value("SELECT to_regclass('later')") is None
    assert [o.key async for o in installation.objects.iterate()] == ["a/one.txt", "b/two.bin"]
    assert await installation.objects.get("b/two.bin") == content
    assert (await installation.objects.head("a/one.txt")).content_type == "text/markdown"
    assert "Item" in installation.tables.call("GetItem", {"TableName": "things", "Key": {"id": {"S": "1"}}})
    assert (outbox / "2026" / "one.eml").read_bytes().endswith(b"hello")


async def test_the_archive_is_private_and_named_after_its_moment(installation, tmp_path):
    report = await make_backup(installation, tmp_path)
    assert report.path.name == "almanac-20260302-090000.tar.gz"
    assert report.path.stat().st_mode & 0o777 == 0o600


async def test_an_existing_file_is_never_overwritten(installation, tmp_path):
    (tmp_path / "taken").write_text("mine")
    with pytest.raises(InputError, match="exists already"):
        await make_backup(installation, tmp_path / "taken")
    assert (tmp_path / "taken").read_text() == "mine"


def cut_off(content: bytes) -> bytes:
    return content[: len(content) // 2]


def changed_inside(content: bytes) -> bytes:
    return gzip.compress(gzip.decompress(content).replace(b"also", b"else"))


def without_manifest(content: bytes) -> bytes:
    plain = gzip.decompress(content)
    return gzip.compress(plain[: plain.index(b"manifest.json")] + bytes(1024))


@pytest.mark.parametrize("damage", [cut_off, changed_inside, without_manifest, lambda _: b"not an archive"])
async def test_a_damaged_archive_is_refused_before_anything_is_touched(installation, database, tmp_path, damage):
    await fill(installation, database)
    report = await make_backup(installation, tmp_path / "all.tar.gz")
    report.path.write_bytes(damage(report.path.read_bytes()))
    await installation.objects.put("later.txt", b"still here")
    with pytest.raises(BackupDamaged):
        await restore_backup(installation, report.path)
    assert await installation.objects.get("later.txt") == b"still here"


async def test_a_missing_archive_is_a_sentence(tmp_path):
    with pytest.raises(InputError, match="no backup at"):
        verify_archive(tmp_path / "nothing.tar.gz")


async def test_an_interrupted_backup_leaves_no_archive(installation, tmp_path, database):
    broken = replace(installation, database_url="postgresql://nobody@127.0.0.1:1/none")
    with pytest.raises(Unavailable):
        await make_backup(broken, tmp_path / "all.tar.gz")
    assert not list(tmp_path.glob("all*"))


async def test_a_backup_moves_to_another_kind_of_store(installation, database, tmp_path, clock):
    await fill(installation, database)
    report = await make_backup(installation, tmp_path / "all.tar.gz")
    with Engine.memory() as tables:
        there = replace(installation, objects=LocalObjectStore(tmp_path / "objects", clock), tables=tables)
        await restore_backup(there, report.path)
        assert await there.objects.get("a/one.txt") == b"first"
        assert "Item" in tables.call("GetItem", {"TableName": "things", "Key": {"id": {"S": "1"}}})


async def test_the_daily_backup_keeps_what_its_days_allow(installation, database, tmp_path):
    folder = tmp_path / "backups"
    folder.mkdir()
    for name in ("almanac-20260214-021500.tar.gz", "almanac-20260225-021500.tar.gz", "mine.tar.gz"):
        (folder / name).touch()
    backups = Backups(installation, database, FolderPlace(folder, create=True), RetentionPolicy(14))
    schedule = daily_backup(backups, time_zone="Asia/Tokyo")
    await schedule.job_type.run(RunningJob(1, schedule.job_type.name, 1, None, InlineLedger(database)))
    made = "almanac-20260302-090000.tar.gz"
    assert sorted(path.name for path in folder.iterdir()) == ["almanac-20260225-021500.tar.gz", made, "mine.tar.gz"]
    assert "database/users" in [member.name for member in verify_archive(folder / made).members]
    status = await backups.status()
    assert (status.last.result, status.last.kind, status.last.name) == ("good", "daily", made)
    assert status.last_good_at == installation.clock.now()


async def test_a_mail_that_vanishes_meanwhile_does_not_spoil_the_backup(installation, tmp_path, outbox):
    (outbox / "2026" / "two.eml").write_bytes(b"From: b\r\n\r\nerased")

    def erase(name: str) -> None:
        if name == "files/outbox/2026/one.eml":
            (outbox / "2026" / "two.eml").unlink()

    report = await make_backup(installation, tmp_path / "all.tar.gz", erase)
    names = [member.name for member in verify_archive(report.path).members]
    assert "files/outbox/2026/one.eml" in names
    assert "files/outbox/2026/two.eml" not in names


async def test_one_that_was_killed_is_not_in_the_way(installation, tmp_path):
    """Its half an archive stays behind, and the next of the same name is written all the same."""
    (tmp_path / "all.tar.gz.part").write_bytes(b"half of it")
    async with write_archive(tmp_path / "all.tar.gz", almanac="1", created_at=installation.clock.now()):
        await make_backup(installation, tmp_path / "all.tar.gz")
    verify_archive(tmp_path / "all.tar.gz")
    assert sorted(p.name for p in tmp_path.glob("all*")) == ["all.tar.gz", "all.tar.gz.part"]


async def test_nobody_waits_for_the_disk_to_write_an_archive(installation, tmp_path, monkeypatch):
    """A sync of a large archive takes seconds, in which the loop that also answers people must go on."""
    synced = []
    sync = os.fsync

    def watched(descriptor):
        synced.append(threading.current_thread())
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", watched)
    await make_backup(installation, tmp_path / "all.tar.gz")
    assert synced
    assert threading.current_thread() not in synced


def test_what_a_killed_one_wrote_goes_after_a_day(tmp_path):
    for name, hours in (("almanac-20260101-021500.tar.gz.k3x.part", 25), ("almanac-20260102-021500.tar.gz.part", 1)):
        (tmp_path / name).touch()
        age = time.time() - hours * 3_600
        os.utime(tmp_path / name, (age, age))
    FolderPlace(tmp_path, create=True).remove_unfinished()
    assert [path.name for path in tmp_path.iterdir()] == ["almanac-20260102-021500.tar.gz.part"]


async def test_a_restored_file_is_for_its_owner_alone(installation, database, tmp_path, outbox):
    await fill(installation, database)
    report = await make_backup(installation, tmp_path / "all.tar.gz")
    (outbox / "2026" / "one.eml").chmod(0o644)
    await restore_backup(installation, report.path)
    assert (outbox / "2026" / "one.eml").stat().st_mode & 0o777 == 0o600
    assert [p.name for p in (outbox / "2026").iterdir()] == ["one.eml"]
