"""RestoreTableFromBackup: creates a table with the definition and items of a backup."""

from tablature.engine.backups.catalogue import require_backup
from tablature.engine.backups.restoring import OVERRIDES, create_restored, describe_restored, restored_definition
from tablature.engine.constraints import member, structure, text
from tablature.engine.context import Context, Request, Response
from tablature.engine.storage import Transaction
from tablature.engine.storage.copies import fill_from_copy

_SHAPE = structure(*OVERRIDES, member("BackupArn", text(37, 1024), required=True))


def run(context: Context, request: Request) -> Response:
    """Restore a backup into a new table."""
    _SHAPE.check(request)

    def restore(transaction: Transaction) -> Response:
        backup = require_backup(transaction, request["BackupArn"])
        definition = restored_definition(backup.table, request)
        summary = {
            "SourceBackupArn": request["BackupArn"],
            "SourceTableArn": context.arns.table(backup.table.name),
            "RestoreDateTime": backup.created_at,
        }
        table = create_restored(transaction, definition, summary)
        fill_from_copy(transaction, table, backup.copy)
        return describe_restored(context.arns, transaction, table.schema)

    return {"TableDescription": context.storage.write(restore)}
