"""Whole tables travel between services by files: nothing lost, nothing changed, all or nothing."""

import asyncio
import json
import uuid
from datetime import UTC, datetime, timedelta

import pytest

from tablature import Index, Table
from tablature.errors import ExportDamaged, ImportMismatch, InputError, ServiceError, TableMissing, TableNotEmpty
from tablature.operations.tables import creation_request
from tablature.transfer import (
    back_up_tables,
    export_tables,
    import_tables,
    prune_backups,
    restore_tables,
    run,
    run_async,
    verify_files,
)
from tablature.transport.embedded import Embedded

goods = Table("goods", pk="PK", sk="SK", sk_type="N", indexes=[Index("by-owner", "owner")], ttl="until")


def item(number: int, **more) -> dict:
    return {
        "PK": {"S": f"shop-{number % 7}"},
        "SK": {"N": str(number)},
        "owner": {"S": f"o{number % 3}"},
        "price": {"N": "19.95"},
        "tags": {"SS": ["b", "a"]},
        "sizes": {"NS": ["3", "1E+2"]},
        "photo": {"B": "AAEC"},
        "more": {"M": {"empty": {"NULL": True}, "list": {"L": [{"BOOL": False}, {"N": "-0.5"}]}}},
        **more,
    }


def fill(transport, table: str, numbers) -> None:
    for number in numbers:
        transport.send("PutItem", {"TableName": table, "Item": item(number)})


def everything(transport, table: str) -> set[str]:
    items = transport.send("Scan", {"TableName": table})["Items"]
    return {f"{each['PK']['S']}/{each['SK']['N']}" for each in items}


@pytest.fixture
def table(transport):
    """A table with items at the service under test."""
    name = f"goods-{uuid.uuid4().hex[:8]}"
    transport.send("CreateTable", creation_request(goods, name))
    transport.send(
        "UpdateTimeToLive",
        {"TableName": name, "TimeToLiveSpecification": {"Enabled": True, "AttributeName": "until"}},
    )
    fill(transport, name, range(60))
    yield name
    transport.send("DeleteTable", {"TableName": name})


def export(transport, table, folder):
    return run(transport, export_tables({"goods": table}, folder))[0]


def load(transport, folder, table, **options) -> None:
    run(transport, import_tables(folder, verify_files(folder), names={"goods": table}, **options))


@pytest.fixture
def other(transport):
    """The name of a table that doesn't exist yet."""
    name = f"copy-{uuid.uuid4().hex[:8]}"
    yield name
    try:
        transport.send("DeleteTable", {"TableName": name})
    except TableMissing:
        return


def test_a_table_comes_back_whole_with_its_schema(transport, table, other, tmp_path):
    exported = export(transport, table, tmp_path)
    assert (exported.items, exported.ttl) == (60, "until")
    load(transport, tmp_path, other)
    (tmp_path / "again").mkdir()
    again = export(transport, other, tmp_path / "again")
    assert (again.items, again.checksum, again.ttl) == (60, exported.checksum, "until")
    assert again.creation == exported.creation | {"TableName": other}


def test_the_checksum_is_the_same_at_another_service(transport, table, tmp_path):
    exported = export(transport, table, tmp_path)
    with Embedded.memory() as elsewhere:
        load(elsewhere, tmp_path, "moved")
        (tmp_path / "again").mkdir()
        assert export(elsewhere, "moved", tmp_path / "again").checksum == exported.checksum


def test_a_table_with_items_is_refused_before_anything_is_written(transport, table, other, tmp_path):
    export(transport, table, tmp_path)
    transport.send("DeleteItem", {"TableName": table, "Key": {"PK": {"S": "shop-0"}, "SK": {"N": "0"}}})
    with pytest.raises(TableNotEmpty):
        load(transport, tmp_path, table)
    assert len(everything(transport, table)) == 59


def test_replacing_leaves_exactly_the_exported_items_and_may_be_repeated(transport, table, tmp_path):
    exported = export(transport, table, tmp_path)
    fill(transport, table, range(100, 130))
    transport.send("PutItem", {"TableName": table, "Item": item(1, price={"N": "1"})})
    transport.send("DeleteItem", {"TableName": table, "Key": {"PK": {"S": "shop-0"}, "SK": {"N": "0"}}})
    for _ in range(2):
        load(transport, tmp_path, table, replace=True)
    (tmp_path / "again").mkdir()
    assert export(transport, table, tmp_path / "again").checksum == exported.checksum


def test_expired_items_don_t_fail_the_comparison(transport, table, other, tmp_path):
    past = str(int((datetime.now(UTC) - timedelta(days=1)).timestamp()))
    transport.send("PutItem", {"TableName": table, "Item": item(500, until={"N": past})})
    export(transport, table, tmp_path)
    load(transport, tmp_path, other)
    assert len(everything(transport, other) - {"shop-3/500"}) == 60


@pytest.mark.parametrize("way", [("embedded", "waiting"), ("moto", "waiting")], ids="-".join, indirect=True)
def test_the_services_own_backups_are_made_and_pruned(transport, table):
    for label in ("almanac-1", "almanac-2", "by-hand"):
        arns = run(transport, back_up_tables([table], label))
        assert list(arns) == [table]
    now = datetime.now(UTC)
    assert run(transport, prune_backups([table], "almanac-", now - timedelta(days=1))) == []
    assert len(run(transport, prune_backups([table], "almanac-", now + timedelta(days=1)))) == 2
    left = transport.send("ListBackups", {"TableName": table})["BackupSummaries"]
    assert [backup["BackupName"] for backup in left] == ["by-hand"]


@pytest.fixture
def exported(tmp_path):
    """An export of ten items, in a folder."""
    with Embedded.memory() as source:
        source.send("CreateTable", creation_request(goods, "goods"))
        fill(source, "goods", range(10))
        run(source, export_tables({"goods": "goods"}, tmp_path))
    return tmp_path


def test_what_is_changed_or_cut_off_is_refused(exported):
    path = exported / "goods.jsonl"
    whole = path.read_bytes()
    for damaged in (
        whole.replace(b"19.95", b"19.96", 1),
        whole[: len(whole) // 2],
        b"".join(whole.splitlines(True)[1:]),
    ):
        path.write_bytes(damaged)
        with pytest.raises(ExportDamaged):
            verify_files(exported)
    path.write_bytes(b"".join(reversed(whole.splitlines(keepends=True))))
    assert verify_files(exported)[0].items == 10
    (exported / "goods.json").write_text(json.dumps({"format": 1}))
    with pytest.raises(ExportDamaged):
        verify_files(exported)


class FailingService:
    """A service that refuses the second batch of writes."""

    def __init__(self, inner) -> None:
        self.inner, self.batches = inner, 0

    def send(self, operation, request):
        self.batches += operation == "BatchWriteItem"
        if operation == "BatchWriteItem" and self.batches == 2:
            raise ServiceError("AccessDeniedException", "no")
        if self.batches > 2:
            self.batches = 3
        return self.inner.send(operation, request)


@pytest.mark.parametrize("exists", [True, False])
def test_a_failed_import_leaves_tables_as_they_were(tmp_path, exists):
    with Embedded.memory() as source, Embedded.memory() as target:
        source.send("CreateTable", creation_request(goods, "goods"))
        fill(source, "goods", range(300))
        run(source, export_tables({"goods": "goods"}, tmp_path))
        if exists:
            target.send("CreateTable", creation_request(goods, "goods"))
        with pytest.raises(ServiceError, match="AccessDenied"):
            load(FailingService(target), tmp_path, "goods")
        assert ("goods" in target.send("ListTables", {})["TableNames"]) is exists
        if exists:
            assert everything(target, "goods") == set()


class BusyService:
    """A service on which somebody else writes an item during the import."""

    def __init__(self, inner) -> None:
        self.inner = inner

    def send(self, operation, request):
        if operation == "BatchWriteItem":
            self.inner.send("PutItem", {"TableName": "goods", "Item": item(999)})
        return self.inner.send(operation, request)


def test_another_writer_is_noticed(exported):
    with Embedded.memory() as target:
        with pytest.raises(ImportMismatch):
            load(BusyService(target), exported, "goods")
        assert target.send("ListTables", {})["TableNames"] == []


def test_a_table_with_another_key_is_refused(exported):
    with Embedded.memory() as target:
        target.send("CreateTable", creation_request(Table("goods", pk="PK", sk="SK"), "goods"))
        with pytest.raises(InputError, match="another key"):
            load(target, exported, "goods", replace=True)


def test_with_await(exported, tmp_path):
    async def move() -> int:
        with Embedded.memory() as target:
            await run_async(target, import_tables(exported, verify_files(exported)))
            (tmp_path / "again").mkdir()
            return (await run_async(target, export_tables({"goods": "goods"}, tmp_path / "again")))[0].items

    assert asyncio.run(move()) == 10


def test_the_service_restores_a_table_with_recovery_into_a_new_one(transport, table, other):
    moment = datetime.now(UTC) + timedelta(milliseconds=1)
    assert run(transport, restore_tables({table: other}, moment)) == [table]
    setting = {"PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True}}
    transport.send("UpdateContinuousBackups", {"TableName": table, **setting})
    fill(transport, table, [200])
    assert run(transport, restore_tables({table: other}, datetime.now(UTC))) == []
    assert len(everything(transport, other)) == 61
