"""What only the folder adapter promises: a plain tree, whole writes, and a tidy staging area."""

import asyncio
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from almanac.errors import Conflict, SettingError
from almanac.kit.clock import FixedClock
from almanac.objects.local import LocalObjectStore

ENDLESS_WRITER = """
import asyncio, sys
from pathlib import Path
from almanac.objects.local import LocalObjectStore

async def endless():
    yield b"x" * 6_000_000
    print("half-way", flush=True)
    await asyncio.sleep(600)

async def write():
    objects = LocalObjectStore(Path(sys.argv[1]))
    await objects.put("kept.txt", b"whole")
    await objects.put("kept.txt", endless())

asyncio.run(write())
"""


async def test_objects_are_plain_files_that_a_person_can_read(tmp_path: Path) -> None:
    await LocalObjectStore(tmp_path).put("reports/may.txt", b"hello")
    assert (tmp_path / "files/reports/may.txt").read_bytes() == b"hello"


async def test_two_stores_on_one_folder_see_the_same_objects(tmp_path: Path) -> None:
    await LocalObjectStore(tmp_path).put("a.txt", b"x", content_type="text/csv")
    assert (await LocalObjectStore(tmp_path).head("a.txt")).content_type == "text/csv"


async def test_of_many_who_create_at_once_one_succeeds(tmp_path: Path) -> None:
    objects = LocalObjectStore(tmp_path)
    writes = [objects.put("one.txt", str(number).encode(), if_absent=True) for number in range(20)]
    outcomes = await asyncio.gather(*writes, return_exceptions=True)
    assert sum(isinstance(outcome, Conflict) for outcome in outcomes) == 19


async def test_a_writer_killed_half_way_leaves_the_earlier_content(tmp_path: Path) -> None:
    command = [sys.executable, "-c", ENDLESS_WRITER, str(tmp_path)]
    writer = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
    assert writer.stdout is not None
    assert await writer.stdout.readline() == b"half-way\n"
    writer.kill()
    await writer.wait()
    objects = LocalObjectStore(tmp_path)
    assert await objects.get("kept.txt") == b"whole"
    assert [listed.key async for listed in objects.iterate()] == ["kept.txt"]


def test_abandoned_half_writes_are_removed_after_a_day(tmp_path: Path) -> None:
    now = datetime(2026, 5, 4, 12, tzinfo=UTC)
    staging = tmp_path / "staging"
    staging.mkdir()
    for name, age_hours in [("old", 25), ("young", 23)]:
        (staging / name).write_bytes(b"half")
        moment = now.timestamp() - age_hours * 3600
        os.utime(staging / name, (moment, moment))
    LocalObjectStore(tmp_path, FixedClock(now))
    assert [staged.name for staged in staging.iterdir()] == ["young"]


@pytest.mark.parametrize(("first", "second"), [("a", "a/b"), ("a/b", "a")])
async def test_a_name_can_not_be_file_and_folder_at_once(tmp_path: Path, first: str, second: str) -> None:
    objects = LocalObjectStore(tmp_path)
    await objects.put(first, b"kept")
    with pytest.raises(Conflict, match="beside a key that uses its name"):
        await objects.put(second, b"refused")
    assert await objects.get(first) == b"kept"


def test_a_folder_that_can_not_be_made_is_a_wrong_setting(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(SettingError, match="can't be used; check that it may be written"):
        LocalObjectStore(tmp_path / "taken")


async def test_deleting_neighbours_meanwhile_disturbs_no_write(tmp_path: Path) -> None:
    objects = LocalObjectStore(tmp_path)

    async def come_and_go(number: int) -> None:
        for _ in range(5):
            await objects.put(f"shared/folder/{number}", b"x", content_type="text/x-odd")
            await objects.delete(f"shared/folder/{number}")
        await objects.put(f"shared/folder/{number}", b"stays")

    await asyncio.gather(*(come_and_go(number) for number in range(10)))
    assert (await objects.usage()).objects == 10
