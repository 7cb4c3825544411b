"""The written CloudFormation, carried out by a stand-in for Amazon, makes the tables that a start would make itself."""

import subprocess
import sys

import boto3
import pytest
from moto import mock_aws

from almanac.tables import MODULES, TABLES
from tablature.operations.tables import creation_request

KEYS = {"region_name": "us-east-1", "aws_access_key_id": "any", "aws_secret_access_key": "any"}


@pytest.fixture(scope="module")
def described():
    """Every table that the template of all desks makes, by name."""
    modules = [module.__name__ for module in MODULES]
    template = subprocess.check_output([sys.executable, "-m", "tablature", "cfn", *modules], text=True, timeout=120)
    with mock_aws():
        stacks, tables = (boto3.client(name, **KEYS) for name in ("cloudformation", "dynamodb"))
        stacks.create_stack(StackName="almanac", TemplateBody=template)
        assert [stack["StackStatus"] for stack in stacks.describe_stacks()["Stacks"]] == ["CREATE_COMPLETE"]
        names = tables.list_tables()["TableNames"]
        return {name: tables.describe_table(TableName=name)["Table"] for name in names}


def shape(table):
    """What a table is for whoever reads and writes: keys, their types, indexes and what these hold."""
    indexes = (*table.get("GlobalSecondaryIndexes", ()), *table.get("LocalSecondaryIndexes", ()))
    return (
        [(key["AttributeName"], key["KeyType"]) for key in table["KeySchema"]],
        {each["AttributeName"]: each["AttributeType"] for each in table["AttributeDefinitions"]},
        {index["IndexName"]: (index["KeySchema"], index["Projection"]) for index in indexes},
    )


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_a_template_makes_the_table_that_a_start_would_make(table, described):
    assert shape(described[table.name]) == shape(creation_request(table, table.name))


def test_the_templates_make_no_other_table(described):
    assert set(described) == {table.name for table in TABLES}
