"""What was read is kept as long as nothing in the tables changes, whoever changes it, and never longer."""

import pytest

from tablature import Attr, Entity, Table, pattern, primary
from tablature.async_database import AsyncDatabase
from tablature.kept_reads import KeptReads
from tablature.transport.embedded import Embedded

table = Table("kept", pk="PK", sk="SK")


class Leaf(Entity, table=table):
    tree: Attr[str]
    id: Attr[str]

    key = primary("TREE#{tree}", "LEAF#{id}")
    of_tree = pattern(key, page=25)


class Mute:
    """A transport that can't tell about changes, as a service elsewhere is."""

    def __init__(self, way):
        self.send, self.send_async = way.send, way.send_async
        self.close, self.close_async = way.close, way.close_async


class Counting:
    """Counts the leaves of a tree through the cache, and how often it had to read them."""

    def __init__(self, db, kept=None):
        self.db, self.reads = db, 0
        self.kept = kept or KeptReads()

    async def __call__(self, tree="oak"):
        async def load():
            self.reads += 1
            return await self.db.count(Leaf.of_tree(tree=tree))

        return await self.kept.get(self.db, tree, load)


@pytest.fixture(params=["file", "memory"])
async def db(request, tmp_path):
    path = tmp_path / "tables.db" if request.param == "file" else ":memory:"
    async with AsyncDatabase(Embedded(path)) as database:
        await database.admin.create_table(table)
        yield database


async def test_nothing_is_read_again_until_something_changes(db):
    count = Counting(db)
    assert [await count(), await count(), await count()] == [0, 0, 0]
    assert count.reads == 1
    for number, change in enumerate((db.create, db.delete), 2):
        await change(Leaf(tree="oak", id="1"))
        assert await count() == await count() == (0 if change == db.delete else 1)
        assert count.reads == number


async def test_each_key_has_its_own_result(db):
    count = Counting(db)
    await db.create(Leaf(tree="elm", id="1"))
    assert [await count("oak"), await count("elm"), await count("oak"), await count("elm")] == [0, 1, 0, 1]
    assert count.reads == 2


async def test_another_process_with_the_same_file_is_noticed(tmp_path):
    async with AsyncDatabase(Embedded(tmp_path / "t.db")) as mine, AsyncDatabase(Embedded(tmp_path / "t.db")) as other:
        await mine.admin.create_table(table)
        count = Counting(mine)
        assert await count() == 0
        await other.create(Leaf(tree="oak", id="1"))
        assert await count() == 1
        await other.delete(Leaf.key(tree="oak", id="1"))
        assert await count() == 0


async def test_what_was_loading_during_a_change_is_not_kept(db):
    kept = KeptReads()

    async def load_slowly():
        before = await db.count(Leaf.of_tree(tree="oak"))
        await db.create(Leaf(tree="oak", id="1"))
        return before

    assert await kept.get(db, "oak", load_slowly) == 0
    assert await Counting(db, kept)() == 1


async def test_where_nobody_can_tell_every_call_reads(db):
    silent = AsyncDatabase(Mute(db.transport))
    count = Counting(silent)
    assert silent.version is None
    assert [await count(), await count()] == [0, 0]
    assert count.reads == 2


async def test_no_more_is_kept_than_there_is_room_for(db):
    count = Counting(db, KeptReads(most=2))
    for tree in "abcab":
        await count(tree)
    assert count.reads == 5
    await count("b")
    assert count.reads == 5
