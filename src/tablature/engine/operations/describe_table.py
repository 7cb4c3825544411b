"""DescribeTable: what a table is and how much it holds."""

from tablature.engine.constraints import member, structure
from tablature.engine.context import Context, Request, Response
from tablature.engine.shapes import TABLE_NAME
from tablature.engine.tables.extents import describe
from tablature.engine.tables.lookup import require_name, require_table

SHAPE = structure(member("TableName", TABLE_NAME, required=True))


def run(context: Context, request: Request) -> Response:
    require_name(request)
    SHAPE.check(request)
    table = require_table(context.storage, request["TableName"])
    with context.storage.snapshot() as snapshot:
        return {"Table": describe(context.arns, snapshot, table.schema)}
