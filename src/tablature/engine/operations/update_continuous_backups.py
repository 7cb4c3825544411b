"""UpdateContinuousBackups: switches point-in-time recovery on or off."""

from dataclasses import asdict, replace

from tablature.engine.backups.history import DEFAULT_DAYS, History, describe_history, history_of
from tablature.engine.constraints import anything, member, structure, whole
from tablature.engine.context import Context, Request, Response
from tablature.engine.errors import validation
from tablature.engine.schema import TableSchema
from tablature.engine.shapes import TABLE_NAME
from tablature.engine.storage import Transaction
from tablature.engine.storage.records import drop_records
from tablature.engine.tables.lookup import require_backed_up_table

_SHAPE = structure(
    member("TableName", TABLE_NAME, required=True),
    member(
        "PointInTimeRecoverySpecification",
        structure(
            member("PointInTimeRecoveryEnabled", anything(), required=True),
            member("RecoveryPeriodInDays", whole(1, DEFAULT_DAYS)),
            name="PointInTimeRecoverySpecification",
        ),
        required=True,
    ),
)


def run(context: Context, request: Request) -> Response:
    """Start or stop keeping a table's changes."""
    _SHAPE.check(request)
    wanted = request["PointInTimeRecoverySpecification"]
    if not wanted["PointInTimeRecoveryEnabled"] and wanted.get("RecoveryPeriodInDays") is not None:
        raise validation("Invalid Request: Cannot specify RecoveryPeriodInDays when disabling point-in-time recovery.")

    def update(transaction: Transaction) -> Response:
        table = require_backed_up_table(transaction, request["TableName"]).schema
        table = (
            _enable(transaction, table, wanted)
            if wanted["PointInTimeRecoveryEnabled"]
            else _disable(transaction, table)
        )
        transaction.save_table(table)
        return describe_history(table, transaction.now)

    return {"ContinuousBackupsDescription": context.storage.write(update)}


def _enable(transaction: Transaction, table: TableSchema, wanted: Request) -> TableSchema:
    kept = history_of(table)
    days = wanted.get("RecoveryPeriodInDays", kept.days if kept else DEFAULT_DAYS)
    history = replace(kept, days=days) if kept else History(transaction.now, days, transaction.next_id())
    return replace(table, settings=table.settings | {"history": asdict(history)})


def _disable(transaction: Transaction, table: TableSchema) -> TableSchema:
    kept = history_of(table)
    if kept is not None:
        drop_records(transaction, kept.stream)
    return replace(table, settings={name: value for name, value in table.settings.items() if name != "history"})
