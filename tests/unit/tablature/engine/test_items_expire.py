"""Time to live: its settings, and the sweep that removes what has expired."""

import tracemalloc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tablature.engine import housekeeping
from tablature.engine.engine import Engine
from tablature.engine.errors import EngineError
from tablature.engine.housekeeping import Housekeeper

NOW = 1_800_000_000


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine.memory(clock=lambda: NOW) as engine:
        engine.call(
            "CreateTable",
            {
                "TableName": "sessions",
                "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
                "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
                "BillingMode": "PAY_PER_REQUEST",
                "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "OLD_IMAGE"},
            },
        )
        yield engine


def set_ttl(engine, *, enabled=True, attribute="expires"):
    specification = {"Enabled": enabled, "AttributeName": attribute}
    return engine.call("UpdateTimeToLive", {"TableName": "sessions", "TimeToLiveSpecification": specification})


def put(engine, key, expires):
    engine.call("PutItem", {"TableName": "sessions", "Item": {"pk": {"S": key}, "expires": expires}})


def left(engine):
    return {item["pk"]["S"] for item in engine.call("Scan", {"TableName": "sessions"})["Items"]}


def status(engine):
    return engine.call("DescribeTimeToLive", {"TableName": "sessions"})["TimeToLiveDescription"]


def test_expiry_is_switched_on_and_off(engine):
    assert status(engine) == {"TimeToLiveStatus": "DISABLED"}
    assert set_ttl(engine) == {"TimeToLiveSpecification": {"Enabled": True, "AttributeName": "expires"}}
    assert status(engine) == {"TimeToLiveStatus": "ENABLED", "AttributeName": "expires"}
    set_ttl(engine, enabled=False)
    assert status(engine) == {"TimeToLiveStatus": "DISABLED"}


@pytest.mark.parametrize(
    ("before", "enabled", "attribute", "message"),
    [
        (False, False, "expires", "TimeToLive is already disabled"),
        (True, True, "expires", "TimeToLive is already enabled"),
        (True, True, "x", "TimeToLive is active on a different AttributeName: current AttributeName is expires"),
        (True, False, "x", "TimeToLive is active on a different AttributeName: current AttributeName is expires"),
    ],
)
def test_a_setting_that_is_already_so_is_refused(engine, before, enabled, attribute, message):
    if before:
        set_ttl(engine)
    with pytest.raises(EngineError, match=message):
        set_ttl(engine, enabled=enabled, attribute=attribute)


def test_a_sweep_removes_what_has_expired_and_nothing_else(engine):
    set_ttl(engine)
    put(engine, "past", {"N": str(NOW - 1)})
    put(engine, "this very second", {"N": str(NOW)})
    put(engine, "a fraction", {"N": f"{NOW - 1}.5"})
    put(engine, "future", {"N": str(NOW + 1)})
    put(engine, "text", {"S": str(NOW - 1)})
    put(engine, "in milliseconds", {"N": str(NOW * 1000)})
    put(engine, "too long ago", {"N": "12"})
    assert Housekeeper(engine.storage).sweep() == 3
    assert left(engine) == {"future", "text", "in milliseconds", "too long ago"}


def test_nothing_expires_without_the_setting(engine):
    put(engine, "past", {"N": str(NOW - 1)})
    assert Housekeeper(engine.storage).sweep() == 0


def test_an_expiry_is_recorded_as_the_services_own_removal(engine):
    set_ttl(engine)
    put(engine, "past", {"N": str(NOW - 1)})
    Housekeeper(engine.storage).sweep()
    arn = engine.call("DescribeTable", {"TableName": "sessions"})["Table"]["LatestStreamArn"]
    shard = engine.call("DescribeStream", {"StreamArn": arn})["StreamDescription"]["Shards"][0]["ShardId"]
    place = {"StreamArn": arn, "ShardId": shard, "ShardIteratorType": "TRIM_HORIZON"}
    iterator = engine.call("GetShardIterator", place)["ShardIterator"]
    record = engine.call("GetRecords", {"ShardIterator": iterator})["Records"][-1]
    assert record["eventName"] == "REMOVE"
    assert record["userIdentity"] == {"Type": "Service", "PrincipalId": "dynamodb.amazonaws.com"}


def test_a_large_table_is_swept_a_part_at_a_time(engine, monkeypatch):
    monkeypatch.setattr(housekeeping, "ITEMS_PER_BATCH", 10)
    set_ttl(engine)
    for number in range(25):
        put(engine, str(number), {"N": str(NOW - 1)})
    housekeeper = Housekeeper(engine.storage)
    assert [housekeeper.sweep() for _ in range(3)] == [10, 10, 5]
    put(engine, "later", {"N": str(NOW - 1)})
    assert housekeeper.sweep() == 1


def test_large_items_are_swept_a_few_at_a_time_and_never_held_together(engine):
    """A table of large items would otherwise be taken apart as a whole, every second."""
    set_ttl(engine)
    for number in range(40):
        item = {"pk": {"S": str(number)}, "expires": {"N": str(NOW - 1)}, "body": {"S": "x" * 100_000}}
        engine.call("PutItem", {"TableName": "sessions", "Item": item})
    housekeeper = Housekeeper(engine.storage)
    tracemalloc.start()
    try:
        removed = housekeeper.sweep()
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert 5 <= removed <= 15
    assert most < 3_000_000
    while housekeeper.sweep():
        pass
    assert left(engine) == set()


def test_the_background_sweep_removes_by_itself(engine):
    set_ttl(engine)
    put(engine, "past", {"N": str(NOW - 1)})
    housekeeper = Housekeeper(engine.storage, seconds_between=0.001)
    housekeeper.start()
    for _ in range(100_000):
        if not left(engine):
            break
    housekeeper.stop()
    assert left(engine) == set()


def test_a_table_that_is_dropped_during_a_sweep_does_not_end_it(engine, monkeypatch):
    set_ttl(engine)
    put(engine, "past", {"N": str(NOW - 1)})
    dropped = engine.storage.table("sessions")
    engine.call("DeleteTable", {"TableName": "sessions"})
    monkeypatch.setattr(engine.storage, "tables", lambda: [dropped.schema])
    monkeypatch.setattr(engine.storage, "table", lambda name: dropped)
    assert Housekeeper(engine.storage).sweep() == 0


def test_whatever_was_acknowledged_is_seen_while_sweeps_go_on(engine):
    set_ttl(engine)
    housekeeper = Housekeeper(engine.storage, seconds_between=0)
    housekeeper.start()
    missing = []

    def write_and_look(writer):
        for number in range(100):
            put(engine, f"{writer}-{number}", {"N": str(NOW + 1)})
            put(engine, f"{writer}-{number}-expired", {"N": str(NOW - 1)})
            if f"{writer}-{number}" not in left(engine):
                missing.append((writer, number))

    with ThreadPoolExecutor(3) as threads:
        list(threads.map(write_and_look, range(3)))
    housekeeper.stop()
    housekeeper.sweep()
    assert missing == []
    assert left(engine) == {f"{writer}-{number}" for writer in range(3) for number in range(100)}
