"""DescribeBackup: what a backup was taken of."""

from tablature.engine.backups.catalogue import require_backup
from tablature.engine.backups.description import describe_backup
from tablature.engine.constraints import member, structure, text
from tablature.engine.context import Context, Request, Response

_SHAPE = structure(member("BackupArn", text(37, 1024), required=True))


def run(context: Context, request: Request) -> Response:
    """Describe a backup."""
    _SHAPE.check(request)
    with context.storage.snapshot() as snapshot:
        return {"BackupDescription": describe_backup(context.arns, require_backup(snapshot, request["BackupArn"]))}
