"""The history reaches as far back as it should and no further, and is readable by its owner alone."""

import stat
from pathlib import Path

import pytest

from tablature.engine.engine import Engine
from tablature.engine.history import HistoryArchive, HistoryDamaged, describe_history, history_folder, recover
from tablature.engine.history.replacement import FileInUse, replace_file, require_unused
from tablature.engine.housekeeping import Housekeeper

DAY = 86_400


def things(tables, moment):
    return {key: int(item["n"]["N"]) for key, item in tables.recovered(moment)["things"].items()}


def test_seconds_are_told_apart(tables):
    tables.create()
    for second in range(5):
        tables.clock.now += 1
        tables.put("a", second)
    assert [things(tables, tables.clock.now - back)["a"] for back in range(5)] == [4, 3, 2, 1, 0]


def test_a_deleted_table_comes_back_with_its_indexes_settings_and_items(tables, tmp_path):
    indexes = [
        {
            "IndexName": "by-n",
            "KeySchema": [{"AttributeName": "n", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "ALL"},
        }
    ]
    attributes = [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "n", "AttributeType": "N"}]
    tables.create(AttributeDefinitions=attributes, GlobalSecondaryIndexes=indexes)
    tables.put("a", 7)
    before = tables.engine.call("DescribeTable", {"TableName": "things"})["Table"]
    deleted_at = tables.clock.now
    tables.clock.now += 10
    tables.engine.call("DeleteTable", {"TableName": "things"})
    assert tables.recovered(tables.clock.now) == {}
    recover(history_folder(tables.path), deleted_at, tmp_path / "before.db")
    with Engine(tmp_path / "before.db") as engine:
        assert engine.call("DescribeTable", {"TableName": "things"})["Table"] == before
        query = {
            "TableName": "things",
            "IndexName": "by-n",
            "KeyConditionExpression": "n = :n",
            "ExpressionAttributeValues": {":n": {"N": "7"}},
        }
        assert engine.call("Query", query)["Count"] == 1


def test_old_moments_are_pruned_and_the_kept_days_are_not(tables):
    tables.create()
    for day in range(12):
        tables.put("a", day)
        tables.archive.advance()
        tables.clock.now += DAY
    tables.archive.advance()
    span = describe_history(tables.archive.folder)
    assert 7 * DAY <= tables.clock.now - span.earliest <= 8 * DAY
    assert things(tables, tables.clock.now - 7 * DAY) == {"a": 5}
    with pytest.raises(HistoryDamaged, match="The history starts at"):
        tables.recovered(tables.clock.now - 9 * DAY)
    oldest = min(int(path.name.split("-")[1].split(".")[0]) for path in tables.archive.folder.glob("log-*"))
    assert oldest > 1


def test_history_is_forgotten_on_demand(tables):
    tables.create()
    tables.put("secret", 1)
    tables.clock.now += 5
    tables.delete("secret")
    tables.clock.now += 5
    tables.archive.clear()
    assert things(tables, tables.clock.now) == {}
    with pytest.raises(HistoryDamaged):
        tables.recovered(tables.clock.now - 8)
    tables.clock.now += 5
    tables.put("b", 2)
    assert things(tables, tables.clock.now) == {"b": 2}


def test_files_are_for_the_owner_alone(tables):
    tables.create()
    tables.archive.advance()
    assert stat.S_IMODE(tables.archive.folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in tables.archive.folder.iterdir()} == {0o600}


def test_switching_it_off_deletes_it(tables):
    tables.create()
    tables.put("a")
    tables.archive.stop()
    assert not tables.archive.folder.exists()
    tables.put("b")
    with Engine(tables.path) as engine, engine.storage.snapshot() as snapshot:
        assert snapshot.connection.execute("SELECT count(*) FROM changes").fetchone() == (0,)


def test_writes_of_other_processes_are_in_it(tables):
    tables.create()
    with Engine(tables.path, clock=tables.clock) as other:
        other.call("PutItem", {"TableName": "things", "Item": {"pk": {"S": "theirs"}, "n": {"N": "1"}}})
    assert things(tables, tables.clock.now) == {"theirs": 1}


def test_a_lost_table_file_is_recovered_from_its_history_alone(tables, tmp_path):
    tables.create()
    tables.put("a", 3)
    tables.archive.advance()
    tables.close()
    for path in tmp_path.glob("tables.db*"):
        if path.is_file():
            path.unlink()
    recover(history_folder(tables.path), tables.clock.now, tmp_path / "saved.db")
    with Engine(tmp_path / "saved.db") as engine:
        assert engine.call("Scan", {"TableName": "things"})["Items"][0]["n"] == {"N": "3"}
    tables.open()


def test_a_table_file_replaced_by_hand_starts_anew_and_earlier_moments_stay(tables, tmp_path):
    tables.create()
    tables.put("a", 1)
    tables.engine.storage.back_up(str(tmp_path / "older.db"))
    tables.clock.now += 10
    tables.put("a", 2)
    tables.archive.advance()
    then = tables.clock.now
    tables.close()
    for path in tmp_path.glob("tables.db-*"):
        if path.is_file():
            path.unlink()
    (tmp_path / "older.db").replace(tables.path)
    tables.clock.now += 10
    tables.open()
    tables.put("b", 3)
    assert things(tables, then) == {"a": 2}
    assert things(tables, tables.clock.now) == {"a": 1, "b": 3}


def test_a_clock_set_back_undoes_nothing(tables):
    tables.create()
    tables.put("a", 1)
    before = tables.clock.now
    tables.clock.now -= 100
    tables.put("b", 2)
    assert things(tables, before) == {"a": 1, "b": 2}


def test_damage_is_noticed(tables):
    tables.create()
    for number in range(3):
        tables.clock.now += 1
        tables.put("a", number)
        tables.archive.advance()
    segment = max(tables.archive.folder.glob("log-*"))
    content = bytearray(segment.read_bytes())
    content[-5] ^= 0xFF
    segment.write_bytes(content)
    assert things(tables, tables.clock.now - 1)["a"] == 1
    with pytest.raises(HistoryDamaged, match="lacks changes"):
        recover(tables.archive.folder, tables.clock.now, tables.path.with_name("x.db"))


def test_two_archives_of_one_file_take_turns(tables):
    tables.create()
    second = HistoryArchive(tables.engine.storage)
    for number in range(20):
        tables.put("a", number)
        (tables.archive if number % 2 else second).advance()
    assert things(tables, tables.clock.now) == {"a": 19}


def test_streams_and_continuous_backups_work_in_a_recovered_file(tables, tmp_path: Path):
    tables.create(StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"})
    setting = {"PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True}}
    tables.engine.call("UpdateContinuousBackups", {"TableName": "things", **setting})
    tables.put("a", 1)
    tables.archive.advance()
    recover(tables.archive.folder, tables.clock.now, tmp_path / "then.db")
    with Engine(tmp_path / "then.db", clock=tables.clock) as engine:
        arn = engine.call("DescribeTable", {"TableName": "things"})["Table"]["LatestStreamArn"]
        assert engine.call("DescribeStream", {"StreamArn": arn})["StreamDescription"]["StreamStatus"] == "ENABLED"
        restored = {"SourceTableName": "things", "TargetTableName": "again", "UseLatestRestorableTime": True}
        engine.call("RestoreTableToPointInTime", restored)
        assert engine.call("Scan", {"TableName": "again"})["Count"] == 1


def test_a_recovered_file_takes_the_place_of_the_old_one_which_is_kept(tables, tmp_path):
    tables.create()
    tables.put("a", 1)
    then = tables.clock.now
    tables.clock.now += 10
    tables.put("a", 2)
    tables.archive.advance()
    staged, kept = tmp_path / "staged.db", tmp_path / "kept.db"
    recover(tables.archive.folder, then, staged)
    with pytest.raises(FileInUse):
        require_unused(tables.path)
    tables.close()
    require_unused(tables.path)
    tables.clock.now += 10
    replace_file(tables.path, staged, kept, tables.clock)
    assert not staged.exists()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    tables.clock.now += 10
    tables.open()
    assert things(tables, tables.clock.now) == {"a": 1}
    assert things(tables, tables.clock.now - 11) == {"a": 2}
    with Engine(kept) as engine:
        assert engine.call("Scan", {"TableName": "things"})["Items"][0]["n"] == {"N": "2"}


def test_a_damaged_file_is_kept_and_replaced(tables, tmp_path):
    tables.create()
    tables.put("a", 1)
    tables.archive.advance()
    tables.close()
    damaged = b"not a database any more" * 1000
    tables.path.write_bytes(damaged)
    recover(tables.archive.folder, tables.clock.now, tmp_path / "staged.db")
    require_unused(tables.path)
    replace_file(tables.path, tmp_path / "staged.db", tmp_path / "kept.db")
    assert (tmp_path / "kept.db").read_bytes() == damaged
    tables.clock.now += 10
    tables.open()
    assert things(tables, tables.clock.now) == {"a": 1}


def test_the_housekeeper_archives(tables):
    tables.create()
    tables.put("a", 5)
    housekeeper = Housekeeper(tables.engine.storage, history=tables.archive)
    housekeeper.start()
    housekeeper.stop()
    recover(tables.archive.folder, tables.clock.now, tables.path.with_name("then.db"))
    with Engine(tables.path.with_name("then.db")) as engine:
        assert engine.call("Scan", {"TableName": "things"})["Count"] == 1


def test_a_history_that_cannot_be_written_stops_no_write_and_is_caught_up(tables, caplog):
    tables.create()
    tables.archive.advance()
    folder = tables.archive.folder
    folder.rename(folder.with_name("away"))
    folder.write_text("a file is in the way")
    housekeeper = Housekeeper(tables.engine.storage, seconds_between=0.001, history=tables.archive)
    housekeeper.start()
    tables.put("a", 5)
    tables.clock.now += 600
    while not caplog.messages:
        tables.put("a", 6)
    housekeeper.stop()
    assert caplog.messages == ["The history of the tables can't be written; changes wait in the table file"]
    assert tables.archive.delay >= 600
    folder.unlink()
    folder.with_name("away").rename(folder)
    assert things(tables, tables.clock.now) == {"a": 6}
    assert tables.archive.delay == 0
