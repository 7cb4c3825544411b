"""UpdateTable: what may be changed together, what each change does, and what is refused."""

import pytest

INVALID = "ValidationException: One or more parameter values were invalid: "
NOTHING = (
    "ValidationException: At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, "
    "GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, "
    "MultiRegionConsistency, DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required"
)


@pytest.fixture
def orders(engine, make):
    """A provisioned table with a global index `by-g`, and the way to change and see it."""
    units = make.units(5, 5)
    engine.call(
        "CreateTable",
        make.table(
            "pk",
            "sk",
            AttributeDefinitions=make.attributes("pk", "sk", "g"),
            BillingMode="PROVISIONED",
            ProvisionedThroughput=units,
            LocalSecondaryIndexes=[make.index("local", "pk", "g")],
            GlobalSecondaryIndexes=[make.index("by-g", "g", ProvisionedThroughput=units)],
        ),
    )
    return "orders"


@pytest.fixture
def change(engine, orders):
    return lambda **request: engine.call("UpdateTable", {"TableName": orders} | request)["TableDescription"]


@pytest.fixture
def refused(refusal, orders):
    return lambda **request: refusal("UpdateTable", TableName=orders, **request)


@pytest.fixture
def now(engine, orders):
    return lambda: engine.call("DescribeTable", {"TableName": orders})["Table"]


def test_a_request_must_change_something(refused, refusal, make):
    assert refused() == NOTHING
    assert refused(GlobalSecondaryIndexUpdates=[]) == NOTHING
    assert refused(AttributeDefinitions=make.attributes("pk")) == NOTHING
    assert refusal("UpdateTable", TableName="missing") == NOTHING


@pytest.mark.parametrize(
    ("request_", "detail"),
    [
        (
            {"SSESpecification": {"Enabled": True}, "DeletionProtectionEnabled": True},
            "Server-Side Encryption modification must be the only operation in the request",
        ),
        (
            {"TableClass": "STANDARD", "DeletionProtectionEnabled": True},
            "TableClass modification must be the only operation in the request",
        ),
        (
            {"DeletionProtectionEnabled": True, "BillingMode": "PAY_PER_REQUEST"},
            "DeletionProtection modification must be the only operation in the request",
        ),
        (
            {"DeletionProtectionEnabled": True, "GlobalSecondaryIndexUpdates": []},
            "List of GlobalSecondaryIndexUpdates is empty",
        ),
        (
            {
                "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"},
                "ProvisionedThroughput": {"ReadCapacityUnits": 6, "WriteCapacityUnits": 6},
            },
            "You cannot modify stream status while updating table IOPS",
        ),
        (
            {
                "GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "by-g"}}],
                "ProvisionedThroughput": {"ReadCapacityUnits": 6, "WriteCapacityUnits": 6},
            },
            "You cannot create or delete index while updating table IOPS",
        ),
        (
            {
                "BillingMode": "PAY_PER_REQUEST",
                "ProvisionedThroughput": {"ReadCapacityUnits": 6, "WriteCapacityUnits": 6},
            },
            "ProvisionedThroughput cannot be specified when BillingMode is PAY_PER_REQUEST",
        ),
        ({"BillingMode": "PROVISIONED"}, "ProvisionedThroughput must be specified when BillingMode is PROVISIONED"),
        (
            {"StreamSpecification": {"StreamEnabled": True}},
            "If stream is being enabled then UpdateViewType is required",
        ),
        (
            {"StreamSpecification": {"StreamEnabled": False, "StreamViewType": "KEYS_ONLY"}},
            "If stream is being disabled, then UpdateViewType must not be specified",
        ),
        (
            {"GlobalSecondaryIndexUpdates": [{}]},
            (
                "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
                "GlobalSecondaryIndexUpdate.Delete must not be null"
            ),
        ),
        (
            {"GlobalSecondaryIndexUpdates": [{"Update": {"IndexName": "by-g"}, "Delete": {"IndexName": "by-g"}}]},
            "Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object",
        ),
        (
            {"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "by-g"}}] * 2},
            "Only one global secondary index update per index is allowed simultaneously. Index: by-g",
        ),
    ],
)
def test_some_changes_do_not_go_together(refused, request_, detail):
    assert refused(**request_) == INVALID + detail


def test_throughput_changes_and_a_change_to_the_same_is_refused(change, refused, now, make):
    answer = change(ProvisionedThroughput=make.units(7, 8))
    assert answer["TableStatus"] == "UPDATING"
    assert (now()["ProvisionedThroughput"]["ReadCapacityUnits"], now()["TableStatus"]) == (7, "ACTIVE")
    assert refused(ProvisionedThroughput=make.units(7, 8)) == (
        "ValidationException: The provisioned throughput for the table will not change. The requested value equals the "
        "current value. Current ReadCapacityUnits provisioned for the table: 7. Requested ReadCapacityUnits: 7. "
        "Current WriteCapacityUnits provisioned for the table: 8. Requested WriteCapacityUnits: 8. Refer to the Amazon "
        "DynamoDB Developer Guide for current limits and how to request higher limits."
    )


def test_an_indexs_throughput_changes_by_itself(change, refused, now, make):
    update = {"Update": {"IndexName": "by-g", "ProvisionedThroughput": make.units(9, 9)}}
    answer = change(GlobalSecondaryIndexUpdates=[update])
    assert (answer["TableStatus"], answer["GlobalSecondaryIndexes"][0]["IndexStatus"]) == ("ACTIVE", "UPDATING")
    assert now()["GlobalSecondaryIndexes"][0]["ProvisionedThroughput"]["ReadCapacityUnits"] == 9
    assert refused(GlobalSecondaryIndexUpdates=[update]).startswith(
        "ValidationException: The provisioned throughput for the index by-g will not change."
    )


def test_billing_switches_both_ways(change, refused, now, make):
    change(BillingMode="PAY_PER_REQUEST")
    table = now()
    assert table["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"
    assert table["ProvisionedThroughput"]["ReadCapacityUnits"] == 0
    units = make.units(2, 2)
    assert refused(ProvisionedThroughput=units) == (
        f"{INVALID}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
        "PAY_PER_REQUEST"
    )
    assert refused(BillingMode="PROVISIONED", ProvisionedThroughput=units) == (
        f"{INVALID}ProvisionedThroughput must be specified for index: by-g"
    )
    update = {"Update": {"IndexName": "by-g", "ProvisionedThroughput": units}}
    change(BillingMode="PROVISIONED", ProvisionedThroughput=units, GlobalSecondaryIndexUpdates=[update])
    assert now()["ProvisionedThroughput"]["ReadCapacityUnits"] == 2


def test_an_added_index_lists_what_is_already_there(engine, change, now, make):
    for number in range(30):
        item = {"pk": {"S": str(number)}, "sk": {"S": "x"}} | ({"h": {"N": "1"}} if number % 3 == 0 else {})
        engine.call("PutItem", {"TableName": "orders", "Item": item})
    engine.call("PutItem", {"TableName": "orders", "Item": {"pk": {"S": "z"}, "sk": {"S": "x"}, "h": {"S": "text"}}})
    create = make.index("by-h", "h", ProvisionedThroughput=make.units(1, 1))
    answer = change(AttributeDefinitions=make.attributes("h:N"), GlobalSecondaryIndexUpdates=[{"Create": create}])
    added = answer["GlobalSecondaryIndexes"][1]
    assert (answer["TableStatus"], added["IndexStatus"], added["Backfilling"]) == ("UPDATING", "CREATING", False)
    table = now()
    assert table["GlobalSecondaryIndexes"][1]["IndexStatus"] == "ACTIVE"
    assert table["GlobalSecondaryIndexes"][1]["ItemCount"] == 10
    assert table["AttributeDefinitions"] == make.attributes("g", "h:N", "pk", "sk")
    response = engine.call(
        "Query",
        {
            "TableName": "orders",
            "IndexName": "by-h",
            "KeyConditionExpression": "h = :h",
            "ExpressionAttributeValues": {":h": {"N": "1"}},
        },
    )
    assert response["Count"] == 10


def test_a_removed_index_takes_its_definition_along(engine, change, now, make, refusal):
    answer = change(GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "by-g"}}])
    assert answer["GlobalSecondaryIndexes"][0]["IndexStatus"] == "DELETING"
    assert "GlobalSecondaryIndexes" not in now()
    create = make.index("by-x", "x", ProvisionedThroughput=make.units(1, 1))
    change(AttributeDefinitions=make.attributes("x"), GlobalSecondaryIndexUpdates=[{"Create": create}])
    change(GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "by-x"}}])
    assert now()["AttributeDefinitions"] == make.attributes("g", "pk", "sk")


def test_index_actions_are_checked_against_the_table(refused, make):
    units = make.units(1, 1)
    create = make.index("by-h", "h", ProvisionedThroughput=units)
    attributes = make.attributes("h")

    def updates(*given):
        return {"GlobalSecondaryIndexUpdates": list(given)}

    assert refused(**updates({"Create": create})) == (f"{INVALID}AttributeDefinitions is not specified for index: by-h")
    assert refused(AttributeDefinitions=make.attributes("z"), **updates({"Create": create})) == (
        f"{INVALID}Some index key attributes are not defined in AttributeDefinitions. "
        "Keys: [h], AttributeDefinitions: [z]"
    )
    for taken in ("by-g", "local"):
        assert refused(AttributeDefinitions=attributes, **updates({"Create": create | {"IndexName": taken}})) == (
            "ValidationException: Attempting to create an index which already exists"
        )
    without = {name: value for name, value in create.items() if name != "ProvisionedThroughput"}
    assert refused(AttributeDefinitions=attributes, **updates({"Create": without})) == (
        f"{INVALID}Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: by-h"
    )
    assert refused(
        AttributeDefinitions=make.attributes("sk:N"), **updates({"Create": create | {"KeySchema": make.key("sk")}})
    ) == (
        f"{INVALID}Attributes cannot be redefined. Please check that your attribute has the same type as previously "
        "defined. Existing schema: Schema:[SchemaElement: key{sk:S:RANGE}] "
        "New schema: Schema:[SchemaElement: key{sk:N:HASH}]"
    )
    assert refused(
        AttributeDefinitions=attributes, **updates({"Create": create}, {"Delete": {"IndexName": "by-g"}})
    ) == (
        "LimitExceededException: Subscriber limit exceeded: "
        "Only 1 online index can be created or deleted simultaneously per table"
    )
    assert refused(**updates({"Delete": {"IndexName": "ghost"}})) == (
        "ResourceNotFoundException: Requested resource not found: Index ghost for table orders"
    )
    assert refused(**updates({"Delete": {"IndexName": "local"}})) == (
        "ValidationException: Cannot delete an index that is not a GlobalSecondaryIndex: local"
    )


def test_a_refused_request_changes_nothing(engine, refused, now, make):
    before = now()
    updates = [
        {"Update": {"IndexName": "by-g", "ProvisionedThroughput": make.units(9, 9)}},
        {"Delete": {"IndexName": "ghost"}},
    ]
    refused(GlobalSecondaryIndexUpdates=updates)
    assert now() == before


def test_a_stream_is_switched_on_and_off(change, refused, now):
    on = {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"}
    assert refused(StreamSpecification={"StreamEnabled": False}) == (
        "ValidationException: Table has no stream to disable: TableName: orders"
    )
    assert change(StreamSpecification=on)["StreamSpecification"] == on
    first = now()["LatestStreamArn"]
    assert refused(StreamSpecification=on) == (
        "ValidationException: Table already has an enabled stream: TableName: orders"
    )
    change(StreamSpecification={"StreamEnabled": False})
    assert "StreamSpecification" not in now()
    assert now()["LatestStreamArn"] == first
    change(StreamSpecification=on)
    assert now()["LatestStreamArn"] != first


def test_encryption_and_class_change(change, refused, now):
    assert refused(SSESpecification={"Enabled": False}) == f"{INVALID}Table is already encrypted by default"
    change(SSESpecification={"Enabled": True, "SSEType": "KMS", "KMSMasterKeyId": "alias/mine"})
    assert now()["SSEDescription"]["KMSMasterKeyArn"] == "arn:aws:kms:us-east-1:000000000000:alias/mine"
    change(SSESpecification={"Enabled": False})
    assert "SSEDescription" not in now()
    change(TableClass="STANDARD_INFREQUENT_ACCESS")
    assert now()["TableClassSummary"] == {"TableClass": "STANDARD_INFREQUENT_ACCESS"}
