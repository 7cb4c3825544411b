"""A table that differs from its declaration is completed by the next run, or the difference is reported each time."""

import pytest

from tablature import Database, Index, Table
from tablature.admin import Admin
from tablature.errors import ServiceError, Unavailable
from tablature.operations.tables import creation_request
from tablature.transport.embedded import Embedded

wanted = Table(
    "orders",
    pk="PK",
    sk="SK",
    indexes=[
        Index("by-day", "day", "amount", sk_type="N", projection=("title",)),
        Index("by-owner", "owner", projection="KEYS_ONLY"),
    ],
    ttl="expires_at",
    stream="NEW_AND_OLD_IMAGES",
    recovery=True,
)
bare = Table("orders", pk="PK", sk="SK")


class Clone:
    """A compatible service that doesn't know some operations."""

    def __init__(self, *unknown: str, error: ServiceError | None = None) -> None:
        self.inner, self.unknown = Embedded.memory(), unknown
        self.error = error or ServiceError("UnknownOperationException", "")

    def send(self, operation, request):
        if operation in self.unknown:
            raise self.error
        return self.inner.send(operation, request)

    def close(self):
        self.inner.close()


def admin_of(clone: Clone) -> Admin:
    return Database(clone).admin


def sentences(problems):
    return [problem.sentence for problem in problems]


def test_a_new_table_has_all_that_it_declares():
    admin = admin_of(Clone())
    setup = admin.ensure_table(wanted)
    assert (setup.created, setup.completed, setup.problems) == (True, (), ())
    assert admin.check_table(wanted) == []


def test_a_table_that_is_as_declared_is_left_alone():
    clone = Clone()
    admin_of(clone).ensure_table(wanted)
    clone.unknown = ("CreateTable", "UpdateTable", "UpdateTimeToLive", "UpdateContinuousBackups")
    setup = admin_of(clone).ensure_table(wanted)
    assert (setup.created, setup.completed, setup.problems) == (False, (), ())


def test_each_difference_is_one_sentence():
    admin = admin_of(Clone())
    admin.create_table(bare)
    assert sentences(admin.check_table(wanted)) == [
        "The index by-day of the table orders is missing",
        "The index by-owner of the table orders is missing",
        "The stream of the table orders is off",
        "The table orders keeps expired items: time to live is off",
        "Point-in-time recovery of the table orders is off",
    ]


def test_whatever_is_missing_is_completed():
    clone, steps = Clone(), []
    admin = admin_of(clone)
    admin.create_table(bare)
    clone.send("PutItem", {"TableName": "orders", "Item": {"PK": {"S": "1"}, "SK": {"S": "a"}, "owner": {"S": "me"}}})
    setup = admin.ensure_table(wanted, listener=steps.append)
    assert (setup.created, len(setup.completed), setup.problems) == (False, 5, ())
    assert "Building the index by-owner of orders" in steps
    query = {
        "TableName": "orders",
        "IndexName": "by-owner",
        "KeyConditionExpression": "#o = :o",
        "ExpressionAttributeNames": {"#o": "owner"},
        "ExpressionAttributeValues": {":o": {"S": "me"}},
    }
    assert clone.send("Query", query)["Count"] == 1


def test_indexes_may_be_left_for_later():
    admin = admin_of(Clone())
    admin.create_table(bare)
    setup = admin.ensure_table(wanted, build_indexes=False)
    assert {problem.aspect for problem in setup.problems} == {"index"}


def test_what_the_service_refuses_is_reported_each_time():
    clone = Clone("UpdateTimeToLive")
    for created in (True, False):
        setup = admin_of(clone).ensure_table(wanted)
        assert setup.created is created
        (problem,) = setup.problems
        assert problem.sentence == (
            "The table orders keeps expired items: time to live is off, and the service refused to change it "
            "(UnknownOperationException): expired items are hidden and stay stored until you delete them"
        )
        assert not problem.repairable


def test_a_setting_that_cannot_be_read_is_a_problem():
    clone = Clone("DescribeTimeToLive", "UpdateTimeToLive", "DescribeContinuousBackups", "UpdateContinuousBackups")
    (first, second) = admin_of(clone).ensure_table(wanted).problems
    assert first.sentence.startswith("Whether the table orders deletes expired items is unknown")
    assert second.sentence.endswith("(UnknownOperationException): rely on backups")


def test_a_service_that_is_briefly_away_is_no_difference():
    clone = Clone("DescribeTimeToLive", error=Unavailable("Unreachable", "no response"))
    with pytest.raises(Unavailable):
        admin_of(clone).ensure_table(wanted)


@pytest.mark.parametrize(
    ("actual", "sentence"),
    [
        (Table("orders", pk="PK"), "has the key (PK S) instead of (PK S, SK S)"),
        (Table("orders", pk="PK", sk="SK", sk_type="N"), "has the key (PK S, SK N) instead of (PK S, SK S)"),
        (
            Table("orders", pk="PK", sk="SK", indexes=[Index("by-day", "day", "amount", projection=("title",))]),
            "The index by-day of the table orders has the key (day S, amount S) instead of (day S, amount N)",
        ),
        (
            Table("orders", pk="PK", sk="SK", indexes=[Index("by-owner", "owner")]),
            "The index by-owner of the table orders carries every attribute instead of only keys",
        ),
        (Table("orders", pk="PK", sk="SK", ttl="until"), "deletes items by until instead of expires_at"),
        (Table("orders", pk="PK", sk="SK", stream="KEYS_ONLY"), "has KEYS_ONLY instead of NEW_AND_OLD_IMAGES"),
    ],
)
def test_what_cannot_be_changed_in_place_says_what_to_do(actual, sentence):
    admin = admin_of(Clone())
    admin.create_table(actual)
    (problem,) = [problem for problem in admin.check_table(wanted) if sentence in problem.sentence]
    assert not problem.repairable
    assert "again" in problem.sentence


def test_a_missing_local_index_cannot_be_added():
    local = Table("orders", pk="PK", sk="SK", indexes=[Index("by-size", "PK", "size", local=True)])
    admin = admin_of(Clone())
    admin.create_table(bare)
    (problem,) = admin.ensure_table(local).problems
    assert problem.sentence.startswith("The index by-size of the table orders is missing. A local index can't be added")


def test_provisioned_capacity_is_a_difference_and_indexes_share_it():
    clone = Clone()
    units = {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}
    request = creation_request(bare, "orders") | {"BillingMode": "PROVISIONED", "ProvisionedThroughput": units}
    clone.send("CreateTable", request)
    (problem,) = admin_of(clone).ensure_table(wanted).problems
    assert problem.sentence.startswith("The table orders has provisioned capacity (5 write units)")
    index = clone.send("DescribeTable", {"TableName": "orders"})["Table"]["GlobalSecondaryIndexes"][0]
    assert index["ProvisionedThroughput"]["WriteCapacityUnits"] == 5
