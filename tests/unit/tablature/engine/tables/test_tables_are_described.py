"""What CreateTable, DescribeTable, ListTables and DeleteTable answer."""

from tablature.engine.engine import Engine


def describe(engine: Engine, name: str = "orders"):
    return engine.call("DescribeTable", {"TableName": name})["Table"]


def test_a_new_table_is_shown_in_the_making_and_is_active_at_once(engine, make):
    created = engine.call("CreateTable", make.table())["TableDescription"]
    assert created["TableStatus"] == "CREATING"
    assert describe(engine)["TableStatus"] == "ACTIVE"
    assert created["TableId"] == describe(engine)["TableId"]
    assert created["TableArn"] == "arn:aws:dynamodb:us-east-1:000000000000:table/orders"


def test_a_description_has_what_the_table_was_given(engine, make):
    engine.call(
        "CreateTable",
        make.table(
            "pk",
            "sk",
            AttributeDefinitions=make.attributes("sk:N", "pk", "g:B"),
            LocalSecondaryIndexes=[make.index("local", "pk", "g", Projection={"ProjectionType": "KEYS_ONLY"})],
            GlobalSecondaryIndexes=[
                make.index("global", "g", Projection={"ProjectionType": "INCLUDE", "NonKeyAttributes": ["z", "y"]})
            ],
            StreamSpecification={"StreamEnabled": True, "StreamViewType": "OLD_IMAGE"},
            SSESpecification={"Enabled": True},
            TableClass="STANDARD_INFREQUENT_ACCESS",
            DeletionProtectionEnabled=True,
            OnDemandThroughput={"MaxReadRequestUnits": 5},
        ),
    )
    table = describe(engine)
    assert table["AttributeDefinitions"] == make.attributes("g:B", "pk", "sk:N")
    assert table["KeySchema"] == make.key("pk", "sk")
    assert table["LocalSecondaryIndexes"] == [
        {
            "IndexName": "local",
            "KeySchema": make.key("pk", "g"),
            "Projection": {"ProjectionType": "KEYS_ONLY"},
            "IndexSizeBytes": 0,
            "ItemCount": 0,
            "IndexArn": f"{table['TableArn']}/index/local",
        }
    ]
    assert table["GlobalSecondaryIndexes"] == [
        {
            "IndexName": "global",
            "KeySchema": make.key("g"),
            "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["y", "z"]},
            "IndexStatus": "ACTIVE",
            "IndexSizeBytes": 0,
            "ItemCount": 0,
            "ProvisionedThroughput": {"NumberOfDecreasesToday": 0} | make.units(0, 0),
            "WarmThroughput": {"ReadUnitsPerSecond": 12000, "WriteUnitsPerSecond": 4000, "Status": "ACTIVE"},
            "IndexArn": f"{table['TableArn']}/index/global",
        }
    ]
    assert table["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"
    assert table["StreamSpecification"] == {"StreamEnabled": True, "StreamViewType": "OLD_IMAGE"}
    assert table["LatestStreamArn"] == f"{table['TableArn']}/stream/{table['LatestStreamLabel']}"
    assert table["SSEDescription"]["SSEType"] == "KMS"
    assert table["TableClassSummary"] == {"TableClass": "STANDARD_INFREQUENT_ACCESS"}
    assert table["DeletionProtectionEnabled"] is True
    assert table["OnDemandThroughput"] == {"MaxReadRequestUnits": 5}


def test_counts_and_sizes_are_exact(engine, make):
    attributes = make.attributes("pk", "g")
    engine.call(
        "CreateTable",
        make.table(AttributeDefinitions=attributes, GlobalSecondaryIndexes=[make.index("by-g", "g")]),
    )
    engine.call("PutItem", {"TableName": "orders", "Item": {"pk": {"S": "1"}, "g": {"S": "xyz"}}})
    engine.call("PutItem", {"TableName": "orders", "Item": {"pk": {"S": "2"}}})
    table = describe(engine)
    assert (table["ItemCount"], table["TableSizeBytes"]) == (2, 3 + 4 + 3)
    assert (table["GlobalSecondaryIndexes"][0]["ItemCount"], table["GlobalSecondaryIndexes"][0]["IndexSizeBytes"]) == (
        1,
        7,
    )
    engine.call("DeleteItem", {"TableName": "orders", "Key": {"pk": {"S": "1"}}})
    table = describe(engine)
    assert (table["ItemCount"], table["TableSizeBytes"]) == (1, 3)
    assert table["GlobalSecondaryIndexes"][0]["ItemCount"] == 0


def test_a_table_may_be_named_by_its_arn(engine, make):
    arn = engine.call("CreateTable", make.table())["TableDescription"]["TableArn"]
    assert describe(engine, arn)["TableName"] == "orders"
    engine.call("PutItem", {"TableName": arn, "Item": {"pk": {"S": "1"}}})
    assert engine.call("DeleteTable", {"TableName": arn})["TableDescription"]["TableStatus"] == "DELETING"


def test_a_missing_table_is_told_by_name(refusal):
    not_found = "ResourceNotFoundException: Requested resource not found: Table: orders not found"
    assert refusal("DescribeTable", TableName="orders") == not_found
    assert refusal("DeleteTable", TableName="orders") == not_found
    assert refusal("UpdateTable", TableName="orders", DeletionProtectionEnabled=True) == not_found


def test_a_deleted_table_is_gone_and_its_name_free(engine, make, refusal):
    first = engine.call("CreateTable", make.table())["TableDescription"]
    engine.call("PutItem", {"TableName": "orders", "Item": {"pk": {"S": "1"}}})
    assert engine.call("DeleteTable", {"TableName": "orders"})["TableDescription"]["TableStatus"] == "DELETING"
    assert refusal("DescribeTable", TableName="orders").startswith("ResourceNotFoundException")
    second = engine.call("CreateTable", make.table())["TableDescription"]
    assert second["TableId"] != first["TableId"]
    assert engine.call("Scan", {"TableName": "orders"})["Count"] == 0


def test_a_protected_table_cannot_be_deleted(engine, make, refusal):
    engine.call("CreateTable", make.table(DeletionProtectionEnabled=True))
    assert refusal("DeleteTable", TableName="orders") == (
        "ValidationException: Resource cannot be deleted as it is currently protected against deletion. "
        "Disable deletion protection first."
    )
    engine.call("UpdateTable", {"TableName": "orders", "DeletionProtectionEnabled": False})
    engine.call("DeleteTable", {"TableName": "orders"})


def test_names_are_listed_in_pages(engine, make, refusal):
    for name in ("beta", "Alpha", "gamma"):
        engine.call("CreateTable", make.table(name=name))
    assert engine.call("ListTables", {}) == {"TableNames": ["Alpha", "beta", "gamma"]}
    assert engine.call("ListTables", {"Limit": 2}) == {
        "TableNames": ["Alpha", "beta"],
        "LastEvaluatedTableName": "beta",
    }
    assert engine.call("ListTables", {"Limit": 2, "ExclusiveStartTableName": "beta"}) == {"TableNames": ["gamma"]}
    assert engine.call("ListTables", {"ExclusiveStartTableName": "between"})["TableNames"] == ["gamma"]
    assert "Member must have value less than or equal to 100" in refusal("ListTables", Limit=101)


def test_limits_and_endpoints_are_described(engine):
    assert engine.call("DescribeLimits", {})["TableMaxReadCapacityUnits"] == 40_000
    assert engine.call("DescribeEndpoints", {})["Endpoints"][0]["Address"] == "dynamodb.us-east-1.amazonaws.com"
