"""`Database` and `AsyncDatabase` have the same methods with the same signatures, over one core."""

import asyncio
import inspect
import os
import subprocess
import sys

import pytest

from tablature import Attr, Database, Entity, Table, pattern, primary
from tablature.admin import Admin
from tablature.async_admin import AsyncAdmin
from tablature.async_database import AsyncDatabase
from tablature.transport.embedded import Embedded

table = Table("alike", pk="PK", sk="SK")


class Note(Entity, table=table):
    book: Attr[str]
    id: Attr[str]

    key = primary("BOOK#{book}", "NOTE#{id}")
    in_book = pattern(key, page=2)


def public(cls):
    names = [name for name, value in vars(cls).items() if not name.startswith("_") and callable(value)]
    return {name: inspect.signature(getattr(cls, name)) for name in names}


def parameters(signature):
    return [(p.name, p.kind, p.default, str(p.annotation)) for p in signature.parameters.values()]


@pytest.mark.parametrize(("waiting", "awaiting"), [(Database, AsyncDatabase), (Admin, AsyncAdmin)])
def test_the_same_names_and_signatures(waiting, awaiting):
    blocking, two = public(waiting), public(awaiting)
    assert blocking.keys() == two.keys()
    for name in blocking:
        assert parameters(blocking[name]) == parameters(two[name]), name
        if name != "each":
            assert str(blocking[name].return_annotation) == str(two[name].return_annotation), name


def test_the_constructors_differ_only_in_threads():
    blocking = {p[0] for p in parameters(inspect.signature(Database.__init__))}
    two = {p[0] for p in parameters(inspect.signature(AsyncDatabase.__init__))}
    assert blocking - two == {"threads"}
    assert not two - blocking


async def test_the_awaiting_one_works_in_a_loop_and_at_the_same_time():
    async with AsyncDatabase(Embedded.memory()) as db:
        await db.admin.create_table(table)
        await asyncio.gather(*(db.create(Note(book="b", id=str(number))) for number in range(5)))
        assert [note.id async for note in db.each(Note.in_book(book="b"))] == list("01234")
        assert await db.count(Note.in_book(book="b")) == 5
        assert [await db.count(Note.in_book(book="b"), upto=most) for most in (1, 5, 9)] == [1, 5, 5]


async def test_a_database_file_serves_both(tmp_path):
    path = tmp_path / "data.db"
    async with AsyncDatabase(Embedded(path)) as db:
        await db.admin.create_table(table)
        await db.create(Note(book="b", id="1"))
    with Database(Embedded(path), threads=4) as db:
        assert db.require(Note.key(book="b", id="1")).id == "1"
        assert len(db.admin.scan(Note, segments=3)) == 1


HEAVY = {
    "asyncio",
    "dataclasses",
    "inspect",
    "aiohttp",
    "pydantic",
    "sqlite3",
    "botocore",
    "msgspec",
    "tablature.engine",
}


def test_importing_the_package_imports_nothing_heavy():
    script = "import sys, tablature; print(*sys.modules)"
    # Coverage would load itself, and with it what it needs.
    plain = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True, env=plain)
    loaded = done.stdout.split()
    assert not HEAVY & set(loaded)
