"""An index may keep its unsharded form: written and read as it always was, until a database spreads it."""

import pytest

from tablature import Attr, Database, Entity, Index, Table, attr, index, pattern, primary
from tablature.transport.embedded import Embedded

table = Table("players", pk="PK", indexes=[Index("Board", "Kind", "points", sk_type="N")])


class Player(Entity, table=table):
    name: Attr[str] = attr(in_key=True)
    points: Attr[int] = attr(default=0)

    key = primary("PLAYER#{name}")
    board = index("Board", "PLAYER", "{points}", shards=4, by="name", include_unsharded=True)

    top = pattern(board, order="descending", page=10)


NAMES = ["ann", "bob", "cyd", "dan", "eve", "fay"]


@pytest.fixture
def transport():
    with Embedded.memory() as transport:
        Database(transport).admin.create_table(table)
        yield transport


@pytest.fixture
def plain(transport):
    return Database(transport, spread=False)


@pytest.fixture
def spread(transport):
    return Database(transport)


def kinds(transport):
    return {item["Kind"]["S"] for item in transport.send("Scan", {"TableName": "players"})["Items"]}


def fill(db):
    for points, name in enumerate(NAMES):
        db.create(Player(name=name, points=points))


def test_a_database_that_does_not_spread_writes_the_unsharded_form_with_every_verb(plain, transport):
    fill(plain)
    plain.put(Player(name="ann", points=10))
    plain.upsert(Player(name="gus", points=11))
    plain.patch(Player.key(name="bob"), Player.points.add(20))
    assert kinds(transport) == {"PLAYER"}
    assert [player.name for player in plain.query(Player.top(), limit=3)] == ["bob", "gus", "ann"]


def test_it_asks_one_partition(plain):
    assert len(plain.explain(Player.top()).requests) == 1


def test_a_database_that_spreads_reads_what_was_written_before(plain, spread, transport):
    fill(plain)
    spread.create(Player(name="gus", points=100))
    assert len(kinds(transport)) == 2
    assert [player.name for player in spread.query(Player.top())] == ["gus", *reversed(NAMES)]


def test_an_item_written_back_keeps_its_form(plain, spread, transport):
    fill(plain)
    spread.put(spread.require(Player.key(name="ann")))
    assert kinds(transport) == {"PLAYER"}


def test_a_backfill_gathers_what_was_spread(plain, spread, transport):
    fill(spread)
    assert plain.query(Player.top()).items == []
    plain.admin.backfill(Player)
    assert kinds(transport) == {"PLAYER"}
    assert [player.name for player in plain.query(Player.top())] == [*reversed(NAMES)]
