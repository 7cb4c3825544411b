"""ListStreams, DescribeStream, GetShardIterator and GetRecords. Every stream has exactly one shard."""

from tablature.engine.context import EngineContext, Request, Response
from tablature.engine.errors import EngineError, invalid_parameter, resource_not_found
from tablature.engine.storage import Snapshot
from tablature.engine.storage.records import first_sequence, last_sequence, records_from
from tablature.engine.streams.lifecycle import (
    RETAINED_SECONDS,
    TableStream,
    all_streams,
    find_stream,
    has_expired,
    require_stream,
)
from tablature.engine.streams.records import (
    ShardIterator,
    describe_record,
    parse_sequence_number,
    read_iterator,
    sequence_number,
    write_iterator,
)
from tablature.engine.tables.description import describe_key_attributes
from tablature.engine.tables.lookup import table_name_of
from tablature.engine.validation.constraints import enum, integer, member, string, structure
from tablature.engine.validation.shapes import TABLE_NAME

MAX_STREAMS = 100
_LIST_STREAMS_SHAPE = structure(
    member("TableName", TABLE_NAME),
    member("Limit", integer(1, MAX_STREAMS)),
    member("ExclusiveStartStreamArn", string(37, 1024)),
)


def list_streams(context: EngineContext, request: Request) -> Response:
    """List streams, open and closed."""
    _LIST_STREAMS_SHAPE.check(request)
    wanted, after = request.get("TableName"), request.get("ExclusiveStartStreamArn", "")
    with context.storage.snapshot() as snapshot:
        streams = [
            {
                "StreamArn": context.arns.stream(stream.table, stream.label),
                "TableName": stream.table,
                "StreamLabel": stream.label,
            }
            for stream in all_streams(snapshot)
            if (wanted is None or stream.table == table_name_of(wanted)) and not has_expired(stream, context.clock())
        ]
    left = [stream for stream in streams if stream["StreamArn"] > after]
    limit = request.get("Limit", MAX_STREAMS)
    response: Response = {"Streams": left[:limit]}
    if len(left) > limit:
        response["LastEvaluatedStreamArn"] = left[limit - 1]["StreamArn"]
    return response


_SHARD_ID = string(28, 65)
_DESCRIBE_STREAM_SHAPE = structure(
    member("StreamArn", string(37, 1024), required=True),
    member("Limit", integer(1, 100)),
    member("ExclusiveStartShardId", _SHARD_ID),
    member("ShardFilter", structure(member("Type", enum("CHILD_SHARDS")), member("ShardId", _SHARD_ID))),
)


def describe_stream(context: EngineContext, request: Request) -> Response:
    """Describe a stream."""
    _DESCRIBE_STREAM_SHAPE.check(request)
    with context.storage.snapshot() as snapshot:
        stream = require_stream(snapshot, request["StreamArn"], context.clock())
    after = request.get("ExclusiveStartShardId", "")
    # The only shard has no children, so a filter for children finds none.
    shards = [] if stream.shard <= after or request.get("ShardFilter") else [_describe_shard(stream)]
    description = {
        "StreamArn": request["StreamArn"],
        "StreamLabel": stream.label,
        "StreamStatus": "ENABLED" if stream.closed_at is None else "DISABLED",
        "StreamViewType": stream.view,
        "CreationRequestDateTime": stream.created_at,
        "TableName": stream.table,
        "KeySchema": describe_key_attributes(stream.keys[:1], stream.keys[1:]),
        "Shards": shards,
    }
    return {"StreamDescription": description}


def _describe_shard(stream: TableStream) -> Response:
    span = {"StartingSequenceNumber": sequence_number(stream.first)}
    if stream.last is not None:
        span["EndingSequenceNumber"] = sequence_number(max(stream.first, stream.last))
    return {"ShardId": stream.shard, "SequenceNumberRange": span}


_GET_SHARD_ITERATOR_SHAPE = structure(
    member("StreamArn", string(37, 1024), required=True),
    member("ShardId", string(28, 65), required=True),
    member(
        "ShardIteratorType",
        enum("TRIM_HORIZON", "LATEST", "AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER"),
        required=True,
    ),
    member("SequenceNumber", string(21, 40)),
)


def get_shard_iterator(context: EngineContext, request: Request) -> Response:
    """Create an iterator for a position in a stream."""
    _GET_SHARD_ITERATOR_SHAPE.check(request)
    now = context.clock()
    with context.storage.snapshot() as snapshot:
        stream = require_stream(snapshot, request["StreamArn"], now)
        if request["ShardId"] != stream.shard:
            raise resource_not_found(
                f"Requested resource not found: Shard: {request['ShardId']} in Stream: {request['StreamArn']} not found"
            )
        sequence = _start_sequence(snapshot, stream, request, now)
    return {"ShardIterator": write_iterator(context.arns, ShardIterator(stream.table, stream.label, sequence), now)}


def _start_sequence(snapshot: Snapshot, stream: TableStream, request: Request, now: float) -> int:
    kind, number = request["ShardIteratorType"], request.get("SequenceNumber")
    if kind in ("TRIM_HORIZON", "LATEST"):
        if number is not None:
            raise invalid_parameter(f"SequenceNumber cannot be specified when ShardIteratorType is {kind}")
        return stream.first if kind == "TRIM_HORIZON" else last_sequence(snapshot) + 1
    if number is None:
        raise invalid_parameter(f"SequenceNumber must be specified when ShardIteratorType is {kind}")
    sequence = parse_sequence_number(number)
    _reject_outside_range(snapshot, stream, sequence, number, now)
    return sequence if kind == "AT_SEQUENCE_NUMBER" else sequence + 1


def _reject_outside_range(snapshot: Snapshot, stream: TableStream, sequence: int, number: str, now: float) -> None:
    last = last_sequence(snapshot) if stream.last is None else stream.last
    if sequence < stream.first or sequence > max(last, stream.first):
        raise invalid_parameter(f"SequenceNumber {number} is not in the range of shard {stream.shard}")
    since = now - RETAINED_SECONDS
    if stream.created_at > since:
        return
    oldest = first_sequence(snapshot, stream.id, since)
    if oldest is None or sequence < oldest:
        raise EngineError(
            "TrimmedDataAccessException",
            "The operation attempted to read past the oldest stream record in a shard",
        )


MAX_RECORDS = 1000
MAX_RECORD_BYTES = 1024 * 1024
_GET_RECORDS_SHAPE = structure(
    member("ShardIterator", string(1, 2048), required=True),
    member("Limit", integer(1, MAX_RECORDS)),
)


def get_records(context: EngineContext, request: Request) -> Response:
    """Read records."""
    _GET_RECORDS_SHAPE.check(request)
    now = context.clock()
    iterator = read_iterator(request["ShardIterator"], now)
    with context.storage.snapshot() as snapshot:
        stream = find_stream(snapshot, iterator.table, iterator.label)
        if stream is None:
            arn = context.arns.stream(iterator.table, iterator.label)
            raise resource_not_found(f"Requested resource not found: Stream: {arn} not found")
        records, following = _read_records(
            context, snapshot, stream, iterator.sequence, request.get("Limit", MAX_RECORDS)
        )
    response: Response = {"Records": records}
    if stream.last is None or following <= stream.last:
        place = ShardIterator(stream.table, stream.label, following)
        response["NextShardIterator"] = write_iterator(context.arns, place, now)
    return response


def _read_records(
    context: EngineContext, snapshot: Snapshot, stream: TableStream, sequence: int, limit: int
) -> tuple[list[Response], int]:
    """A page of records, with the sequence number to continue from."""
    since = context.clock() - RETAINED_SECONDS
    # Numbers are shared by all streams: if the page isn't full, everything up to the last one has been read.
    following = max(sequence, last_sequence(snapshot) + 1)
    page: list[Response] = []
    size = 0
    for record in records_from(snapshot, stream.id, sequence, since):
        described = describe_record(record, stream.view, context.region)
        size += described["dynamodb"]["SizeBytes"]
        if len(page) == limit or (page and size > MAX_RECORD_BYTES):
            return page, record.sequence
        page.append(described)
    return page, following
