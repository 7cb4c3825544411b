"""CreateBackup, DescribeBackup, ListBackups, DeleteBackup and RestoreTableFromBackup."""

import pytest


@pytest.fixture
def back_up(engine):
    def create(name="nightly"):
        return engine.call("CreateBackup", {"TableName": "orders", "BackupName": name})["BackupDetails"]

    return create


def test_a_backup_is_shown_in_the_making_and_is_available_at_once(engine, put, back_up):
    put("a", 1)
    created = back_up()
    assert (created["BackupStatus"], created["BackupType"]) == ("CREATING", "USER")
    described = engine.call("DescribeBackup", {"BackupArn": created["BackupArn"]})["BackupDescription"]
    assert described["BackupDetails"] == created | {"BackupStatus": "AVAILABLE"}
    assert (described["SourceTableDetails"]["TableName"], described["SourceTableDetails"]["ItemCount"]) == ("orders", 1)
    (index,) = described["SourceTableFeatureDetails"]["GlobalSecondaryIndexes"]
    assert index["IndexName"] == "by-g"


def test_a_restored_table_has_what_the_table_had_then(engine, put, content, back_up):
    put("a", 1)
    put("b", 2)
    arn = back_up()["BackupArn"]
    put("a", 10)
    put("c", 3)
    engine.call("DeleteTable", {"TableName": "orders"})
    answer = engine.call("RestoreTableFromBackup", {"TargetTableName": "restored", "BackupArn": arn})
    assert answer["TableDescription"]["TableStatus"] == "CREATING"
    assert answer["TableDescription"]["RestoreSummary"]["RestoreInProgress"] is True
    assert content("restored") == {"a": 1, "b": 2}
    table = engine.call("DescribeTable", {"TableName": "restored"})["Table"]
    assert table["RestoreSummary"]["SourceBackupArn"] == arn
    assert table["RestoreSummary"]["RestoreInProgress"] is False
    assert (table["ItemCount"], table["GlobalSecondaryIndexes"][0]["ItemCount"]) == (2, 2)
    assert engine.storage.check() == []


def test_a_restore_may_leave_indexes_out_and_change_billing(engine, put, back_up):
    put("a", 1)
    arn = back_up()["BackupArn"]
    request = {
        "TargetTableName": "restored",
        "BackupArn": arn,
        "GlobalSecondaryIndexOverride": [],
        "BillingModeOverride": "PROVISIONED",
        "ProvisionedThroughputOverride": {"ReadCapacityUnits": 3, "WriteCapacityUnits": 4},
    }
    engine.call("RestoreTableFromBackup", request)
    table = engine.call("DescribeTable", {"TableName": "restored"})["Table"]
    assert "GlobalSecondaryIndexes" not in table
    assert table["AttributeDefinitions"] == [{"AttributeName": "pk", "AttributeType": "S"}]
    assert table["ProvisionedThroughput"]["WriteCapacityUnits"] == 4


def test_a_restore_cannot_invent_an_index(refused, back_up):
    index = {
        "IndexName": "new",
        "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}],
        "Projection": {"ProjectionType": "ALL"},
    }
    arn = back_up()["BackupArn"]
    assert refused(
        "RestoreTableFromBackup", TargetTableName="restored", BackupArn=arn, GlobalSecondaryIndexOverride=[index]
    ) == (
        "ValidationException: Invalid Request: Index new does not match a secondary index that existed in the source "
        "table and cannot be created during the restore operation"
    )


def test_backups_are_listed_by_table_time_and_page(engine, clock, back_up):
    arns = []
    for name in ("one", "two", "three"):
        arns.append(back_up(name)["BackupArn"])
        clock.now += 10

    def listed(**request):
        return [summary["BackupName"] for summary in engine.call("ListBackups", request)["BackupSummaries"]]

    assert listed() == listed(TableName="orders") == ["one", "two", "three"]
    assert listed(TableName="others") == []
    assert listed(BackupType="SYSTEM") == []
    assert listed(TimeRangeLowerBound=1_800_000_010.0, TimeRangeUpperBound=1_800_000_020.0) == ["two"]
    page = engine.call("ListBackups", {"Limit": 2})
    assert page["LastEvaluatedBackupArn"] == arns[1]
    assert listed(ExclusiveStartBackupArn=arns[1]) == ["three"]


def test_a_deleted_backup_is_gone(engine, refused, back_up):
    arn = back_up()["BackupArn"]
    deleted = engine.call("DeleteBackup", {"BackupArn": arn})["BackupDescription"]
    assert deleted["BackupDetails"]["BackupStatus"] == "DELETED"
    for operation in ("DescribeBackup", "DeleteBackup"):
        assert refused(operation, BackupArn=arn) == f"BackupNotFoundException: Backup not found: {arn}"


def test_what_is_missing_or_taken_is_told(refused, back_up):
    assert refused("CreateBackup", TableName="missing", BackupName="nightly") == (
        "TableNotFoundException: Table not found: missing"
    )
    arn = back_up()["BackupArn"]
    assert refused("RestoreTableFromBackup", TargetTableName="orders", BackupArn=arn) == (
        "TableAlreadyExistsException: Table already exists: orders"
    )
    assert refused("DescribeBackup", BackupArn="x" * 40) == "ValidationException: Invalid Backup ARN"
