"""Opens, closes and finds streams, and keeps a description of each for as long as its records can be read."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import msgspec

from tablature.engine.errors import resource_not_found, validation_error
from tablature.engine.schema import KeyAttribute, StreamSettings, StreamView, TableSchema
from tablature.engine.storage import Snapshot, Transaction
from tablature.engine.storage.records import last_sequence
from tablature.engine.tables.lookup import parse_stream_arn

_KIND = "stream"
RETAINED_SECONDS = 24 * 60 * 60


@dataclass(frozen=True)
class TableStream:
    """A stream, open or closed. `first` and `last` bound its sequence numbers; `last` is set when it is closed."""

    id: int
    label: str
    view: StreamView
    table: str
    keys: tuple[KeyAttribute, ...]
    created_at: float
    first: int
    last: int | None = None
    closed_at: float | None = None

    @property
    def shard(self) -> str:
        """The one shard a stream has, named as the service names its shards."""
        return f"shardId-{round(self.created_at * 1000):020d}-{self.id:08x}"


def open_stream(transaction: Transaction, table: TableSchema, view: StreamView) -> TableSchema:
    """Start recording a table's changes; returns the table with its stream, which is saved."""
    now = round(transaction.now, 3)
    label = _free_label(transaction, table.name, now)
    stream = TableStream(
        id=transaction.next_id(),
        label=label,
        view=view,
        table=table.name,
        keys=table.keys,
        created_at=now,
        first=last_sequence(transaction) + 1,
    )
    _save(transaction, stream)
    changed = replace(table, stream=StreamSettings(stream.id, label, view))
    transaction.save_table(changed)
    return changed


def close_stream(transaction: Transaction, table: TableSchema) -> TableSchema:
    """Stop recording and keep the records. Returns the table without its stream, for the caller to save."""
    if table.stream is None:
        return table
    stream = find_stream(transaction, table.name, table.stream.label)
    if stream is not None:
        _save(transaction, replace(stream, last=last_sequence(transaction), closed_at=round(transaction.now, 3)))
    settings = table.settings | {"last_stream_label": table.stream.label}
    return replace(table, stream=None, settings=settings)


def find_stream(snapshot: Snapshot, table: str, label: str) -> TableStream | None:
    body = snapshot.document(_KIND, f"{table}/{label}")
    return None if body is None else _decode(body)


def all_streams(snapshot: Snapshot) -> Iterator[TableStream]:
    """Every stream, open or closed, by table and then by age."""
    for _, body in snapshot.documents(_KIND):
        yield _decode(body)


def forget_stream(transaction: Transaction, stream: TableStream) -> None:
    transaction.delete_document(_KIND, f"{stream.table}/{stream.label}")


def _free_label(transaction: Transaction, table: str, now: float) -> str:
    moment = now
    while find_stream(transaction, table, label := _label(moment)) is not None:
        moment += 0.001
    return label


def _label(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="milliseconds").removesuffix("+00:00")


def _save(transaction: Transaction, stream: TableStream) -> None:
    transaction.put_document(_KIND, f"{stream.table}/{stream.label}", msgspec.json.encode(stream))


_decode = msgspec.json.Decoder(TableStream).decode


def require_stream(snapshot: Snapshot, arn: str, now: float) -> TableStream:
    """The stream of an ARN. Raises if all its records have expired."""
    part = parse_stream_arn(arn)
    if part is None:
        raise validation_error("Invalid StreamArn")
    stream = find_stream(snapshot, part.table, part.label)
    if stream is None or has_expired(stream, now):
        raise resource_not_found(f"Requested resource not found: Stream: {arn} not found")
    return stream


def has_expired(stream: TableStream, now: float) -> bool:
    """Whether a stream was closed so long ago that all its records have expired."""
    return stream.closed_at is not None and stream.closed_at <= now - RETAINED_SECONDS
