"""GetShardIterator: a place in a shard to read records from."""

from tablature.engine.constraints import enum, member, structure, text
from tablature.engine.context import Context, Request, Response
from tablature.engine.errors import ServiceError, invalid_parameter, resource_not_found
from tablature.engine.storage import Snapshot
from tablature.engine.storage.records import first_sequence, last_sequence
from tablature.engine.streams.iterators import Iterator, write_iterator
from tablature.engine.streams.lifecycle import RETAINED_SECONDS, Stream
from tablature.engine.streams.lookup import require_stream
from tablature.engine.streams.records import parse_sequence_number

_SHAPE = structure(
    member("StreamArn", text(37, 1024), required=True),
    member("ShardId", text(28, 65), required=True),
    member(
        "ShardIteratorType",
        enum("TRIM_HORIZON", "LATEST", "AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER"),
        required=True,
    ),
    member("SequenceNumber", text(21, 40)),
)


def run(context: Context, request: Request) -> Response:
    """Find a place in a stream."""
    _SHAPE.check(request)
    now = context.clock()
    with context.storage.snapshot() as snapshot:
        stream = require_stream(snapshot, request["StreamArn"], now)
        if request["ShardId"] != stream.shard:
            raise resource_not_found(
                f"Requested resource not found: Shard: {request['ShardId']} in Stream: {request['StreamArn']} not found"
            )
        sequence = _sequence(snapshot, stream, request, now)
    return {"ShardIterator": write_iterator(context.arns, Iterator(stream.table, stream.label, sequence), now)}


def _sequence(snapshot: Snapshot, stream: Stream, request: Request, now: float) -> int:
    kind, number = request["ShardIteratorType"], request.get("SequenceNumber")
    if kind in ("TRIM_HORIZON", "LATEST"):
        if number is not None:
            raise invalid_parameter(f"SequenceNumber cannot be specified when ShardIteratorType is {kind}")
        return stream.first if kind == "TRIM_HORIZON" else last_sequence(snapshot) + 1
    if number is None:
        raise invalid_parameter(f"SequenceNumber must be specified when ShardIteratorType is {kind}")
    sequence = parse_sequence_number(number)
    _refuse_outside(snapshot, stream, sequence, number, now)
    return sequence if kind == "AT_SEQUENCE_NUMBER" else sequence + 1


def _refuse_outside(snapshot: Snapshot, stream: Stream, sequence: int, number: str, now: float) -> None:
    last = last_sequence(snapshot) if stream.last is None else stream.last
    if sequence < stream.first or sequence > max(last, stream.first):
        raise invalid_parameter(f"SequenceNumber {number} is not in the range of shard {stream.shard}")
    since = now - RETAINED_SECONDS
    if stream.created_at > since:
        return
    oldest = first_sequence(snapshot, stream.id, since)
    if oldest is None or sequence < oldest:
        raise ServiceError(
            "TrimmedDataAccessException",
            "The operation attempted to read past the oldest stream record in a shard",
        )
