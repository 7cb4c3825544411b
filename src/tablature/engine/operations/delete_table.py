"""DeleteTable: removes a table and everything in it; its stream stays readable until its records expire."""

from tablature.engine.backups.history import history_of
from tablature.engine.constraints import member, structure
from tablature.engine.context import Context, Request, Response
from tablature.engine.errors import validation
from tablature.engine.shapes import TABLE_NAME
from tablature.engine.storage import Transaction
from tablature.engine.storage.records import drop_records
from tablature.engine.streams.lifecycle import close_stream
from tablature.engine.tables.description import describe_deletion
from tablature.engine.tables.extents import table_extent
from tablature.engine.tables.lookup import require_name, require_table

SHAPE = structure(member("TableName", TABLE_NAME, required=True))


def run(context: Context, request: Request) -> Response:
    require_name(request)
    SHAPE.check(request)

    def delete(transaction: Transaction) -> Response:
        table = require_table(transaction, request["TableName"])
        if table.schema.deletion_protection:
            raise validation(
                "Resource cannot be deleted as it is currently protected against deletion. "
                "Disable deletion protection first."
            )
        description = describe_deletion(context.arns, table.schema, table_extent(transaction, table.schema))
        close_stream(transaction, table.schema)
        if (history := history_of(table.schema)) is not None:
            drop_records(transaction, history.stream)
        transaction.drop_table(table)
        return description

    return {"TableDescription": context.storage.write(delete)}
