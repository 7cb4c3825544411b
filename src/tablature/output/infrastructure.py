"""Tables as a CloudFormation template and as Terraform configuration in JSON (`.tf.json`)."""

import re
from collections.abc import Mapping
from typing import Any

from tablature.design.model import Design
from tablature.operations.tables import creation_request
from tablature.schema.model import Index, Table

Names = Mapping[str, str]


def physical_name(table: Table, names: Names) -> str:
    """The name of the table at the service."""
    return names.get(table.name, table.name)


def pascal_case(name: str) -> str:
    """An identifier of letters and digits: `email_tracking` becomes `EmailTracking`."""
    return "".join(word[:1].upper() + word[1:] for word in re.findall(r"[A-Za-z0-9]+", name))


def snake_case(name: str) -> str:
    """An identifier with underscores that starts with a letter."""
    plain = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_").lower()
    return plain if plain[:1].isalpha() else f"table_{plain}"


_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_/.-]*")
_WORDS = frozenset({"y", "n", "yes", "no", "true", "false", "on", "off", "null", "none"})


def as_yaml(value: Any) -> str:
    return "\n".join(_lines(value, 0)) + "\n"


def _lines(value: Any, depth: int) -> list[str]:
    pad = "  " * depth
    if isinstance(value, dict):
        return [line for name, inner in value.items() for line in _member(f"{pad}{_scalar(name)}:", inner, depth)]
    if isinstance(value, list):
        return [line for inner in value for line in _element(inner, depth)]
    return [f"{pad}{_scalar(value)}"]


def _member(head: str, value: Any, depth: int) -> list[str]:
    if isinstance(value, dict | list) and value:
        return [head, *_lines(value, depth + 1)]
    return [f"{head} {_scalar(value)}"]


def _element(value: Any, depth: int) -> list[str]:
    """A list element, with its content after the dash."""
    first, *rest = _lines(value, depth + 1)
    return [f"{'  ' * depth}- {first.lstrip()}", *rest]


def _scalar(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict | list):
        return "{}" if isinstance(value, dict) else "[]"
    if isinstance(value, int | float):
        return str(value)
    text = str(value)
    if _PLAIN.fullmatch(text) and text.lower() not in _WORDS:
        return text
    return "'" + text.replace("'", "''") + "'"


def cloudformation(design: Design, names: Names) -> dict[str, Any]:
    """The template; the physical name of each table is a parameter."""
    tables = {pascal_case(table.name): table for table in design.tables}
    return {
        "AWSTemplateFormatVersion": "2010-09-09",
        "Description": f"Tables: {', '.join(table.name for table in design.tables)}",
        "Parameters": {f"{key}Name": _parameter(table, names) for key, table in tables.items()},
        "Resources": {f"{key}Table": _cloudformation_resource(key, table) for key, table in tables.items()},
        "Outputs": {
            f"{key}Arn": {"Description": f"ARN of {table.name}", "Value": {"Fn::GetAtt": [f"{key}Table", "Arn"]}}
            for key, table in tables.items()
        },
    }


def _parameter(table: Table, names: Names) -> dict[str, Any]:
    return {
        "Type": "String",
        "Default": physical_name(table, names),
        "AllowedPattern": "[A-Za-z0-9_.-]{3,255}",
        "Description": f"Physical name of the table {table.name}",
    }


def _cloudformation_resource(key: str, table: Table) -> dict[str, Any]:
    properties = {**creation_request(table, table.name), "TableName": {"Ref": f"{key}Name"}}
    if table.stream is not None:
        properties["StreamSpecification"] = {"StreamViewType": table.stream}
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


def terraform(design: Design, names: Names) -> dict[str, Any]:
    """The configuration; the physical name of each table is a variable."""
    tables = {snake_case(table.name): table for table in design.tables}
    return {
        "terraform": {"required_providers": {"aws": {"source": "hashicorp/aws", "version": ">= 5.0"}}},
        "variable": {
            f"{key}_name": {
                "type": "string",
                "default": physical_name(table, names),
                "description": f"Physical name of the table {table.name}",
            }
            for key, table in tables.items()
        },
        "resource": {"aws_dynamodb_table": {key: _terraform_resource(key, table) for key, table in tables.items()}},
        "output": {
            f"{key}_arn": {"value": f"${{aws_dynamodb_table.{key}.arn}}", "description": f"ARN of {table.name}"}
            for key, table in tables.items()
        },
    }


def _terraform_resource(key: str, table: Table) -> dict[str, Any]:
    resource: dict[str, Any] = {
        "name": f"${{var.{key}_name}}",
        "billing_mode": "PAY_PER_REQUEST",
        "hash_key": table.pk,
        "attribute": [{"name": name, "type": kind} for name, kind in table.attribute_types().items()],
    }
    if table.sk is not None:
        resource["range_key"] = table.sk
    for block, local in (("global_secondary_index", False), ("local_secondary_index", True)):
        indexes = [_terraform_index(index) for index in table.indexes if index.local is local]
        if indexes:
            resource[block] = indexes
    if table.stream is not None:
        resource |= {"stream_enabled": True, "stream_view_type": table.stream}
    if table.ttl is not None:
        resource["ttl"] = {"attribute_name": table.ttl, "enabled": True}
    resource["point_in_time_recovery"] = {"enabled": True}
    resource["deletion_protection_enabled"] = True
    resource["lifecycle"] = {"prevent_destroy": True}
    return resource


def _terraform_index(index: Index) -> dict[str, Any]:
    block: dict[str, Any] = {"name": index.name}
    if not index.local:
        block["hash_key"] = index.pk
    if index.sk is not None:
        block["range_key"] = index.sk
    if isinstance(index.projection, tuple):
        return block | {"projection_type": "INCLUDE", "non_key_attributes": list(index.projection)}
    return block | {"projection_type": index.projection}
