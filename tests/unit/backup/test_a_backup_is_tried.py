"""A backup counts only after a trial restore; one that fails is kept aside, named as bad, and recorded."""

import asyncio
from dataclasses import replace

import pytest

from almanac.backup import make_backup
from almanac.backup.trial import TrialFailed
from almanac.errors import InputError, Unavailable
from almanac.relational.staged_schema import TRIAL

ORPHAN = """
INSERT INTO sessions (id, user_id, token_hash, address, user_agent, created_at, last_seen_at, expires_at)
VALUES ('1', 'nobody', '', '', '', now(), now(), now())
"""


async def break_a_reference(database):
    """A row that no restore can bring back, as a disk or a careless hand leaves it."""
    async with database.unit() as unit:
        await unit.execute("SET LOCAL session_replication_role = replica")
        await unit.execute(ORPHAN)


async def test_a_good_one_is_recorded_with_what_it_holds(make_backups, filled):
    backups = make_backups()
    report = await backups.make("manual")
    run = (await backups.status()).last_good
    assert (run.name, run.bytes, run.item_count) == (report.path.name, report.bytes, 1)
    assert run.row_count == report.rows >= 1
    assert not run.encrypted


async def test_a_bad_one_is_kept_aside_and_said_loudly(make_backups, database, tmp_path, caplog):
    backups = make_backups()
    await break_a_reference(database)
    with pytest.raises(TrialFailed, match=r"kept as .*bad-almanac-20260302-090000\.tar\.gz; don't rely on it"):
        await backups.make("daily")
    [stored] = await backups.list_stored()
    assert (stored.name, stored.bad) == ("bad-almanac-20260302-090000.tar.gz", True)
    status = await backups.status()
    assert (status.last.result, status.last_good) == ("bad", None)
    assert "foreign key" in status.last.reason
    assert "foreign key" in caplog.text


async def test_a_table_file_with_other_counts_is_bad(filled, tmp_path):
    """Counts that disagree with the items, as after a fault of the disk."""

    def spoil(connection):
        connection.execute("UPDATE counts SET items = items + 1")

    filled.tables.storage.write(lambda transaction: spoil(transaction.connection))
    with pytest.raises(TrialFailed, match="table file in the backup is damaged"):
        await make_backup(filled, tmp_path / "all.tar.gz")
    assert [path.name for path in tmp_path.glob("*all.tar.gz")] == ["bad-all.tar.gz"]


async def test_one_that_can_not_be_made_is_recorded_too(make_backups, filled):
    class Down(type(filled.objects)):
        async def list(self, *_args, **_options):
            raise Unavailable("The object store doesn't answer.")

    backups = make_backups()
    with pytest.raises(Unavailable):
        await replace(backups, installation=replace(filled, objects=Down())).make("daily")
    status = await backups.status()
    assert (status.last.result, status.last.reason) == ("failed", "The object store doesn't answer.")
    assert await backups.list_stored() == []


async def test_a_cancelled_one_leaves_nothing(make_backups, database, filled, tmp_path):
    backups = make_backups()
    written = asyncio.Event()
    loop = asyncio.get_running_loop()
    task = asyncio.create_task(backups.make("manual", None, lambda _: loop.call_soon_threadsafe(written.set)))
    await written.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert list((tmp_path / "backups").iterdir()) == []
    assert list((filled.folder / "scratch").iterdir()) == []
    async with database.reading() as reading:
        assert await reading.value("SELECT to_regnamespace(%(name)s)", {"name": TRIAL}) is None


@pytest.mark.parametrize("target", ["nope/all.tar.gz", "nope/deeper/all.tar.gz"])
async def test_a_folder_that_is_not_there_is_not_created(filled, tmp_path, target):
    with pytest.raises(InputError, match="There is no folder"):
        await make_backup(filled, tmp_path / target)
    assert not (tmp_path / "nope").exists()
