"""Inputs of the operations that read streams."""

from __future__ import annotations

from typing import TypedDict

from tablature.engine.server.input_types.primitives import Integer


class ShardFilter(TypedDict, total=False):
    """Which shards of a stream to describe."""

    Type: str
    ShardId: str


class DescribeStreamInput(TypedDict, total=False):
    """The members of DescribeStream."""

    StreamArn: str
    Limit: Integer
    ExclusiveStartShardId: str
    ShardFilter: ShardFilter


class GetRecordsInput(TypedDict, total=False):
    """The members of GetRecords."""

    ShardIterator: str
    Limit: Integer


class GetShardIteratorInput(TypedDict, total=False):
    """The members of GetShardIterator."""

    StreamArn: str
    ShardId: str
    ShardIteratorType: str
    SequenceNumber: str


class ListStreamsInput(TypedDict, total=False):
    """The members of ListStreams."""

    TableName: str
    Limit: Integer
    ExclusiveStartStreamArn: str
