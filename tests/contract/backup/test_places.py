"""Backups in a folder and in S3: the same verbs, and the same archives come back."""

from dataclasses import replace
from urllib.parse import urlsplit

import pytest

from almanac.backup import (
    Backups,
    FolderPlace,
    Installation,
    ObjectPlace,
    RetentionPolicy,
    archive_file,
    restore_backup,
    verify_archive,
)
from almanac.backup.trial import TrialFailed
from almanac.errors import InputError, Unavailable
from almanac.jobs import SCHEMA
from almanac.objects.memory import MemoryObjectStore
from almanac.objects.s3 import S3ObjectStore
from almanac.relational import MIGRATIONS

PASSPHRASE = "correct horse battery staple"
NAME = "almanac-20260302-090000.tar.gz.enc"


@pytest.fixture(params=["folder", "s3"])
def place(request, tmp_path):
    if request.param == "folder":
        return FolderPlace(tmp_path / "backups", create=True)
    url = request.getfixturevalue("s3_url")
    return ObjectPlace(S3ObjectStore.from_url(url), url.partition("?")[0])


@pytest.fixture
async def backups(place, database, clock, tmp_path):
    installation = Installation(
        database_url=database.url,
        objects=MemoryObjectStore(clock),
        clock=clock,
        folder=tmp_path / "data",
        migrations=(SCHEMA, MIGRATIONS),
    )
    # Larger than one part of an upload.
    await installation.objects.put("large", bytes(range(256)) * 80_000)
    return Backups(installation, database, place, RetentionPolicy(14), PASSPHRASE)


async def test_a_backup_is_kept_listed_and_restored(backups, place, tmp_path):
    await backups.make("daily")
    [stored] = await backups.list_stored()
    assert (stored.name, stored.encrypted, stored.bad) == (NAME, True, False)
    installation = backups.installation
    await installation.objects.delete("large")
    for reference in (NAME, "latest"):
        async with archive_file(place, reference, installation.folder) as path:
            assert path.stat().st_size == stored.bytes
            verify_archive(path, passphrase=PASSPHRASE)
            await restore_backup(installation, path, passphrase=PASSPHRASE)
    assert len(await installation.objects.get("large")) == 20_480_000
    assert list((installation.folder / "scratch").iterdir()) == []


async def test_a_bad_one_is_there_under_a_bad_name_and_is_not_the_latest(backups, place, database):
    async with database.unit() as unit:
        await unit.execute("SET LOCAL session_replication_role = replica")
        await unit.execute(
            "INSERT INTO sessions (id, user_id, token_hash, address, user_agent, created_at, last_seen_at, expires_at)"
            " VALUES ('1', 'nobody', '', '', '', now(), now(), now())"
        )
    with pytest.raises(TrialFailed):
        await backups.make("daily")
    assert [(stored.name, stored.bad) for stored in await backups.list_stored()] == [(f"bad-{NAME}", True)]
    with pytest.raises(InputError, match="see `almanac backups`"):
        async with archive_file(place, "latest", backups.installation.folder):
            pass


async def test_old_ones_are_removed_there(backups, clock):
    await backups.make("daily")
    clock.advance(days=20)
    await backups.make("daily")
    removed = await backups.remove_old()
    assert [stored.name for stored in removed] == [NAME]
    assert [stored.name for stored in await backups.list_stored()] == ["almanac-20260322-090000.tar.gz.enc"]


async def test_an_open_archive_in_s3_is_a_problem(backups, place):
    open_backups = replace(backups, passphrase=None)
    await open_backups.make("daily")
    problem = await open_backups.find_problem()
    assert (problem is not None) == isinstance(place, ObjectPlace)
    assert problem is None or "ALMANAC_BACKUP_PASSPHRASE" in problem
    assert await backups.find_problem() is None


async def test_an_archive_that_is_gone_from_its_place_is_missed(backups, place):
    assert await backups.find_absence() is None
    await backups.make("daily")
    assert await backups.find_absence() is None
    await place.delete(NAME)
    absence = await backups.find_absence()
    assert f"The last good backup ({NAME}, 2 March 2026 at 09:00 UTC) isn't in {place.label}" in absence
    assert await replace(backups, policy=RetentionPolicy(0)).find_absence() is None


async def test_an_archive_made_elsewhere_is_looked_for_there(backups, tmp_path):
    await backups.make("manual", tmp_path / "own.tar.gz.enc")
    assert await backups.find_absence() is None
    (tmp_path / "own.tar.gz.enc").unlink()
    assert "own.tar.gz.enc" in await backups.find_absence()


async def test_a_missing_bucket_is_blamed_on_the_setting_of_backups(backups, s3_url):
    url = s3_url.replace(urlsplit(s3_url).netloc, "no-such-bucket")
    place = ObjectPlace(S3ObjectStore.from_url(url, setting="ALMANAC_BACKUP_URL"), "s3://no-such-bucket")
    with pytest.raises(Unavailable, match="bucket doesn't exist; create it, or correct ALMANAC_BACKUP_URL"):
        await replace(backups, place=place).find_absence()


async def test_a_failure_is_dated_by_itself(backups, place, clock):
    await backups.make("daily")
    made_at = clock.now()
    assert (await backups.status()).trouble_since == made_at
    clock.advance(days=1)
    away = replace(backups, place=FolderPlace(backups.installation.folder / "away", create=False))
    with pytest.raises(InputError, match="There is no folder"):
        await away.make("daily")
    assert (await backups.status()).trouble_since == clock.now() != made_at
