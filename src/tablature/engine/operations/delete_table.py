"""DeleteTable: removes a table and everything in it; its stream stays readable until its records expire."""

from collections.abc import Mapping
from typing import Any

from tablature.engine.constraints import member, structure
from tablature.engine.context import Context
from tablature.engine.errors import validation
from tablature.engine.shapes import TABLE_NAME
from tablature.engine.storage import Transaction
from tablature.engine.streams.lifecycle import close_stream
from tablature.engine.tables.description import describe_deletion
from tablature.engine.tables.extents import table_extent
from tablature.engine.tables.lookup import require_name, require_table

SHAPE = structure(member("TableName", TABLE_NAME, required=True))


def run(context: Context, request: Mapping[str, Any]) -> dict[str, Any]:
    require_name(request)
    SHAPE.check(request)

    def delete(transaction: Transaction) -> dict[str, Any]:
        table = require_table(transaction, request["TableName"])
        if table.schema.deletion_protection:
            raise validation(
                "Resource cannot be deleted as it is currently protected against deletion. "
                "Disable deletion protection first."
            )
        description = describe_deletion(table.schema, table_extent(transaction, table.schema))
        close_stream(transaction, table.schema)
        transaction.drop_table(table)
        return description

    return {"TableDescription": context.storage.write(delete)}
