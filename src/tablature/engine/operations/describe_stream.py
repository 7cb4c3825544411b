"""DescribeStream: a stream's settings and its shards, of which each stream here has one."""

from tablature.engine.constraints import enum, member, structure, text, whole
from tablature.engine.context import Context, Request, Response
from tablature.engine.streams.lifecycle import Stream
from tablature.engine.streams.lookup import require_stream
from tablature.engine.streams.records import sequence_number
from tablature.engine.tables.description import describe_key_attributes

_SHARD_ID = text(28, 65)
_SHAPE = structure(
    member("StreamArn", text(37, 1024), required=True),
    member("Limit", whole(1, 100)),
    member("ExclusiveStartShardId", _SHARD_ID),
    member("ShardFilter", structure(member("Type", enum("CHILD_SHARDS")), member("ShardId", _SHARD_ID))),
)


def run(context: Context, request: Request) -> Response:
    """Describe a stream."""
    _SHAPE.check(request)
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


def _describe_shard(stream: Stream) -> Response:
    span = {"StartingSequenceNumber": sequence_number(stream.first)}
    if stream.last is not None:
        span["EndingSequenceNumber"] = sequence_number(max(stream.first, stream.last))
    return {"ShardId": stream.shard, "SequenceNumberRange": span}
