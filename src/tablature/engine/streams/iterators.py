"""Shard iterators: opaque places in a stream that a client hands back, good for fifteen minutes."""

import base64
import binascii
from dataclasses import dataclass

import msgspec

from tablature.engine.errors import ServiceError, validation
from tablature.engine.tables.arns import Arns, parse_stream_arn

GOOD_FOR_SECONDS = 15 * 60


class _Place(msgspec.Struct, frozen=True, array_like=True):
    sequence: int
    issued_at: float


@dataclass(frozen=True)
class Iterator:
    """A place in a stream: the sequence number to read from."""

    table: str
    label: str
    sequence: int


def write_iterator(arns: Arns, iterator: Iterator, now: float) -> str:
    """Turn a place into the text that a client keeps."""
    place = msgspec.json.encode(_Place(iterator.sequence, now))
    return f"{arns.stream(iterator.table, iterator.label)}|1|{base64.b64encode(place).decode()}"


def read_iterator(text: str, now: float) -> Iterator:
    """Turn a client's text back into a place, or refuse it."""
    arn, _, rest = text.partition("|1|")
    part = parse_stream_arn(arn)
    try:
        place = msgspec.json.decode(base64.b64decode(rest, validate=True), type=_Place)
    except (binascii.Error, ValueError, msgspec.MsgspecError) as error:
        raise validation("Invalid ShardIterator") from error
    if part is None:
        raise validation("Invalid ShardIterator")
    if now - place.issued_at > GOOD_FOR_SECONDS:
        raise ServiceError("ExpiredIteratorException", "Shard Iterator has expired")
    return Iterator(part.table, part.label, place.sequence)
