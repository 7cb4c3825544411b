"""On-demand backups, continuous backups, and both ways to restore a table."""

from dataclasses import asdict, replace
from datetime import UTC, datetime

from tablature.engine.backups.catalog import (
    Backup,
    all_backups,
    backup_description,
    backup_details,
    backup_summary,
    discard_backup,
    require_backup,
    take_backup,
)
from tablature.engine.backups.continuous import (
    DEFAULT_DAYS,
    ContinuousBackups,
    continuous_backups_description,
    continuous_backups_of,
    undo_since,
)
from tablature.engine.backups.restore import OVERRIDES, create_restored, describe_restored, restored_definition
from tablature.engine.context import EngineContext, Request, Response
from tablature.engine.errors import EngineError, invalid_parameter, validation_error
from tablature.engine.schema import TableSchema
from tablature.engine.storage import StoredTable, Transaction
from tablature.engine.storage.records import drop_records, fill_from_copy, fill_from_table
from tablature.engine.tables.lookup import require_backed_up_table, table_name_of
from tablature.engine.validation.constraints import anything, enum, integer, member, string, structure
from tablature.engine.validation.shapes import NAME_PATTERN, TABLE_NAME

_CREATE_BACKUP_SHAPE = structure(
    member("TableName", TABLE_NAME, required=True),
    member("BackupName", string(3, 255, NAME_PATTERN), required=True),
)


def create_backup(context: EngineContext, request: Request) -> Response:
    """Back up a table."""
    _CREATE_BACKUP_SHAPE.check(request)

    def create(transaction: Transaction) -> Response:
        table = require_backed_up_table(transaction, request["TableName"])
        backup = take_backup(transaction, table, request["BackupName"])
        return backup_details(context.arns, backup, "CREATING")

    return {"BackupDetails": context.storage.write(create)}


_DELETE_BACKUP_SHAPE = structure(member("BackupArn", string(37, 1024), required=True))


def delete_backup(context: EngineContext, request: Request) -> Response:
    """Delete a backup."""
    _DELETE_BACKUP_SHAPE.check(request)

    def delete(transaction: Transaction) -> Response:
        backup = require_backup(transaction, request["BackupArn"])
        discard_backup(transaction, backup)
        return backup_description(context.arns, backup, "DELETED")

    return {"BackupDescription": context.storage.write(delete)}


_DESCRIBE_BACKUP_SHAPE = structure(member("BackupArn", string(37, 1024), required=True))


def describe_backup(context: EngineContext, request: Request) -> Response:
    """Describe a backup."""
    _DESCRIBE_BACKUP_SHAPE.check(request)
    with context.storage.snapshot() as snapshot:
        return {"BackupDescription": backup_description(context.arns, require_backup(snapshot, request["BackupArn"]))}


MAX_BACKUPS = 100
_MILLISECOND = 0.001
_LIST_BACKUPS_SHAPE = structure(
    member("TableName", TABLE_NAME),
    member("Limit", integer(1, MAX_BACKUPS)),
    member("ExclusiveStartBackupArn", string(37, 1024)),
    member("BackupType", enum("USER", "SYSTEM", "AWS_BACKUP", "ALL")),
)


def list_backups(context: EngineContext, request: Request) -> Response:
    """List backups, oldest first."""
    _LIST_BACKUPS_SHAPE.check(request)
    low, high = request.get("TimeRangeLowerBound"), request.get("TimeRangeUpperBound")
    if low is not None and high is not None and low > high:
        raise invalid_parameter("Time range lower bound must be less than or equal to upper bound")
    with context.storage.snapshot() as snapshot:
        backups = sorted(all_backups(snapshot), key=lambda backup: (backup.created_at, backup.label))
    summaries = [backup_summary(context.arns, backup) for backup in backups if _matches_filter(backup, request)]
    return _backup_page(summaries, request)


def _matches_filter(backup: Backup, request: Request) -> bool:
    name = request.get("TableName")
    return (
        (name is None or backup.table.name == table_name_of(name))
        and backup.created_at >= request.get("TimeRangeLowerBound", 0)
        and backup.created_at < request.get("TimeRangeUpperBound", float("inf"))
        and request.get("BackupType", "USER") in ("USER", "ALL")
    )


def _backup_page(summaries: list[Response], request: Request) -> Response:
    after = request.get("ExclusiveStartBackupArn")
    arns = [summary["BackupArn"] for summary in summaries]
    start = arns.index(after) + 1 if after in arns else 0
    limit = request.get("Limit", MAX_BACKUPS)
    page: Response = {"BackupSummaries": summaries[start : start + limit]}
    if start + limit < len(summaries):
        page["LastEvaluatedBackupArn"] = arns[start + limit - 1]
    return page


_DESCRIBE_CONTINUOUS_BACKUPS_SHAPE = structure(member("TableName", TABLE_NAME, required=True))


def describe_continuous_backups(context: EngineContext, request: Request) -> Response:
    """Describe a table's continuous backups."""
    _DESCRIBE_CONTINUOUS_BACKUPS_SHAPE.check(request)
    table = require_backed_up_table(context.storage, request["TableName"])
    return {"ContinuousBackupsDescription": continuous_backups_description(table.schema, context.clock())}


_UPDATE_CONTINUOUS_BACKUPS_SHAPE = structure(
    member("TableName", TABLE_NAME, required=True),
    member(
        "PointInTimeRecoverySpecification",
        structure(
            member("PointInTimeRecoveryEnabled", anything(), required=True),
            member("RecoveryPeriodInDays", integer(1, DEFAULT_DAYS)),
            name="PointInTimeRecoverySpecification",
        ),
        required=True,
    ),
)


def update_continuous_backups(context: EngineContext, request: Request) -> Response:
    """Enable or disable point-in-time recovery."""
    _UPDATE_CONTINUOUS_BACKUPS_SHAPE.check(request)
    wanted = request["PointInTimeRecoverySpecification"]
    if not wanted["PointInTimeRecoveryEnabled"] and wanted.get("RecoveryPeriodInDays") is not None:
        raise validation_error(
            "Invalid Request: Cannot specify RecoveryPeriodInDays when disabling point-in-time recovery."
        )

    def update(transaction: Transaction) -> Response:
        table = require_backed_up_table(transaction, request["TableName"]).schema
        table = (
            _enable_recovery(transaction, table, wanted)
            if wanted["PointInTimeRecoveryEnabled"]
            else _disable_recovery(transaction, table)
        )
        transaction.save_table(table)
        return continuous_backups_description(table, transaction.now)

    return {"ContinuousBackupsDescription": context.storage.write(update)}


def _enable_recovery(transaction: Transaction, table: TableSchema, wanted: Request) -> TableSchema:
    kept = continuous_backups_of(table)
    days = wanted.get("RecoveryPeriodInDays", kept.days if kept else DEFAULT_DAYS)
    history = replace(kept, days=days) if kept else ContinuousBackups(transaction.now, days, transaction.next_id())
    return replace(table, settings=table.settings | {"history": asdict(history)})


def _disable_recovery(transaction: Transaction, table: TableSchema) -> TableSchema:
    kept = continuous_backups_of(table)
    if kept is not None:
        drop_records(transaction, kept.stream)
    return replace(table, settings={name: value for name, value in table.settings.items() if name != "history"})


_RESTORE_TABLE_FROM_BACKUP_SHAPE = structure(*OVERRIDES, member("BackupArn", string(37, 1024), required=True))


def restore_table_from_backup(context: EngineContext, request: Request) -> Response:
    """Restore a backup into a new table."""
    _RESTORE_TABLE_FROM_BACKUP_SHAPE.check(request)

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


_RESTORE_TABLE_TO_POINT_IN_TIME_SHAPE = structure(
    *OVERRIDES, member("SourceTableArn", TABLE_NAME), member("SourceTableName", TABLE_NAME)
)


def restore_table_to_point_in_time(context: EngineContext, request: Request) -> Response:
    """Restore a table as of an earlier time into a new one."""
    _RESTORE_TABLE_TO_POINT_IN_TIME_SHAPE.check(request)
    _check_restore_time_given(request)
    source_name = _source_name(request)

    def restore(transaction: Transaction) -> Response:
        source = require_backed_up_table(transaction, source_name)
        moment = _restore_time(source, request, transaction.now)
        summary = {"SourceTableArn": context.arns.table(source.name), "RestoreDateTime": round(moment, 3)}
        definition = restored_definition(source.schema, request)
        table = create_restored(transaction, definition, summary)
        fill_from_table(transaction, table, source)
        undo_since(transaction, source, table, moment)
        return describe_restored(context.arns, transaction, table.schema)

    return {"TableDescription": context.storage.write(restore)}


def _check_restore_time_given(request: Request) -> None:
    latest, moment = request.get("UseLatestRestorableTime"), request.get("RestoreDateTime")
    if latest and moment is not None:
        raise validation_error(
            "Invalid Request: Both RestoreDateTime and UseLatestRestorableTime cannot be set for point-in-time "
            "restore request. Please specify only one of them."
        )
    if not latest and moment is None:
        raise validation_error(
            "Invalid Request: Either one of RestoreDateTime or UseLatestRestorableTime must be specified, but not both"
        )


def _source_name(request: Request) -> str:
    given: list[str] = [request[name] for name in ("SourceTableArn", "SourceTableName") if request.get(name)]
    if len(given) != 1:
        raise validation_error("Invalid Request: Must provide exactly one of: sourceTableArn, sourceTableName")
    return given[0]


def _restore_time(source: StoredTable, request: Request, now: float) -> float:
    history = continuous_backups_of(source.schema)
    if history is None:
        raise EngineError(
            "PointInTimeRecoveryUnavailableException",
            f"Point in time recovery is not enabled for table '{source.name}'",
        )
    moment: float = request.get("RestoreDateTime", now)
    earliest = history.earliest(now)
    # Both ends are described in whole milliseconds, and what is described can be restored.
    if not earliest - _MILLISECOND <= moment <= now + _MILLISECOND:
        raise EngineError(
            "InvalidRestoreTimeException",
            f"RestoreDateTime '{_time_text(moment)}' must be within "
            f"EarliestRestorableDateTime '{_time_text(earliest)}' "
            f"and LatestRestorableDateTime '{_time_text(now)}'",
        )
    return min(max(moment, earliest), now)


def _time_text(moment: float) -> str:
    try:
        return datetime.fromtimestamp(int(moment), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (OverflowError, ValueError):
        return str(moment)
