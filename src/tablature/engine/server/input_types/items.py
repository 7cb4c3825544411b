"""Inputs of the operations that read and write items, singly, in batches, in transactions and by PartiQL statements."""

from __future__ import annotations

from typing import TypedDict

from tablature.engine.server.input_types.primitives import AttributeMap, AttributeValue, Integer, NameMap


class ExpectedAttributeValue(TypedDict, total=False):
    """A legacy condition on one attribute of the item being written."""

    Value: AttributeValue
    Exists: bool
    ComparisonOperator: str
    AttributeValueList: list[AttributeValue]


class ConditionShape(TypedDict, total=False):
    """A legacy condition on one attribute of the items being read."""

    AttributeValueList: list[AttributeValue]
    ComparisonOperator: str


class AttributeValueUpdate(TypedDict, total=False):
    """A legacy update of one attribute."""

    Value: AttributeValue
    Action: str


class PutItemInput(TypedDict, total=False):
    """The members of PutItem."""

    TableName: str
    Item: AttributeMap
    Expected: dict[str, ExpectedAttributeValue]
    ReturnValues: str
    ReturnConsumedCapacity: str
    ReturnItemCollectionMetrics: str
    ConditionalOperator: str
    ConditionExpression: str
    ExpressionAttributeNames: NameMap
    ExpressionAttributeValues: AttributeMap
    ReturnValuesOnConditionCheckFailure: str


class GetItemInput(TypedDict, total=False):
    """The members of GetItem."""

    TableName: str
    Key: AttributeMap
    AttributesToGet: list[str]
    ConsistentRead: bool
    ReturnConsumedCapacity: str
    ProjectionExpression: str
    ExpressionAttributeNames: NameMap


class UpdateItemInput(TypedDict, total=False):
    """The members of UpdateItem."""

    TableName: str
    Key: AttributeMap
    AttributeUpdates: dict[str, AttributeValueUpdate]
    Expected: dict[str, ExpectedAttributeValue]
    ConditionalOperator: str
    ReturnValues: str
    ReturnConsumedCapacity: str
    ReturnItemCollectionMetrics: str
    UpdateExpression: str
    ConditionExpression: str
    ExpressionAttributeNames: NameMap
    ExpressionAttributeValues: AttributeMap
    ReturnValuesOnConditionCheckFailure: str


class DeleteItemInput(TypedDict, total=False):
    """The members of DeleteItem."""

    TableName: str
    Key: AttributeMap
    Expected: dict[str, ExpectedAttributeValue]
    ConditionalOperator: str
    ReturnValues: str
    ReturnConsumedCapacity: str
    ReturnItemCollectionMetrics: str
    ConditionExpression: str
    ExpressionAttributeNames: NameMap
    ExpressionAttributeValues: AttributeMap
    ReturnValuesOnConditionCheckFailure: str


class QueryInput(TypedDict, total=False):
    """The members of Query."""

    TableName: str
    IndexName: str
    Select: str
    AttributesToGet: list[str]
    Limit: Integer
    ConsistentRead: bool
    KeyConditions: dict[str, ConditionShape]
    QueryFilter: dict[str, ConditionShape]
    ConditionalOperator: str
    ScanIndexForward: bool
    ExclusiveStartKey: AttributeMap
    ReturnConsumedCapacity: str
    ProjectionExpression: str
    FilterExpression: str
    KeyConditionExpression: str
    ExpressionAttributeNames: NameMap
    ExpressionAttributeValues: AttributeMap


class ScanInput(TypedDict, total=False):
    """The members of Scan."""

    TableName: str
    IndexName: str
    AttributesToGet: list[str]
    Limit: Integer
    Select: str
    ScanFilter: dict[str, ConditionShape]
    ConditionalOperator: str
    ExclusiveStartKey: AttributeMap
    ReturnConsumedCapacity: str
    TotalSegments: Integer
    Segment: Integer
    ProjectionExpression: str
    FilterExpression: str
    ExpressionAttributeNames: NameMap
    ExpressionAttributeValues: AttributeMap
    ConsistentRead: bool


class KeysAndAttributes(TypedDict, total=False):
    """What BatchGetItem reads from one table."""

    Keys: list[AttributeMap]
    AttributesToGet: list[str]
    ConsistentRead: bool
    ProjectionExpression: str
    ExpressionAttributeNames: NameMap


class BatchGetItemInput(TypedDict, total=False):
    """The members of BatchGetItem."""

    RequestItems: dict[str, KeysAndAttributes]
    ReturnConsumedCapacity: str


class PutRequest(TypedDict, total=False):
    """A put inside a batch."""

    Item: AttributeMap


class DeleteRequest(TypedDict, total=False):
    """A delete inside a batch."""

    Key: AttributeMap


class WriteRequest(TypedDict, total=False):
    """One element of a batch of writes."""

    PutRequest: PutRequest
    DeleteRequest: DeleteRequest


class BatchWriteItemInput(TypedDict, total=False):
    """The members of BatchWriteItem."""

    RequestItems: dict[str, list[WriteRequest]]
    ReturnConsumedCapacity: str
    ReturnItemCollectionMetrics: str


class GetShape(TypedDict, total=False):
    """A read inside a transaction."""

    Key: AttributeMap
    TableName: str
    ProjectionExpression: str
    ExpressionAttributeNames: NameMap


class TransactGetItem(TypedDict, total=False):
    """One element of a transaction of reads."""

    Get: GetShape


class TransactGetItemsInput(TypedDict, total=False):
    """The members of TransactGetItems."""

    TransactItems: list[TransactGetItem]
    ReturnConsumedCapacity: str


class ConditionCheck(TypedDict, total=False):
    """A condition inside a transaction, on an item it does not write."""

    Key: AttributeMap
    TableName: str
    ConditionExpression: str
    ExpressionAttributeNames: NameMap
    ExpressionAttributeValues: AttributeMap
    ReturnValuesOnConditionCheckFailure: str


class PutShape(TypedDict, total=False):
    """A put inside a transaction."""

    Item: AttributeMap
    TableName: str
    ConditionExpression: str
    ExpressionAttributeNames: NameMap
    ExpressionAttributeValues: AttributeMap
    ReturnValuesOnConditionCheckFailure: str


class DeleteShape(ConditionCheck, total=False):
    """A delete inside a transaction."""


class UpdateShape(ConditionCheck, total=False):
    """An update inside a transaction."""

    UpdateExpression: str


class TransactWriteItem(TypedDict, total=False):
    """One element of a transaction of writes."""

    ConditionCheck: ConditionCheck
    Put: PutShape
    Delete: DeleteShape
    Update: UpdateShape


class TransactWriteItemsInput(TypedDict, total=False):
    """The members of TransactWriteItems."""

    TransactItems: list[TransactWriteItem]
    ReturnConsumedCapacity: str
    ReturnItemCollectionMetrics: str
    ClientRequestToken: str


class ExecuteStatementInput(TypedDict, total=False):
    """The members of ExecuteStatement."""

    Statement: str
    Parameters: list[AttributeValue]
    ConsistentRead: bool
    NextToken: str
    ReturnConsumedCapacity: str
    Limit: Integer
    ReturnValuesOnConditionCheckFailure: str


class BatchStatementRequest(TypedDict, total=False):
    """One statement of a batch."""

    Statement: str
    Parameters: list[AttributeValue]
    ConsistentRead: bool
    ReturnValuesOnConditionCheckFailure: str


class BatchExecuteStatementInput(TypedDict, total=False):
    """The members of BatchExecuteStatement."""

    Statements: list[BatchStatementRequest]
    ReturnConsumedCapacity: str


class ParameterizedStatement(TypedDict, total=False):
    """One statement of a transaction."""

    Statement: str
    Parameters: list[AttributeValue]
    ReturnValuesOnConditionCheckFailure: str


class ExecuteTransactionInput(TypedDict, total=False):
    """The members of ExecuteTransaction."""

    TransactStatements: list[ParameterizedStatement]
    ClientRequestToken: str
    ReturnConsumedCapacity: str
