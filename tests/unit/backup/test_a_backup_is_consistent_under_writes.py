"""While people write: rows are of one moment, items of one moment, and every object that either names is kept."""

import asyncio
import itertools
from dataclasses import replace

from almanac.backup import Installation, make_backup, restore_backup, verify_archive
from almanac.jobs import SCHEMA
from almanac.objects.memory import MemoryObjectStore
from almanac.relational import MIGRATIONS
from tablature.engine.engine import Engine

PAIR = "INSERT INTO news_links (url, url_hash) VALUES (%(left)s, md5(%(left)s)), (%(right)s, md5(%(right)s))"
TABLE = {
    "TableName": "things",
    "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
    "BillingMode": "PAY_PER_REQUEST",
}


def put_pair(tables, number):
    """Two items in one transaction: a copy of one moment has both or none."""
    puts = [
        {"Put": {"TableName": "things", "Item": {"id": {"S": f"{side}{number}"}, "object": {"S": f"item/{number}"}}}}
        for side in "ab"
    ]
    tables.call("TransactWriteItems", {"TransactItems": puts})


async def write(installation, database, number):
    """As the desks do it: first the object, then what names it; rows in pairs that belong together."""
    await installation.objects.put(f"row/{number}", b"content")
    async with database.unit() as unit:
        await unit.execute(PAIR, {"left": f"left {number}", "right": f"right {number}"})
    await installation.objects.put(f"item/{number}", b"content")
    await asyncio.to_thread(put_pair, installation.tables, number)
    if number % 5 == 0:
        await installation.objects.put(f"scratch/{number}", b"soon gone")
        await installation.objects.delete(f"scratch/{number}")


async def test_a_backup_taken_while_everything_changes_holds_together(database, clock, tmp_path):
    with Engine(tmp_path / "tables.db") as tables, Engine.memory() as empty:
        installation = Installation(
            database_url=database.url,
            objects=MemoryObjectStore(clock),
            clock=clock,
            folder=tmp_path / "data",
            tables=tables,
            migrations=(SCHEMA, MIGRATIONS),
        )
        tables.call("CreateTable", TABLE)
        stopping = asyncio.Event()

        async def keep_writing():
            for number in itertools.takewhile(lambda _: not stopping.is_set(), itertools.count()):
                await write(installation, database, number)

        writing = asyncio.create_task(keep_writing())
        report = await make_backup(installation, tmp_path / "all.tar.gz")
        stopping.set()
        await writing
        there = replace(installation, objects=MemoryObjectStore(clock), tables=empty)
        await restore_backup(there, report.path)
        async with database.unit() as unit:
            rows = await unit.all("SELECT split_part(url, ' ', 2) AS n, count(*) AS sides FROM news_links GROUP BY n")
        items = empty.call("Scan", {"TableName": "things"})["Items"]
        kept = {listed.key async for listed in there.objects.iterate()}
    assert rows
    assert items
    assert {row["sides"] for row in rows} <= {2}
    assert {f"row/{row['n']}" for row in rows} <= kept
    assert {item["object"]["S"] for item in items} <= kept
    assert len(items) % 2 == 0


async def test_an_object_that_goes_while_it_is_copied_does_not_stop_the_backup(database, clock, tmp_path):
    class Vanishing(MemoryObjectStore):
        async def open(self, key, **options):
            if key == "gone":
                await self.delete(key)
            return await super().open(key, **options)

    objects = Vanishing(clock)
    for key in ("first", "gone", "last"):
        await objects.put(key, b"x")
    installation = Installation(
        database_url=database.url,
        objects=objects,
        clock=clock,
        folder=tmp_path / "data",
        migrations=(SCHEMA, MIGRATIONS),
    )
    report = await make_backup(installation, tmp_path / "all.tar.gz")
    names = [member.name for member in verify_archive(report.path).members]
    assert [name for name in names if name.startswith("objects/")] == ["objects/first", "objects/last"]
