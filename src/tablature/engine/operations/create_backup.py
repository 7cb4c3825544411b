"""CreateBackup: keeps a copy of a table as it is now."""

from tablature.engine.backups.catalogue import take_backup
from tablature.engine.backups.description import describe_details
from tablature.engine.constraints import member, structure, text
from tablature.engine.context import Context, Request, Response
from tablature.engine.shapes import NAME_PATTERN, TABLE_NAME
from tablature.engine.storage import Transaction
from tablature.engine.tables.lookup import require_backed_up_table

_SHAPE = structure(
    member("TableName", TABLE_NAME, required=True),
    member("BackupName", text(3, 255, NAME_PATTERN), required=True),
)


def run(context: Context, request: Request) -> Response:
    """Back a table up."""
    _SHAPE.check(request)

    def create(transaction: Transaction) -> Response:
        table = require_backed_up_table(transaction, request["TableName"])
        backup = take_backup(transaction, table, request["BackupName"])
        return describe_details(context.arns, backup, "CREATING")

    return {"BackupDetails": context.storage.write(create)}
