"""Tables as Terraform configuration in JSON, for a file that ends in `.tf.json`."""

from typing import Any

from tablature.design.module import Design
from tablature.schema.model import Index, Table

from .names import Names, physical, snake


def terraform(design: Design, names: Names) -> dict[str, Any]:
    """The configuration; the physical name of each table is a variable."""
    tables = {snake(table.name): table for table in design.tables}
    return {
        "terraform": {"required_providers": {"aws": {"source": "hashicorp/aws", "version": ">= 5.0"}}},
        "variable": {
            f"{key}_name": {
                "type": "string",
                "default": physical(table, names),
                "description": f"Physical name of the table {table.name}",
            }
            for key, table in tables.items()
        },
        "resource": {"aws_dynamodb_table": {key: _resource(key, table) for key, table in tables.items()}},
        "output": {
            f"{key}_arn": {"value": f"${{aws_dynamodb_table.{key}.arn}}", "description": f"ARN of {table.name}"}
            for key, table in tables.items()
        },
    }


def _resource(key: str, table: Table) -> dict[str, Any]:
    resource: dict[str, Any] = {
        "name": f"${{var.{key}_name}}",
        "billing_mode": "PAY_PER_REQUEST",
        "hash_key": table.pk,
        "attribute": [{"name": name, "type": kind} for name, kind in table.attribute_types().items()],
    }
    if table.sk is not None:
        resource["range_key"] = table.sk
    for block, local in (("global_secondary_index", False), ("local_secondary_index", True)):
        found = [_index(index) for index in table.indexes if index.local is local]
        if found:
            resource[block] = found
    if table.ttl is not None:
        resource["ttl"] = {"attribute_name": table.ttl, "enabled": True}
    resource["point_in_time_recovery"] = {"enabled": True}
    resource["deletion_protection_enabled"] = True
    resource["lifecycle"] = {"prevent_destroy": True}
    return resource


def _index(index: Index) -> dict[str, Any]:
    block: dict[str, Any] = {"name": index.name}
    if not index.local:
        block["hash_key"] = index.pk
    if index.sk is not None:
        block["range_key"] = index.sk
    if isinstance(index.projection, tuple):
        return block | {"projection_type": "INCLUDE", "non_key_attributes": list(index.projection)}
    return block | {"projection_type": index.projection}
