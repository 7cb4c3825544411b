"""Backups that the service itself keeps: on demand beside an export, pruned by age; and tables as of a moment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from tablature.errors import ServiceError
from tablature.operations.effects import Sleep, Steps, call
from tablature.transfer.descriptions import NAME, read_recovery

_MAX_POLLS = 1200
# A restore of a large table takes hours.
_MAX_RESTORE_POLLS = 20_000


def back_up_tables(tables: Iterable[str], label: str) -> Steps[dict[str, str]]:
    """Make a backup named `label` of each table and wait until all can be restored; their ARNs by table."""
    arns: dict[str, str] = {}
    for table in tables:
        response = yield from call(NAME, "CreateBackup", {"TableName": table, "BackupName": label})
        arns[table] = response["BackupDetails"]["BackupArn"]
    for arn in arns.values():
        yield from _wait_until_available(arn)
    return arns


def _wait_until_available(arn: str) -> Steps[None]:
    for _ in range(_MAX_POLLS):
        response = yield from call(NAME, "DescribeBackup", {"BackupArn": arn})
        status = response["BackupDescription"]["BackupDetails"]["BackupStatus"]
        if status == "AVAILABLE":
            return
        if status != "CREATING":
            raise ServiceError("BackupFailed", f"The backup {arn} is {status}; see the service's console.")
        yield Sleep(0.5)
    raise ServiceError("BackupFailed", f"The backup {arn} isn't ready after ten minutes; look for it in the console.")


def prune_backups(tables: Iterable[str], prefix: str, before: datetime) -> Steps[list[str]]:
    """Delete the backups of these tables whose name starts with a prefix and that are older; returns their ARNs."""
    removed: list[str] = []
    for table in tables:
        for backup in (yield from _list_backups(table)):
            if backup["BackupName"].startswith(prefix) and backup["BackupCreationDateTime"] < before.timestamp():
                yield from call(NAME, "DeleteBackup", {"BackupArn": backup["BackupArn"]})
                removed.append(backup["BackupArn"])
    return removed


def _list_backups(table: str) -> Steps[list[dict[str, Any]]]:
    request: dict[str, Any] = {"TableName": table, "BackupType": "USER"}
    backups: list[dict[str, Any]] = []
    while True:
        page = yield from call(NAME, "ListBackups", request)
        backups += page["BackupSummaries"]
        if not page.get("LastEvaluatedBackupArn"):
            return backups
        request["ExclusiveStartBackupArn"] = page["LastEvaluatedBackupArn"]


def restore_tables(names: Mapping[str, str], moment: datetime) -> Steps[list[str]]:
    """Let the service restore tables as of a moment into new ones, and wait until they can be used.

    `names` maps tables to the new ones. Returns the tables without point-in-time recovery, which are left out. The
    service restores neither expiry nor recovery; switch them on with `ensure_table`.
    """
    without: list[str] = []
    started: list[str] = []
    for table, target in names.items():
        if not (yield from read_recovery(table)):
            without.append(table)
            continue
        request = {"SourceTableName": table, "TargetTableName": target, "RestoreDateTime": moment.timestamp()}
        yield from call(NAME, "RestoreTableToPointInTime", request)
        started.append(target)
    for target in started:
        yield from _wait_until_restored(target)
    return without


def _wait_until_restored(table: str) -> Steps[None]:
    for _ in range(_MAX_RESTORE_POLLS):
        described = yield from call(NAME, "DescribeTable", {"TableName": table})
        if described["Table"].get("TableStatus", "ACTIVE") == "ACTIVE":
            return
        yield Sleep(2.0)
    raise ServiceError("RestoreFailed", f"The table {table} isn't restored yet; look for it in the service's console.")
