"""ListStreams: streams of all tables or of one, a page at a time."""

from tablature.engine.constraints import member, structure, text, whole
from tablature.engine.context import Context, Request, Response
from tablature.engine.shapes import TABLE_NAME
from tablature.engine.streams.lifecycle import all_streams
from tablature.engine.streams.lookup import is_gone
from tablature.engine.tables.arns import table_of

MOST_STREAMS = 100
_SHAPE = structure(
    member("TableName", TABLE_NAME),
    member("Limit", whole(1, MOST_STREAMS)),
    member("ExclusiveStartStreamArn", text(37, 1024)),
)


def run(context: Context, request: Request) -> Response:
    """List streams, open and closed."""
    _SHAPE.check(request)
    wanted, after = request.get("TableName"), request.get("ExclusiveStartStreamArn", "")
    with context.storage.snapshot() as snapshot:
        streams = [
            {
                "StreamArn": context.arns.stream(stream.table, stream.label),
                "TableName": stream.table,
                "StreamLabel": stream.label,
            }
            for stream in all_streams(snapshot)
            if (wanted is None or stream.table == table_of(wanted)) and not is_gone(stream, context.clock())
        ]
    left = [stream for stream in streams if stream["StreamArn"] > after]
    limit = request.get("Limit", MOST_STREAMS)
    response: Response = {"Streams": left[:limit]}
    if len(left) > limit:
        response["LastEvaluatedStreamArn"] = left[limit - 1]["StreamArn"]
    return response
