"""On-demand backups that the service itself keeps, made beside an export and removed when they are too old."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from tablature.errors import ServiceError
from tablature.operations.effects import Sleep, Steps, call

NAME = "transfer"
_MAX_POLLS = 1200


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
