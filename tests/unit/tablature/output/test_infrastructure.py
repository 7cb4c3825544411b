"""CloudFormation and Terraform: snapshots, and the formats' own rules."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tablature.output.iam import ACCESSES, PolicyScope, entity_policy, pattern_policy
from tablature.output.infrastructure import as_yaml, cloudformation, pascal_case, terraform


def test_the_template_is_as_it_was_looked_at(shop, snapshot):
    snapshot("shop.yaml", as_yaml(cloudformation(shop, {})))


def test_the_yaml_says_what_the_json_says(shop):
    template = cloudformation(shop, {"shop": "acme-shop"})
    assert yaml.safe_load(as_yaml(template)) == template
    assert template["Parameters"]["ShopName"]["Default"] == "acme-shop"


def with_policies(design):
    """A template of IAM policies, in which cfn-lint checks their grammar."""
    policies = {access: entity_policy(design.entities, access, PolicyScope()) for access in ACCESSES}
    policies["patterns"] = pattern_policy(design.patterns, PolicyScope("eu-west-1", "111122223333"))
    resources = {
        pascal_case(name): {"Type": "AWS::IAM::ManagedPolicy", "Properties": {"PolicyDocument": policy}}
        for name, policy in policies.items()
    }
    return {"AWSTemplateFormatVersion": "2010-09-09", "Resources": resources}


def test_templates_and_policies_pass_cfn_lint(shop, tmp_path: Path):
    template = cloudformation(shop, {})
    (tmp_path / "tables.yaml").write_text(as_yaml(template))
    (tmp_path / "tables.json").write_text(json.dumps(template))
    (tmp_path / "policies.json").write_text(json.dumps(with_policies(shop)))
    command = [str(Path(sys.executable).with_name("cfn-lint")), "tables.yaml", "tables.json", "policies.json"]
    checked = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stdout) == (0, "")


def test_the_configuration_is_as_it_was_looked_at(shop, snapshot):
    snapshot("shop.tf.json", json.dumps(terraform(shop, {}), indent=2) + "\n")


def test_every_attribute_of_the_configuration_is_a_key_and_every_key_is_an_attribute(shop):
    """Terraform refuses a table where the two differ."""
    for table in terraform(shop, {})["resource"]["aws_dynamodb_table"].values():
        indexes = table.get("global_secondary_index", []) + table.get("local_secondary_index", [])
        keys = {part[name] for part in (table, *indexes) for name in ("hash_key", "range_key") if name in part}
        assert {attribute["name"] for attribute in table["attribute"]} == keys


def test_a_local_index_has_no_partition_key_of_its_own(shop):
    visits = terraform(shop, {})["resource"]["aws_dynamodb_table"]["shop_visits"]
    assert visits["local_secondary_index"] == [{"name": "by-day", "range_key": "day", "projection_type": "ALL"}]


def test_references_lead_to_what_is_declared(shop):
    config = terraform(shop, {"shop": "acme-shop"})
    assert config["variable"]["shop_name"]["default"] == "acme-shop"
    assert config["resource"]["aws_dynamodb_table"]["shop"]["name"] == "${var.shop_name}"
    assert config["output"]["shop_arn"]["value"] == "${aws_dynamodb_table.shop.arn}"


@pytest.mark.parametrize(
    "value",
    [
        "yes",
        "no",
        "null",
        "1",
        "1.5",
        "",
        " a",
        "a: b",
        "it's",
        "#",
        "a\tb",
        "- x",
        {"a": []},
        {"a": {}},
        [["x"]],
        [1, True],
    ],
)
def test_whatever_yaml_could_mistake_is_quoted(value):
    assert yaml.safe_load(as_yaml({"key": value})) == {"key": value}
