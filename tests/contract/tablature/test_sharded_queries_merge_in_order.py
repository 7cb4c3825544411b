"""A sharded index is read as if it were not sharded: same items, same order, one cursor."""

import uuid
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tablature import Attr, Entity, Index, Table, attr, between, index, pattern, primary

table = Table(
    "shards",
    pk="PK",
    sk="SK",
    indexes=[
        Index("GSI1", "GSI1PK", "GSI1SK"),
        Index("GSI2", "GSI2PK", "GSI2SK"),
        Index("Board", "board", "points", sk_type="N"),
    ],
)
START = datetime(2026, 1, 1, tzinfo=UTC)


class Event(Entity, table=table):
    id: Attr[str]
    kind: Attr[str]
    at: Attr[datetime] = attr(precision="seconds")
    points: Attr[int] = attr(default=0)

    key = primary("EVENT#{id}", "EVENT")
    plain = index("GSI1", "KIND#{kind}", "{at:iso}#{id}")
    spread = index("GSI2", "KIND#{kind}", "{at:iso}#{id}", shards=4, by="id", include_unsharded=True)
    leaders = index("Board", "EVENT#{kind}", "{points}", shards=3, by="id")

    listed = pattern(plain)
    listed_spread = pattern(spread)
    latest = pattern(plain, order="descending")
    latest_spread = pattern(spread, order="descending")
    top = pattern(leaders, order="descending")


class Reading(Entity, table=table):
    id: Attr[str]
    points: Attr[int]

    key = primary("READING#{id}", "READING")
    leaders = index("Board", "READING", "{points}", shards=3, by="id")
    top = pattern(leaders, order="descending")


raw_table = Table("raw", pk="PK", sk="SK", indexes=[Index("ByHash", "GSI1PK", "digest", sk_type="B")])


class File(Entity, table=raw_table):
    id: Attr[str]
    digest: Attr[bytes]

    key = primary("FILE#{id}", "FILE")
    hashed = index("ByHash", "FILES", "{digest}", shards=3, by="id")
    by_hash = pattern(hashed)


@pytest.fixture
def db(open_db):
    return open_db(table)


def walk(db, query, limit):
    items, cursor = [], None
    while True:
        page = db.query(query, limit=limit, cursor=cursor)
        assert len(page) == limit or page.cursor is None
        items += [event.id for event in page]
        cursor = page.cursor
        if cursor is None:
            return items


def fill(db, kind, days):
    db.put_many([Event(id=f"{at:02d}", kind=kind, at=START + timedelta(days=day)) for at, day in enumerate(days)])


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.integers(0, 9), max_size=12), st.integers(1, 5))
def test_the_merge_equals_the_order_without_shards(db, days, limit):
    kind = uuid.uuid4().hex
    db.put_many([Event(id=f"{kind}{at:02d}", kind=kind, at=START + timedelta(days=d)) for at, d in enumerate(days)])
    assert walk(db, Event.listed_spread(kind=kind), limit) == walk(db, Event.listed(kind=kind), 100)
    assert walk(db, Event.latest_spread(kind=kind), limit) == walk(db, Event.latest(kind=kind), 100)


def test_a_span_of_the_sort_key_applies_to_every_shard(db):
    fill(db, "k", range(10))
    span = between(START + timedelta(days=3), START + timedelta(days=6))
    assert walk(db, Event.listed_spread(kind="k", at=span), 2) == ["03", "04", "05", "06"]


def test_items_spread_over_the_shards(db, transport):
    fill(db, "k", range(30))
    items = transport.send("Scan", {"TableName": db.context.physical(table)})["Items"]
    assert {item["GSI2PK"]["S"] for item in items} == {f"KIND#k#{shard}" for shard in range(4)}


def test_items_written_without_a_shard_are_still_found(db, transport):
    fill(db, "k", [1, 3])
    foreign = Event.__codec__.encode(Event(id="zz", kind="k", at=START + timedelta(days=2)))
    foreign |= {
        "PK": {"S": "EVENT#zz"},
        "SK": {"S": "EVENT"},
        "GSI2PK": {"S": "KIND#k"},
        "GSI2SK": {"S": "2026-01-03T00:00:00Z#zz"},
    }
    transport.send("PutItem", {"TableName": db.context.physical(table), "Item": foreign})
    assert walk(db, Event.listed_spread(kind="k"), 1) == ["00", "zz", "01"]


def test_numbers_merge_as_numbers(db):
    db.put_many([Event(id=str(n), kind="k", at=START, points=n) for n in (5, 100, 20, 3, 7, 1000)])
    assert [event.points for event in db.each(Event.top(kind="k"), page=2)] == [1000, 100, 20, 7, 5, 3]


def test_numbers_are_merged_to_their_last_digit(db):
    points = [2**62 + step for step in range(12)]
    db.put_many([Reading(id=str(number), points=number) for number in points])
    assert [item.points for item in db.query(Reading.top(), limit=20)] == points[::-1]


def test_bytes_are_merged_as_bytes(open_db):
    db = open_db(raw_table)
    digests = [bytes([first, 7]) for first in range(0, 256, 15)]
    db.put_many([File(id=digest.hex(), digest=digest) for digest in digests])
    assert [item.digest for item in db.query(File.by_hash(), limit=50)] == digests
