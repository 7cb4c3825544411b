"""What clients see of a stream: change records, sequence numbers and shard iterators."""

import base64
import binascii
import hashlib
from dataclasses import dataclass
from typing import Any

import msgspec

from tablature.engine.encoding.values import item_size
from tablature.engine.errors import EngineError, validation_error
from tablature.engine.schema import StreamView
from tablature.engine.storage.records import ChangeRecord
from tablature.engine.tables.lookup import Arns, parse_stream_arn

# Sequence numbers are at least twenty-one digits long.
_FIRST_NUMBER = 10**20
_IMAGES = {
    "KEYS_ONLY": (),
    "NEW_IMAGE": ("NewImage",),
    "OLD_IMAGE": ("OldImage",),
    "NEW_AND_OLD_IMAGES": ("NewImage", "OldImage"),
}


def sequence_number(sequence: int) -> str:
    return str(_FIRST_NUMBER + sequence)


def parse_sequence_number(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise validation_error(f"Invalid SequenceNumber: {text}")
    return int(text) - _FIRST_NUMBER


def describe_record(record: ChangeRecord, view: StreamView, region: str) -> dict[str, Any]:
    """Describe one change with the images that the stream's view type includes."""
    images = {"NewImage": record.new, "OldImage": record.old}
    shown = {name: image for name in _IMAGES[view] if (image := images[name]) is not None}
    number = sequence_number(record.sequence)
    described: dict[str, Any] = {
        "eventID": hashlib.md5(number.encode(), usedforsecurity=False).hexdigest(),
        "eventName": record.kind,
        "eventVersion": "1.1",
        "eventSource": "aws:dynamodb",
        "awsRegion": region,
        "dynamodb": {
            "ApproximateCreationDateTime": int(record.at),
            "Keys": record.keys,
            **shown,
            "SequenceNumber": number,
            "SizeBytes": item_size(record.keys) + sum(item_size(image) for image in shown.values()),
            "StreamViewType": view,
        },
    }
    if record.principal is not None:
        described["userIdentity"] = {"Type": "Service", "PrincipalId": record.principal}
    return described


ITERATOR_LIFETIME_SECONDS = 15 * 60


class _IteratorToken(msgspec.Struct, frozen=True, array_like=True):
    sequence: int
    issued_at: float


@dataclass(frozen=True)
class ShardIterator:
    """A position in a stream: the sequence number to read from."""

    table: str
    label: str
    sequence: int


def write_iterator(arns: Arns, iterator: ShardIterator, now: float) -> str:
    """An iterator as opaque text."""
    place = msgspec.json.encode(_IteratorToken(iterator.sequence, now))
    return f"{arns.stream(iterator.table, iterator.label)}|1|{base64.b64encode(place).decode()}"


def read_iterator(text: str, now: float) -> ShardIterator:
    """Parse an iterator. Raises if it is invalid or expired."""
    arn, _, rest = text.partition("|1|")
    part = parse_stream_arn(arn)
    try:
        place = msgspec.json.decode(base64.b64decode(rest, validate=True), type=_IteratorToken)
    except (binascii.Error, ValueError, msgspec.MsgspecError) as error:
        raise validation_error("Invalid ShardIterator") from error
    if part is None:
        raise validation_error("Invalid ShardIterator")
    if now - place.issued_at > ITERATOR_LIFETIME_SECONDS:
        raise EngineError("ExpiredIteratorException", "Shard Iterator has expired")
    return ShardIterator(part.table, part.label, place.sequence)
