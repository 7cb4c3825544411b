"""Inputs of the operations that create, change, describe and remove tables."""

from __future__ import annotations

from typing import TypedDict

from tablature.engine.server.input_types.primitives import Integer, Long


class AttributeDefinition(TypedDict, total=False):
    """The name and type of a key attribute."""

    AttributeName: str
    AttributeType: str


class KeySchemaElement(TypedDict, total=False):
    """One attribute of a key and its role in it."""

    AttributeName: str
    KeyType: str


class ProjectionShape(TypedDict, total=False):
    """What an index copies from its table."""

    ProjectionType: str
    NonKeyAttributes: list[str]


class ProvisionedThroughput(TypedDict, total=False):
    """Capacity bought ahead."""

    ReadCapacityUnits: Long
    WriteCapacityUnits: Long


class OnDemandThroughput(TypedDict, total=False):
    """Ceilings of on-demand capacity."""

    MaxReadRequestUnits: Long
    MaxWriteRequestUnits: Long


class WarmThroughput(TypedDict, total=False):
    """Capacity kept warm."""

    ReadUnitsPerSecond: Long
    WriteUnitsPerSecond: Long


class LocalSecondaryIndex(TypedDict, total=False):
    """An index that shares its table's partition key."""

    IndexName: str
    KeySchema: list[KeySchemaElement]
    Projection: ProjectionShape


class GlobalSecondaryIndex(TypedDict, total=False):
    """An index with a partition key of its own."""

    IndexName: str
    KeySchema: list[KeySchemaElement]
    Projection: ProjectionShape
    ProvisionedThroughput: ProvisionedThroughput
    OnDemandThroughput: OnDemandThroughput
    WarmThroughput: WarmThroughput


class StreamSpecification(TypedDict, total=False):
    """Whether changes are recorded, and which images."""

    StreamEnabled: bool
    StreamViewType: str


class SSESpecification(TypedDict, total=False):
    """Encryption at rest."""

    Enabled: bool
    SSEType: str
    KMSMasterKeyId: str


class Tag(TypedDict, total=False):
    """A label on a resource."""

    Key: str
    Value: str


class CreateTableInput(TypedDict, total=False):
    """The members of CreateTable."""

    AttributeDefinitions: list[AttributeDefinition]
    TableName: str
    KeySchema: list[KeySchemaElement]
    LocalSecondaryIndexes: list[LocalSecondaryIndex]
    GlobalSecondaryIndexes: list[GlobalSecondaryIndex]
    BillingMode: str
    ProvisionedThroughput: ProvisionedThroughput
    StreamSpecification: StreamSpecification
    SSESpecification: SSESpecification
    Tags: list[Tag]
    TableClass: str
    DeletionProtectionEnabled: bool
    WarmThroughput: WarmThroughput
    ResourcePolicy: str
    OnDemandThroughput: OnDemandThroughput


class UpdateGlobalSecondaryIndexAction(TypedDict, total=False):
    """A change of an index's capacity."""

    IndexName: str
    ProvisionedThroughput: ProvisionedThroughput
    OnDemandThroughput: OnDemandThroughput
    WarmThroughput: WarmThroughput


class CreateGlobalSecondaryIndexAction(GlobalSecondaryIndex, total=False):
    """An index to add."""


class DeleteGlobalSecondaryIndexAction(TypedDict, total=False):
    """An index to remove."""

    IndexName: str


class GlobalSecondaryIndexUpdate(TypedDict, total=False):
    """One change to a table's global indexes."""

    Update: UpdateGlobalSecondaryIndexAction
    Create: CreateGlobalSecondaryIndexAction
    Delete: DeleteGlobalSecondaryIndexAction


class ReplicationGroupMember(TypedDict, total=False):
    """The region a replica change names."""

    RegionName: str


class ReplicationGroupUpdate(TypedDict, total=False):
    """One change to a table's replicas."""

    Create: ReplicationGroupMember
    Update: ReplicationGroupMember
    Delete: ReplicationGroupMember


class UpdateTableInput(TypedDict, total=False):
    """The members of UpdateTable."""

    AttributeDefinitions: list[AttributeDefinition]
    TableName: str
    BillingMode: str
    ProvisionedThroughput: ProvisionedThroughput
    GlobalSecondaryIndexUpdates: list[GlobalSecondaryIndexUpdate]
    StreamSpecification: StreamSpecification
    SSESpecification: SSESpecification
    ReplicaUpdates: list[ReplicationGroupUpdate]
    TableClass: str
    DeletionProtectionEnabled: bool
    OnDemandThroughput: OnDemandThroughput
    WarmThroughput: WarmThroughput


class DeleteTableInput(TypedDict, total=False):
    """The members of DeleteTable."""

    TableName: str


class DescribeTableInput(DeleteTableInput, total=False):
    """The members of DescribeTable."""


class ListTablesInput(TypedDict, total=False):
    """The members of ListTables."""

    ExclusiveStartTableName: str
    Limit: Integer


class DescribeLimitsInput(TypedDict, total=False):
    """DescribeLimits has no members."""


class DescribeEndpointsRequest(TypedDict, total=False):
    """DescribeEndpoints has no members."""


class TimeToLiveSpecification(TypedDict, total=False):
    """Which attribute holds an item's time of expiry."""

    Enabled: bool
    AttributeName: str


class UpdateTimeToLiveInput(TypedDict, total=False):
    """The members of UpdateTimeToLive."""

    TableName: str
    TimeToLiveSpecification: TimeToLiveSpecification


class DescribeTimeToLiveInput(DeleteTableInput, total=False):
    """The members of DescribeTimeToLive."""


class TagResourceInput(TypedDict, total=False):
    """The members of TagResource."""

    ResourceArn: str
    Tags: list[Tag]


class UntagResourceInput(TypedDict, total=False):
    """The members of UntagResource."""

    ResourceArn: str
    TagKeys: list[str]


class ListTagsOfResourceInput(TypedDict, total=False):
    """The members of ListTagsOfResource."""

    ResourceArn: str
    NextToken: str
