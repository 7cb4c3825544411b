"""DeleteBackup: discards a backup."""

from tablature.engine.backups.catalogue import discard_backup, require_backup
from tablature.engine.backups.description import describe_backup
from tablature.engine.constraints import member, structure, text
from tablature.engine.context import Context, Request, Response
from tablature.engine.storage import Transaction

_SHAPE = structure(member("BackupArn", text(37, 1024), required=True))


def run(context: Context, request: Request) -> Response:
    """Discard a backup."""
    _SHAPE.check(request)

    def delete(transaction: Transaction) -> Response:
        backup = require_backup(transaction, request["BackupArn"])
        discard_backup(transaction, backup)
        return describe_backup(context.arns, backup, "DELETED")

    return {"BackupDescription": context.storage.write(delete)}
