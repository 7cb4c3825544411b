"""A restore that is killed at any stage, or fails, leaves the old installation or the new one, never a mixture."""

import asyncio
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE
from almanac.backup import make_backup, restore_backup
from almanac.backup.restore import RestoreStage
from almanac.bootstrap import get_installation, migrate_all, open_services, open_stores
from almanac.config import Settings
from almanac.errors import Conflict, Unavailable
from almanac.relational import EmbeddedPostgres

PROGRAM = Path(__file__).parent / "restore_process.py"
STAGES = list(RestoreStage)
TABLE = {
    "TableName": "things",
    "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
    "BillingMode": "PAY_PER_REQUEST",
}


@pytest.fixture(scope="module")
def folder():
    """Not below pytest's own folder: as root, PostgreSQL's account must be able to pass through."""
    with tempfile.TemporaryDirectory(prefix="almanac-stop-", ignore_cleanup_errors=True) as name:
        yield Path(name)


@pytest.fixture(scope="module")
def settings(folder):
    return Settings(data=folder / "data")


@pytest.fixture(scope="module")
async def archive(settings, folder):
    """A backup of an installation with something in every part of it."""
    server = EmbeddedPostgres(settings.data / "postgres")
    await server.start()
    await change(settings, "before")
    async with open_services(settings) as services:
        report = await make_backup(get_installation(services), folder / "all.tar.gz")
    yield report.path
    await server.stop()


async def change(settings, name):
    """Write to every part: a row, an item, an object, a mail, and the key that signs sessions."""
    async with open_services(settings) as services:
        await accounts.invite_user(services.accounts, CONSOLE, email=f"{name}@example.org", name=name, role="member")
        await services.objects.put("shared", name.encode())
        await services.objects.put(f"only/{name}", b"x")
        if services.engine.storage.table("things") is None:
            services.engine.call("CreateTable", TABLE)
        services.engine.call("PutItem", {"TableName": "things", "Item": {"id": {"S": name}}})
    outbox = settings.data / "outbox"
    outbox.mkdir(exist_ok=True)
    (outbox / f"{name}.eml").write_text(name)
    (settings.data / "secret.key").write_bytes(name.encode().ljust(32, b"."))


async def state(settings, checksums):
    async with open_stores(settings) as stores:
        return await checksums(stores)


@pytest.fixture(scope="module")
async def states(settings, archive, checksums):
    """The installation as it was at the backup, and as it is now."""
    before = await state(settings, checksums)
    await change(settings, "after")
    now = await state(settings, checksums)
    for part in ("rows", "items", "objects", "files"):
        assert before[part] != now[part]
    return before, now


@pytest.fixture
async def later(settings, archive, states, folder, checksums):
    """Everything as it is now, whatever the test before has restored."""
    if not (folder / "now.tar.gz").exists():
        async with open_stores(settings) as stores:
            await make_backup(stores, folder / "now.tar.gz")
    async with open_stores(settings) as stores:
        await restore_backup(stores, folder / "now.tar.gz")
    assert await state(settings, checksums) == states[1]
    assert list((settings.data / "scratch").iterdir()) == []


@pytest.mark.parametrize("stage", STAGES, ids=[stage.name.lower() for stage in STAGES])
async def test_killed(settings, archive, states, later, stage, start_program, checksums):
    process = start_program(PROGRAM, settings.data, archive, stage)
    assert await asyncio.to_thread(process.wait, 60) == -9
    assert (await migrate_all(settings)).applied == []
    is_decided = STAGES.index(stage) >= STAGES.index(RestoreStage.DECIDED)
    assert await state(settings, checksums) == states[0 if is_decided else 1]
    async with open_stores(settings) as stores:
        assert [listed.key async for listed in stores.objects.iterate("restore")] == []
    assert not (settings.data / "restore").exists()


async def test_a_store_that_fails_while_staging_leaves_the_old(settings, archive, states, later, checksums):
    async with open_stores(settings) as stores:
        with pytest.raises(Unavailable, match="full"):
            await restore_backup(replace(stores, objects=Failing(stores.objects, "restore/1")), archive)
    assert await state(settings, checksums) == states[1]


async def test_a_store_that_fails_during_the_switch_is_finished_by_the_next_start(
    settings, archive, states, later, checksums
):
    async with open_stores(settings) as stores:
        with pytest.raises(Unavailable, match="full"):
            await restore_backup(replace(stores, objects=Failing(stores.objects, "shared")), archive)
    assert (await migrate_all(settings)).applied == []
    assert await state(settings, checksums) == states[0]


async def test_several_that_start_at_once_finish_it_together(
    settings, archive, states, later, start_program, checksums
):
    process = start_program(PROGRAM, settings.data, archive, RestoreStage.OBJECTS_REPLACED)
    await asyncio.to_thread(process.wait, 60)
    started = await asyncio.gather(*(migrate_all(settings) for _ in range(3)))
    assert [report.applied for report in started] == [[], [], []]
    assert await state(settings, checksums) == states[0]


async def test_another_machine_says_where_the_restore_was_stopped(
    settings, archive, states, later, folder, start_program, checksums
):
    process = start_program(PROGRAM, settings.data, archive, RestoreStage.DECIDED)
    await asyncio.to_thread(process.wait, 60)
    (settings.data / "restore").rename(folder / "elsewhere")
    with pytest.raises(Conflict, match="was stopped before its last step"):
        await migrate_all(settings)
    shutil.move(folder / "elsewhere", settings.data / "restore")
    assert (await migrate_all(settings)).applied == []
    assert await state(settings, checksums) == states[0]


class Failing:
    """An object store that has no room for one key."""

    def __init__(self, objects, key):
        self._objects, self._key = objects, key

    def __getattr__(self, name):
        return getattr(self._objects, name)

    async def put(self, key, content, **options):
        return await self._objects.put(self._check(key), content, **options)

    async def copy(self, source, target):
        return await self._objects.copy(source, self._check(target))

    def _check(self, key):
        if key == self._key:
            raise Unavailable("The object store is full.")
        return key
