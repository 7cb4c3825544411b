"""Tables as a CloudFormation template: billed per request, kept when the stack goes, with recovery to any second."""

from typing import Any

from tablature.design.module import Design
from tablature.operations.tables import creation_request
from tablature.schema.model import Table

from .names import Names, pascal, physical


def cloudformation(design: Design, names: Names) -> dict[str, Any]:
    """The template; the physical name of each table is a parameter."""
    tables = {pascal(table.name): table for table in design.tables}
    return {
        "AWSTemplateFormatVersion": "2010-09-09",
        "Description": f"Tables: {', '.join(table.name for table in design.tables)}",
        "Parameters": {f"{key}Name": _parameter(table, names) for key, table in tables.items()},
        "Resources": {f"{key}Table": _resource(key, table) for key, table in tables.items()},
        "Outputs": {
            f"{key}Arn": {"Description": f"ARN of {table.name}", "Value": {"Fn::GetAtt": [f"{key}Table", "Arn"]}}
            for key, table in tables.items()
        },
    }


def _parameter(table: Table, names: Names) -> dict[str, Any]:
    return {
        "Type": "String",
        "Default": physical(table, names),
        "AllowedPattern": "[A-Za-z0-9_.-]{3,255}",
        "Description": f"Physical name of the table {table.name}",
    }


def _resource(key: str, table: Table) -> dict[str, Any]:
    properties = {**creation_request(table, table.name), "TableName": {"Ref": f"{key}Name"}}
    if table.ttl is not None:
        properties["TimeToLiveSpecification"] = {"AttributeName": table.ttl, "Enabled": True}
    properties["PointInTimeRecoverySpecification"] = {"PointInTimeRecoveryEnabled": True}
    properties["DeletionProtectionEnabled"] = True
    return {
        "Type": "AWS::DynamoDB::Table",
        "DeletionPolicy": "Retain",
        "UpdateReplacePolicy": "Retain",
        "Properties": properties,
    }
