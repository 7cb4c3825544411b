"""IAM policies: no more than is needed, and nothing that opens when a condition has nothing to look at."""

import json

import pytest

from tablature import Attr, Entity, Index, Table, index, pattern, primary
from tablature.output.iam import ACCESSES, PolicyScope, entity_policy, leading_key, pattern_policy

HERE = PolicyScope("eu-west-1", "111122223333")


def actions(policy):
    return {action for statement in policy["Statement"] for action in statement["Action"]}


def test_the_policies_are_as_they_were_looked_at(shop, snapshot):
    policies = {access: entity_policy(shop.entities, access, PolicyScope()) for access in ACCESSES}
    snapshot("shop.iam.json", json.dumps(policies, indent=2) + "\n")


def test_reading_allows_no_write_and_no_scan(shop):
    allowed = actions(entity_policy(shop.entities, "read-only", HERE))
    assert allowed == {"dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:Query"}


def test_writing_allows_no_scan_and_no_change_of_the_table(shop):
    allowed = actions(entity_policy(shop.entities, "read-write", HERE))
    assert not {name for name in allowed if "Table" in name or "Scan" in name}
    assert "dynamodb:ConditionCheckItem" in allowed


def test_an_administrator_may_scan_and_change_the_table_alone(shop):
    policy = entity_policy(shop.entities, "admin", HERE)
    assert {"dynamodb:Scan", "dynamodb:UpdateTable"} <= actions(policy)
    arn = "arn:aws:dynamodb:eu-west-1:111122223333:table/shop"
    assert policy["Statement"][0]["Resource"] == [arn, f"{arn}/index/*"]
    assert not {name for name in actions(policy) if "*" in name}


def test_one_entity_opens_only_its_partitions(shop):
    (orders,) = [entity for entity in shop.entities if entity.name == "Order"]
    items, waiting = entity_policy([orders], "read-write", HERE)["Statement"]
    keys = items["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"]
    assert keys == ["CUSTOMER#*", "ONCE#*", "UNIQUE#Order#*"]
    assert waiting["Resource"].endswith("table/shop/index/GSI2")
    assert waiting["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"] == ["ORDERS#*"]


def test_a_request_without_keys_is_refused_by_every_condition(shop):
    for access in ("read-only", "read-write"):
        for statement in entity_policy(shop.entities, access, HERE)["Statement"]:
            condition = statement.get("Condition")
            assert condition is None or condition["Null"] == {"dynamodb:LeadingKeys": "false"}


def test_a_bound_field_limits_a_caller_to_its_own_partition(shop):
    scope = PolicyScope(bound={"customer_id": "${aws:PrincipalTag/customer}"})
    (orders,) = [entity for entity in shop.entities if entity.name == "Order"]
    items, _ = entity_policy([orders], "read-only", scope)["Statement"]
    keys = items["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"]
    assert keys == ["CUSTOMER#${aws:PrincipalTag/customer}"]


def test_patterns_open_their_queries_alone(shop):
    policy = pattern_policy(shop.patterns, HERE)
    assert actions(policy) == {"dynamodb:Query"}
    assert [statement["Resource"].rpartition("table/")[2] for statement in policy["Statement"]] == [
        "shop",
        "shop/index/GSI1",
    ]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, "ALL"),
        ({"shards": 4, "by": "id"}, "ALL#*"),
        ({"shards": 4, "by": "id", "include_unsharded": True}, "ALL*"),
    ],
)
def test_shards_are_part_of_the_key(options, expected):
    table = Table("things", pk="PK", indexes=[Index("GSI1", "GSI1PK")])

    class Thing(Entity, table=table):
        id: Attr[str]
        key = primary("THING#{id}")
        every = index("GSI1", "ALL", **options)
        listed = pattern(every)

    assert leading_key(Thing.every.schema, table, HERE) == expected


def test_signs_that_policies_give_a_meaning_are_literal():
    table = Table("things", pk="PK")

    class Thing(Entity, table=table):
        id: Attr[str]
        key = primary("A*B?{id}")

    assert leading_key(Thing.key.schema, table, HERE) == "A${*}B${?}*"


def test_keys_without_a_fixed_part_get_no_condition(shop):
    (visits,) = [entity for entity in shop.entities if entity.name == "Visit"]
    assert all("Condition" not in s for s in entity_policy([visits], "read-only", HERE)["Statement"])
