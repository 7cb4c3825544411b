"""Finds the table whose tags a request is about, and replaces them."""

from dataclasses import replace

from tablature.engine.errors import invalid_parameter, resource_not_found
from tablature.engine.schema import TableSchema
from tablature.engine.storage import Transaction
from tablature.engine.tables.arns import parse_table_arn
from tablature.engine.tables.lookup import HasTables


def tagged_table(tables: HasTables, arn: str) -> TableSchema:
    """Return the table of an ARN; only tables have tags here."""
    if not arn.startswith("arn:"):
        raise invalid_parameter(f"ARNs must start with 'arn:': {arn}")
    name = parse_table_arn(arn)
    if name is None:
        if ":dynamodb:" not in arn:
            raise invalid_parameter(f"Provided Arn is not a DynamoDB resource arn: {arn}")
        raise invalid_parameter(
            f"Invalid resource arn provided, only table or stream is accepted. Provided resource arn: {arn}"
        )
    table = tables.table(name)
    if table is None:
        raise resource_not_found(f"Requested resource not found: ResourceArn: {arn} not found")
    return table.schema


def tags_of(table: TableSchema) -> dict[str, str]:
    return dict(table.settings.get("tags", {}))


def save_tags(transaction: Transaction, table: TableSchema, tags: dict[str, str]) -> None:
    transaction.save_table(replace(table, settings=table.settings | {"tags": tags}))
