"""RestoreTableToPointInTime: creates a table with what another held at a moment its backups reach back to."""

from datetime import UTC, datetime

from tablature.engine.backups.history import history_of, undo_since
from tablature.engine.backups.restoring import OVERRIDES, create_restored, describe_restored, restored_definition
from tablature.engine.constraints import member, structure
from tablature.engine.context import Context, Request, Response
from tablature.engine.errors import ServiceError, validation
from tablature.engine.shapes import TABLE_NAME
from tablature.engine.storage import Table, Transaction
from tablature.engine.storage.copies import fill_from_table
from tablature.engine.tables.lookup import require_backed_up_table

_SHAPE = structure(*OVERRIDES, member("SourceTableArn", TABLE_NAME), member("SourceTableName", TABLE_NAME))


def run(context: Context, request: Request) -> Response:
    """Restore a table as it was."""
    _SHAPE.check(request)
    _check_moment_given(request)
    source_name = _source_name(request)

    def restore(transaction: Transaction) -> Response:
        source = require_backed_up_table(transaction, source_name)
        moment = _moment(source, request, transaction.now)
        summary = {"SourceTableArn": context.arns.table(source.name), "RestoreDateTime": round(moment, 3)}
        definition = restored_definition(source.schema, request)
        table = create_restored(transaction, definition, summary)
        fill_from_table(transaction, table, source)
        undo_since(transaction, source, table, moment)
        return describe_restored(context.arns, transaction, table.schema)

    return {"TableDescription": context.storage.write(restore)}


def _check_moment_given(request: Request) -> None:
    latest, moment = request.get("UseLatestRestorableTime"), request.get("RestoreDateTime")
    if latest and moment is not None:
        raise validation(
            "Invalid Request: Both RestoreDateTime and UseLatestRestorableTime cannot be set for point-in-time "
            "restore request. Please specify only one of them."
        )
    if not latest and moment is None:
        raise validation(
            "Invalid Request: Either one of RestoreDateTime or UseLatestRestorableTime must be specified, but not both"
        )


def _source_name(request: Request) -> str:
    given: list[str] = [request[name] for name in ("SourceTableArn", "SourceTableName") if request.get(name)]
    if len(given) != 1:
        raise validation("Invalid Request: Must provide exactly one of: sourceTableArn, sourceTableName")
    return given[0]


def _moment(source: Table, request: Request, now: float) -> float:
    history = history_of(source.schema)
    if history is None:
        raise ServiceError(
            "PointInTimeRecoveryUnavailableException",
            f"Point in time recovery is not enabled for table '{source.name}'",
        )
    moment: float = request.get("RestoreDateTime", now)
    earliest = history.earliest(now)
    if not earliest <= moment <= now:
        raise ServiceError(
            "InvalidRestoreTimeException",
            f"RestoreDateTime '{_shown(moment)}' must be within EarliestRestorableDateTime '{_shown(earliest)}' "
            f"and LatestRestorableDateTime '{_shown(now)}'",
        )
    return moment


def _shown(moment: float) -> str:
    try:
        return datetime.fromtimestamp(int(moment), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (OverflowError, ValueError):
        return str(moment)
