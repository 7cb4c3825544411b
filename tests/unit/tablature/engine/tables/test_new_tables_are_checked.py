"""What CreateTable refuses, in the service's words and order."""

import pytest

INVALID = "ValidationException: One or more parameter values were invalid: "
ONE_ERROR = "ValidationException: 1 validation error detected: "


def test_the_name_comes_before_all_else(refusal):
    assert refusal("CreateTable") == (
        "ValidationException: The parameter 'TableName' is required but was not present in the request"
    )


@pytest.mark.parametrize(
    ("name", "constraint"),
    [
        ("ab", "Member must have length greater than or equal to 3"),
        ("a" * 256, "Member must have length less than or equal to 255"),
        ("a b c", "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"),
    ],
)
def test_a_name_has_three_to_255_plain_characters(refusal, make, name, constraint):
    assert refusal("CreateTable", **make.table(name=name)) == (
        f"{ONE_ERROR}Value '{name}' at 'tableName' failed to satisfy constraint: {constraint}"
    )


def test_every_broken_constraint_is_told_at_once(refusal, make):
    request = make.table(BillingMode="FREE", KeySchema=[{"AttributeName": "pk", "KeyType": "SORT"}])
    message = refusal("CreateTable", **request)
    assert message.startswith("ValidationException: 2 validation errors detected: ")
    assert (
        "Value 'SORT' at 'keySchema.1.member.keyType' failed to satisfy constraint: "
        "Member must satisfy enum value set: [HASH, RANGE]"
    ) in message
    assert (
        "Value 'FREE' at 'billingMode' failed to satisfy constraint: "
        "Member must satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]"
    ) in message


def test_a_table_key_has_at_most_two_attributes(refusal, make):
    message = refusal("CreateTable", **make.table("a", "b", "c"))
    assert "at 'keySchema' failed to satisfy constraint: Member must have length less than or equal to 2" in message


def test_provisioned_tables_need_throughput_and_on_demand_tables_refuse_it(refusal, make):
    units = make.units(1, 1)
    both = f"{INVALID}ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED"
    assert refusal("CreateTable", **make.table(BillingMode=None)) == both
    assert refusal("CreateTable", **make.table(BillingMode="PROVISIONED")) == both
    assert refusal("CreateTable", **make.table(ProvisionedThroughput=units)) == (
        f"{INVALID}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
        "PAY_PER_REQUEST"
    )
    assert refusal("CreateTable", **make.table(BillingMode=None, ProvisionedThroughput=make.units(0, 1))) == (
        f"{ONE_ERROR}Value '0' at 'provisionedThroughput.readCapacityUnits' failed to satisfy constraint: "
        "Member must have value greater than or equal to 1"
    )


def test_keys_and_definitions_must_agree(refusal, make):
    table, attributes = make.table, make.attributes
    assert refusal("CreateTable", **table("a", "b", AttributeDefinitions=attributes("a"))) == (
        "ValidationException: Invalid KeySchema: Some index key attribute have no definition"
    )
    assert refusal("CreateTable", **table("a", AttributeDefinitions=attributes("b"))) == (
        f"{INVALID}Some index key attributes are not defined in AttributeDefinitions. "
        "Keys: [a], AttributeDefinitions: [b]"
    )
    assert refusal("CreateTable", **table("a", AttributeDefinitions=attributes("a", "b"))) == (
        f"{INVALID}Number of attributes in KeySchema does not exactly match number of attributes defined in "
        "AttributeDefinitions"
    )
    assert refusal("CreateTable", **table("a", AttributeDefinitions=attributes("a", "a:N"))) == (
        "ValidationException: Attribute Name is duplicated: a"
    )
    assert refusal("CreateTable", **table("a", "a", AttributeDefinitions=attributes("a", "b"))) == (
        "ValidationException: Both the Hash Key and the Range Key element in the KeySchema have the same name"
    )


def test_the_hash_key_comes_first_and_the_range_key_second(refusal, make):
    backwards = make.table("a", "b", KeySchema=list(reversed(make.key("b", "a"))))
    assert refusal("CreateTable", **backwards) == (
        "ValidationException: Invalid KeySchema: The first KeySchemaElement is not a HASH key type"
    )
    twice = make.table("a", "b", KeySchema=make.key("a") + make.key("b"))
    assert refusal("CreateTable", **twice) == (
        "ValidationException: Invalid KeySchema: The second KeySchemaElement is not a RANGE key type"
    )


def test_an_unused_definition_is_told_in_the_order_of_the_services_sets(refusal, make):
    request = make.table(
        "pk",
        "sk",
        AttributeDefinitions=make.attributes("pk", "sk", "a", "b", "c"),
        GlobalSecondaryIndexes=[make.index("by-a", "a", Projection={})],
    )
    assert refusal("CreateTable", **request) == (
        f"{INVALID}Some AttributeDefinitions are not used. "
        "AttributeDefinitions: [sk, a, b, pk, c], keys used: [a, sk, pk]"
    )


@pytest.mark.parametrize(
    ("projection", "detail"),
    [
        ({}, "Unknown ProjectionType: null"),
        ({"ProjectionType": "INCLUDE"}, "ProjectionType is INCLUDE, but NonKeyAttributes is not specified"),
        (
            {"ProjectionType": "ALL", "NonKeyAttributes": ["x"]},
            "ProjectionType is ALL, but NonKeyAttributes is specified",
        ),
        (
            {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["x", "x"]},
            "Duplicate element in NonKeyAttributes: x",
        ),
    ],
)
def test_a_projection_must_make_sense(refusal, make, projection, detail):
    for kind, keys in (("GlobalSecondaryIndexes", ("sk",)), ("LocalSecondaryIndexes", ("pk", "sk"))):
        request = make.table("pk", "sk", **{kind: [make.index("idx", *keys, Projection=projection)]})
        assert refusal("CreateTable", **request) == INVALID + detail


def test_at_most_twenty_attributes_are_projected_by_name(refusal, make):
    projection = {"ProjectionType": "INCLUDE", "NonKeyAttributes": [f"x{number}" for number in range(21)]}
    request = make.table("pk", "sk", GlobalSecondaryIndexes=[make.index("idx", "sk", Projection=projection)])
    assert (
        "at 'globalSecondaryIndexes.1.member.projection.nonKeyAttributes' failed to satisfy constraint: "
        "Member must have length less than or equal to 20"
    ) in refusal("CreateTable", **request)


def test_at_most_a_hundred_attributes_are_projected_by_name_in_all(refusal, make):
    def including(number):
        names = [f"x{number}-{position}" for position in range(20)]
        return make.index(f"idx-{number}", "sk", Projection={"ProjectionType": "INCLUDE", "NonKeyAttributes": names})

    request = make.table("pk", "sk", GlobalSecondaryIndexes=[including(number) for number in range(6)])
    assert refusal("CreateTable", **request).startswith(INVALID)


def test_a_local_index_shares_the_hash_key_and_has_a_range_key(refusal, make):
    local = make.index("idx", "pk", "sk")
    assert refusal("CreateTable", **make.table("pk", LocalSecondaryIndexes=[make.index("idx", "pk")])) == (
        f"{INVALID}Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex"
    )
    assert refusal("CreateTable", **make.table("pk", "sk", LocalSecondaryIndexes=[make.index("idx", "pk")])) == (
        f"{INVALID}Index KeySchema does not have a range key for index: idx"
    )
    assert refusal("CreateTable", **make.table("pk", "sk", LocalSecondaryIndexes=[make.index("idx", "sk", "pk")])) == (
        f"{INVALID}Index KeySchema does not have the same leading hash key as table KeySchema for index: idx. "
        "index hash key: sk, table hash key: pk"
    )
    assert refusal("CreateTable", **make.table("pk", "sk", LocalSecondaryIndexes=[local, local])) == (
        f"{INVALID}Duplicate index name: idx"
    )


def test_there_are_at_most_five_local_and_twenty_global_indexes(refusal, make):
    local = [make.index(f"local-{number}", "pk", "sk") for number in range(6)]
    assert refusal("CreateTable", **make.table("pk", "sk", LocalSecondaryIndexes=local)) == (
        f"{INVALID}Number of LocalSecondaryIndexes exceeds per-table limit of 5"
    )
    global_ = [make.index(f"global-{number}", "pk") for number in range(21)]
    assert refusal("CreateTable", **make.table("pk", GlobalSecondaryIndexes=global_)) == (
        f"{INVALID}GlobalSecondaryIndex count exceeds the per-table limit of 20"
    )


@pytest.mark.parametrize("kind", ["LocalSecondaryIndexes", "GlobalSecondaryIndexes"])
def test_a_list_of_indexes_is_not_empty(refusal, make, kind):
    assert refusal("CreateTable", **make.table(**{kind: []})) == f"{INVALID}List of {kind} is empty"


def test_a_global_index_is_provisioned_with_its_table(refusal, make):
    units = make.units(1, 1)
    index = make.index("idx", "pk")
    assert refusal("CreateTable", **make.table(GlobalSecondaryIndexes=[index | {"ProvisionedThroughput": units}])) == (
        f"{INVALID}ProvisionedThroughput should not be specified for index: idx when BillingMode is PAY_PER_REQUEST"
    )
    provisioned = make.table(BillingMode=None, ProvisionedThroughput=units, GlobalSecondaryIndexes=[index])
    assert refusal("CreateTable", **provisioned) == f"{INVALID}ProvisionedThroughput is not specified for index: idx"


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        (
            {"StreamSpecification": {"StreamEnabled": True}},
            f"{INVALID}Table is being created with a stream enabled, UpdateViewType is required",
        ),
        (
            {"StreamSpecification": {"StreamEnabled": False, "StreamViewType": "KEYS_ONLY"}},
            f"{INVALID}Table is being created with a stream disabled, UpdateViewType should not be specified",
        ),
        (
            {"SSESpecification": {"Enabled": False, "SSEType": "KMS"}},
            f"{INVALID}SSEType can not be specified if Enabled is false",
        ),
        ({"SSESpecification": {"Enabled": True, "SSEType": "AES256"}}, f"{INVALID}SSEType AES256 is not supported"),
        (
            {"TableClass": "CHEAP"},
            (
                "ValidationException: Invalid table-class parameter provided. Please try again with a valid "
                "table-class value: [STANDARD, STANDARD_INFREQUENT_ACCESS]."
            ),
        ),
        (
            {"Tags": [{"Key": "aws:x", "Value": ""}]},
            "ValidationException: Tag Key cannot be prefixed with aws:, Key: aws:x",
        ),
        (
            {"Tags": [{"Key": "x", "Value": ""}] * 2},
            "ValidationException: Duplicate Tag Keys provided as input: Duplicate Tag Key found x",
        ),
        (
            {"Tags": [{"Key": f"k{number}", "Value": ""} for number in range(51)]},
            "ValidationException: Number of Tags exceed the current limit for the provided ResourceArn",
        ),
        (
            {"OnDemandThroughput": {"MaxReadRequestUnits": 0}},
            f"{INVALID}Requested MaxReadRequestUnits for OnDemandThroughput for table is outside of valid range",
        ),
        (
            {"WarmThroughput": {"ReadUnitsPerSecond": 100}},
            (
                f"{INVALID}Requested ReadUnitsPerSecond for WarmThroughput for table is lower than initial throughput "
                "for OnDemand"
            ),
        ),
    ],
)
def test_other_settings_are_checked_too(refusal, make, setting, message):
    assert refusal("CreateTable", **make.table(**setting)) == message


def test_a_taken_name_is_told_after_the_request_is_found_sound(engine, refusal, make):
    engine.call("CreateTable", make.table())
    assert refusal("CreateTable", **make.table()) == "ResourceInUseException: Table already exists: orders"
    assert refusal("CreateTable", **make.table(TableClass="x")).startswith("ValidationException: Invalid table-class")


def test_of_two_wrong_indexes_the_global_one_is_told_first(refused, define):
    wanted = define("things", "pk:S", "sk:S", gsis={"g1": ("ALL", "a:S")}, lsis={"l1": ("ALL", "pk:S", "b:S")})
    sentence = refused("CreateTable", **wanted)
    assert sentence.index("globalSecondaryIndexes.1") < sentence.index("localSecondaryIndexes.1")
