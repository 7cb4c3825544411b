"""Point-in-time recovery: UpdateContinuousBackups, DescribeContinuousBackups and RestoreTableToPointInTime."""

import pytest


@pytest.fixture
def recovery(engine):
    def switch(*, on=True, **members):
        specification = {"PointInTimeRecoveryEnabled": on} | members
        request = {"TableName": "orders", "PointInTimeRecoverySpecification": specification}
        answer = engine.call("UpdateContinuousBackups", request)["ContinuousBackupsDescription"]
        return answer["PointInTimeRecoveryDescription"]

    return switch


@pytest.fixture
def restore(engine, content):
    def restore(name, **moment):
        request = {"SourceTableName": "orders", "TargetTableName": name} | moment
        engine.call("RestoreTableToPointInTime", request)
        return content(name)

    return restore


def test_recovery_is_switched_on_and_off(engine, recovery):
    described = engine.call("DescribeContinuousBackups", {"TableName": "orders"})["ContinuousBackupsDescription"]
    assert described == {
        "ContinuousBackupsStatus": "ENABLED",
        "PointInTimeRecoveryDescription": {"PointInTimeRecoveryStatus": "DISABLED"},
    }
    on = recovery(RecoveryPeriodInDays=7)
    assert (on["PointInTimeRecoveryStatus"], on["RecoveryPeriodInDays"]) == ("ENABLED", 7)
    assert recovery(on=False) == {"PointInTimeRecoveryStatus": "DISABLED"}


def test_every_moment_can_be_restored(put, engine, clock, recovery, restore, content):
    put("before", 0)
    recovery()
    states = []
    for number in range(5):
        clock.now += 10
        put("changing", number)
        put(f"new-{number}", number)
        if number == 3:
            engine.call("DeleteItem", {"TableName": "orders", "Key": {"pk": {"S": "before"}}})
        states.append((clock.now + 5, content("orders")))
    clock.now += 10
    for position, (moment, state) in enumerate(states):
        assert restore(f"restored-{position}", RestoreDateTime=moment) == state
    assert restore("latest", UseLatestRestorableTime=True) == content("orders")
    assert engine.storage.check() == []


def test_a_moment_out_of_reach_is_refused(refused, clock, recovery):
    recovery()
    clock.now += 100
    request = {"SourceTableName": "orders", "TargetTableName": "restored"}
    assert refused("RestoreTableToPointInTime", **request, RestoreDateTime=clock.now - 1000).startswith(
        "InvalidRestoreTimeException: RestoreDateTime '"
    )
    assert refused("RestoreTableToPointInTime", **request, RestoreDateTime=clock.now + 1000).startswith(
        "InvalidRestoreTimeException: RestoreDateTime '"
    )


def test_the_order_of_refusals_is_the_services(refused, clock, recovery):
    request = {"SourceTableName": "orders", "TargetTableName": "orders"}
    call = "RestoreTableToPointInTime"
    assert refused(call, **request) == (
        "ValidationException: Invalid Request: Either one of RestoreDateTime or UseLatestRestorableTime must be "
        "specified, but not both"
    )
    assert refused(call, **request, UseLatestRestorableTime=True) == (
        "PointInTimeRecoveryUnavailableException: Point in time recovery is not enabled for table 'orders'"
    )
    missing = request | {"SourceTableName": "missing"}
    assert refused(call, **missing, UseLatestRestorableTime=True) == "TableNotFoundException: Table not found: missing"
    recovery()
    assert refused(call, **request, UseLatestRestorableTime=True) == (
        "TableAlreadyExistsException: Table already exists: orders"
    )


def test_a_period_is_not_given_when_switching_off(refused):
    specification = {"PointInTimeRecoveryEnabled": False, "RecoveryPeriodInDays": 3}
    assert refused("UpdateContinuousBackups", TableName="orders", PointInTimeRecoverySpecification=specification) == (
        "ValidationException: Invalid Request: Cannot specify RecoveryPeriodInDays when disabling "
        "point-in-time recovery."
    )


@pytest.mark.parametrize("fraction", [0.0004, 0.0006])
def test_both_ends_can_be_restored_as_they_are_described(put, clock, recovery, restore, fraction):
    clock.now += fraction
    put("before", 0)
    described = recovery()
    for number, end in enumerate(("EarliestRestorableDateTime", "LatestRestorableDateTime")):
        assert list(restore(f"end-{number}", RestoreDateTime=described[end]))
