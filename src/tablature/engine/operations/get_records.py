"""GetRecords: the changes recorded from a place in a shard on, up to a thousand records or one megabyte."""

from tablature.engine.constraints import member, structure, text, whole
from tablature.engine.context import Context, Request, Response
from tablature.engine.errors import resource_not_found
from tablature.engine.storage import Snapshot
from tablature.engine.storage.records import last_sequence, records_from
from tablature.engine.streams.iterators import Iterator, read_iterator, write_iterator
from tablature.engine.streams.lifecycle import RETAINED_SECONDS, Stream, find_stream
from tablature.engine.streams.records import describe_record

MOST_RECORDS = 1000
MOST_BYTES = 1024 * 1024
_SHAPE = structure(
    member("ShardIterator", text(1, 2048), required=True),
    member("Limit", whole(1, MOST_RECORDS)),
)


def run(context: Context, request: Request) -> Response:
    """Read records."""
    _SHAPE.check(request)
    now = context.clock()
    iterator = read_iterator(request["ShardIterator"], now)
    with context.storage.snapshot() as snapshot:
        stream = find_stream(snapshot, iterator.table, iterator.label)
        if stream is None:
            arn = context.arns.stream(iterator.table, iterator.label)
            raise resource_not_found(f"Requested resource not found: Stream: {arn} not found")
        records, following = _read(context, snapshot, stream, iterator.sequence, request.get("Limit", MOST_RECORDS))
    response: Response = {"Records": records}
    if stream.last is None or following <= stream.last:
        place = Iterator(stream.table, stream.label, following)
        response["NextShardIterator"] = write_iterator(context.arns, place, now)
    return response


def _read(
    context: Context, snapshot: Snapshot, stream: Stream, sequence: int, limit: int
) -> tuple[list[Response], int]:
    """Describe a page of records; returns it with the sequence number to go on from."""
    since = context.clock() - RETAINED_SECONDS
    # Numbers are shared by all streams: without a full page, everything up to the last one has been seen.
    following = max(sequence, last_sequence(snapshot) + 1)
    page: list[Response] = []
    size = 0
    for record in records_from(snapshot, stream.id, sequence, since):
        described = describe_record(record, stream.view, context.region)
        size += described["dynamodb"]["SizeBytes"]
        if len(page) == limit or (page and size > MOST_BYTES):
            return page, record.sequence
        page.append(described)
    return page, following
