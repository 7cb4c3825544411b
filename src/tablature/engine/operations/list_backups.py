"""ListBackups: backups of all tables or of one, a page at a time."""

from tablature.engine.backups.catalogue import Backup, all_backups
from tablature.engine.backups.description import summarise_backup
from tablature.engine.constraints import enum, member, structure, text, whole
from tablature.engine.context import Context, Request, Response
from tablature.engine.errors import invalid_parameter
from tablature.engine.shapes import TABLE_NAME
from tablature.engine.tables.arns import table_of

MOST_BACKUPS = 100
_SHAPE = structure(
    member("TableName", TABLE_NAME),
    member("Limit", whole(1, MOST_BACKUPS)),
    member("ExclusiveStartBackupArn", text(37, 1024)),
    member("BackupType", enum("USER", "SYSTEM", "AWS_BACKUP", "ALL")),
)


def run(context: Context, request: Request) -> Response:
    """List backups, oldest first."""
    _SHAPE.check(request)
    low, high = request.get("TimeRangeLowerBound"), request.get("TimeRangeUpperBound")
    if low is not None and high is not None and low > high:
        raise invalid_parameter("Time range lower bound must be less than or equal to upper bound")
    with context.storage.snapshot() as snapshot:
        backups = sorted(all_backups(snapshot), key=lambda backup: (backup.created_at, backup.label))
    summaries = [summarise_backup(context.arns, backup) for backup in backups if _is_asked_for(backup, request)]
    return _page(summaries, request)


def _is_asked_for(backup: Backup, request: Request) -> bool:
    name = request.get("TableName")
    return (
        (name is None or backup.table.name == table_of(name))
        and backup.created_at >= request.get("TimeRangeLowerBound", 0)
        and backup.created_at < request.get("TimeRangeUpperBound", float("inf"))
        and request.get("BackupType", "USER") in ("USER", "ALL")
    )


def _page(summaries: list[Response], request: Request) -> Response:
    after = request.get("ExclusiveStartBackupArn")
    arns = [summary["BackupArn"] for summary in summaries]
    start = arns.index(after) + 1 if after in arns else 0
    limit = request.get("Limit", MOST_BACKUPS)
    page: Response = {"BackupSummaries": summaries[start : start + limit]}
    if start + limit < len(summaries):
        page["LastEvaluatedBackupArn"] = arns[start + limit - 1]
    return page
