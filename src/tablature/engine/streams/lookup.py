"""Finds the stream that a request names by its ARN."""

from tablature.engine.errors import resource_not_found, validation
from tablature.engine.storage import Snapshot
from tablature.engine.streams.lifecycle import RETAINED_SECONDS, Stream, find_stream
from tablature.engine.tables.arns import parse_stream_arn


def require_stream(snapshot: Snapshot, arn: str, now: float) -> Stream:
    """Return the stream, unless all it ever held has expired."""
    part = parse_stream_arn(arn)
    if part is None:
        raise validation("Invalid StreamArn")
    stream = find_stream(snapshot, part.table, part.label)
    if stream is None or is_gone(stream, now):
        raise resource_not_found(f"Requested resource not found: Stream: {arn} not found")
    return stream


def is_gone(stream: Stream, now: float) -> bool:
    """Say whether a stream was closed so long ago that nothing in it can be read any more."""
    return stream.closed_at is not None and stream.closed_at <= now - RETAINED_SECONDS
