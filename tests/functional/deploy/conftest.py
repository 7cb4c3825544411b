"""Backups that older versions wrote, and the whole content of an installation as checksums."""

import asyncio
import hashlib
import json
from pathlib import Path

import psycopg
import pytest

from almanac.backup import restore_backup
from almanac.bootstrap import open_stores
from almanac.config import load_settings
from tablature.engine.engine import Engine

DATA = Path(__file__).parent / "data"
# yoyo's log has a row for each migration, with names of the machine that applied it.
TABLES = """
SELECT n.nspname, c.relname FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relkind = 'r' AND c.relpersistence = 'p' AND n.nspname NOT IN ('pg_catalog', 'information_schema')
AND c.relname !~ '^_?yoyo' ORDER BY 1, 2
"""


@pytest.fixture(scope="session")
def older_backups():
    """What `almanac backup` of two older versions wrote, by the last migration each of them knew."""
    return {"0005.news": DATA / "foundation.tar.gz", "0010.knowledge": DATA / "newsletter.tar.gz"}


@pytest.fixture(scope="session")
def leave_older_data():
    """Makes a machine's data folder what an older version left: everything of its backup, nothing migrated."""

    def leave(machine, archive):
        async def fill():
            async with open_stores(load_settings(machine.environment, machine.folder)) as stores:
                await restore_backup(stores, archive)

        asyncio.run(fill())

    return leave


def rows_of(url):
    """A checksum of every table's rows, in an order of their own."""
    sums = {}
    with psycopg.connect(url) as connection:
        for schema, table in connection.execute(TABLES).fetchall():
            rows = connection.execute(f'SELECT t::text FROM "{schema}"."{table}" t ORDER BY 1').fetchall()
            sums[f"{schema}.{table}"] = (len(rows), digest("\n".join(row[0] for row in rows)))
        for name, value in connection.execute("SELECT sequencename, last_value FROM pg_sequences").fetchall():
            sums[f"sequence {name}"] = value
    return sums


def items_of(engine: Engine):
    """A checksum of every item of every table, as canonical JSON."""
    sums = {}
    for table in engine.call("ListTables", {})["TableNames"]:
        items, start = [], {}
        while True:
            page = engine.call("Scan", {"TableName": table, **start})
            items += [json.dumps(item, sort_keys=True, default=repr) for item in page["Items"]]
            if "LastEvaluatedKey" not in page:
                break
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
        sums[table] = (len(items), digest("\n".join(sorted(items))))
    return sums


async def objects_of(objects):
    return {
        listed.key: (digest(await objects.get(listed.key)), (await objects.head(listed.key)).content_type)
        async for listed in objects.iterate()
    }


def files_of(installation):
    paths = [p for root in installation.files.values() for p in ([root] if root.is_file() else root.rglob("*"))]
    root = next(iter(installation.files.values())).parent
    return {p.relative_to(root).as_posix(): digest(p.read_bytes()) for p in paths if p.is_file()}


def digest(content):
    return hashlib.sha256(content if isinstance(content, bytes) else content.encode()).hexdigest()


@pytest.fixture(scope="session")
def checksums():
    """Everything with state in an installation: rows, items, objects and files."""

    async def taken(installation):
        return {
            "rows": await asyncio.to_thread(rows_of, installation.database_url),
            "items": await asyncio.to_thread(items_of, installation.tables),
            "objects": await objects_of(installation.objects),
            "files": files_of(installation),
        }

    return taken
