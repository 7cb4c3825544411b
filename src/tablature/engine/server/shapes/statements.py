"""Inputs of the operations that execute PartiQL statements."""

from __future__ import annotations

from typing import TypedDict

from tablature.engine.server.shapes.primitives import AttributeValue, Integer


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
