"""Inputs of the operations that back tables up and restore them."""

from __future__ import annotations

from typing import TypedDict

from tablature.engine.server.input_types.primitives import Integer, Timestamp
from tablature.engine.server.input_types.tables import (
    GlobalSecondaryIndex,
    LocalSecondaryIndex,
    OnDemandThroughput,
    ProvisionedThroughput,
    SSESpecification,
)


class PointInTimeRecoverySpecification(TypedDict, total=False):
    """Whether a table can be restored to any time, and how far back."""

    PointInTimeRecoveryEnabled: bool
    RecoveryPeriodInDays: Integer


class UpdateContinuousBackupsInput(TypedDict, total=False):
    """The members of UpdateContinuousBackups."""

    TableName: str
    PointInTimeRecoverySpecification: PointInTimeRecoverySpecification


class DescribeContinuousBackupsInput(TypedDict, total=False):
    """The members of DescribeContinuousBackups."""

    TableName: str


class CreateBackupInput(TypedDict, total=False):
    """The members of CreateBackup."""

    TableName: str
    BackupName: str


class DescribeBackupInput(TypedDict, total=False):
    """The members of DescribeBackup."""

    BackupArn: str


class DeleteBackupInput(DescribeBackupInput, total=False):
    """The members of DeleteBackup."""


class ListBackupsInput(TypedDict, total=False):
    """The members of ListBackups."""

    TableName: str
    Limit: Integer
    TimeRangeLowerBound: Timestamp
    TimeRangeUpperBound: Timestamp
    ExclusiveStartBackupArn: str
    BackupType: str


class RestoreOverrides(TypedDict, total=False):
    """What a restored table may override from its source."""

    TargetTableName: str
    BillingModeOverride: str
    GlobalSecondaryIndexOverride: list[GlobalSecondaryIndex]
    LocalSecondaryIndexOverride: list[LocalSecondaryIndex]
    ProvisionedThroughputOverride: ProvisionedThroughput
    OnDemandThroughputOverride: OnDemandThroughput
    SSESpecificationOverride: SSESpecification


class RestoreTableFromBackupInput(RestoreOverrides, total=False):
    """The members of RestoreTableFromBackup."""

    BackupArn: str


class RestoreTableToPointInTimeInput(RestoreOverrides, total=False):
    """The members of RestoreTableToPointInTime."""

    SourceTableArn: str
    SourceTableName: str
    UseLatestRestorableTime: bool
    RestoreDateTime: Timestamp
