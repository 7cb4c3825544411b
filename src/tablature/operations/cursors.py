"""Page cursors: opaque and signed, valid only for the query that they came from."""

from __future__ import annotations

import hashlib
import hmac
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from typing import Any

from tablature.errors import CursorRejected
from tablature.operations.context import OperationContext
from tablature.schema.model import IndexPath
from tablature.schema.patterns import Query
from tablature.wire import Item

_SIGNATURE_BYTES = 16
Position = Item | None | bool
"""Per partition: the key to continue after, None to start, True if it has been read completely."""


def encode_cursor(context: OperationContext, query: Query[Any], positions: list[Position]) -> str:
    body = json.dumps(positions, ensure_ascii=False, separators=(",", ":")).encode()
    return urlsafe_b64encode(_signature(context, query, body) + body).decode().rstrip("=")


def decode_cursor(context: OperationContext, query: Query[Any], cursor: str, partitions: int) -> list[Position]:
    """The positions in a cursor. Raises CursorRejected if it isn't a cursor of this query."""
    try:
        raw = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
        body = raw[_SIGNATURE_BYTES:]
        if hmac.compare_digest(raw[:_SIGNATURE_BYTES], _signature(context, query, body)):
            positions: list[Position] = json.loads(body)
            if len(positions) == partitions:
                return positions
    except (Base64Error, ValueError):
        pass
    raise CursorRejected("This cursor doesn't belong to this list any more; start again from the first page.")


def _signature(context: OperationContext, query: Query[Any], body: bytes) -> bytes:
    return hmac.digest(context.cursor_secret, _fingerprint(query) + body, "sha256")[:_SIGNATURE_BYTES]


def _fingerprint(query: Query[Any]) -> bytes:
    """A hash of everything that decides which items the query returns, and in which order."""
    pattern = query.pattern
    path = pattern.path
    shards = path.shards if isinstance(path, IndexPath) else 1
    templates = [part.template.source for part in path.parts]
    identity = (
        pattern.name,
        path.index,
        templates,
        shards,
        pattern.order,
        pattern.entity.schema_version,
        pattern.where,
        query.where,
        sorted(query.inputs.items()),
    )
    return hashlib.sha256(repr(identity).encode()).digest()
