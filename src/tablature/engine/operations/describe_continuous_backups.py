"""DescribeContinuousBackups: whether a table can be restored to a point in time, and how far back."""

from tablature.engine.backups.history import describe_history
from tablature.engine.constraints import member, structure
from tablature.engine.context import Context, Request, Response
from tablature.engine.shapes import TABLE_NAME
from tablature.engine.tables.lookup import require_backed_up_table

_SHAPE = structure(member("TableName", TABLE_NAME, required=True))


def run(context: Context, request: Request) -> Response:
    """Describe a table's continuous backups."""
    _SHAPE.check(request)
    table = require_backed_up_table(context.storage, request["TableName"])
    return {"ContinuousBackupsDescription": describe_history(table.schema, context.clock())}
