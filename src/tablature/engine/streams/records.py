"""The shape of change records and of sequence numbers, as clients see them."""

import hashlib
from typing import Any

from tablature.engine.errors import validation
from tablature.engine.schema import StreamView
from tablature.engine.storage.records import Record
from tablature.engine.values import item_size

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
        raise validation(f"Invalid SequenceNumber: {text}")
    return int(text) - _FIRST_NUMBER


def describe_record(record: Record, view: StreamView, region: str) -> dict[str, Any]:
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
