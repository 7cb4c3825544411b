"""The NextToken of a SELECT: where its page ended, bound to the statement and parameters that it came from."""

import base64
import binascii
import hashlib
from collections.abc import Mapping
from typing import Any

import msgspec

from tablature.engine.errors import validation
from tablature.engine.values import Item


def digest_of(request: Mapping[str, Any]) -> str:
    """What ties a token to its statement."""
    asked = [request.get("Statement"), request.get("Parameters")]
    return hashlib.sha256(msgspec.json.encode(asked)).hexdigest()[:16]


def write_cursor(digest: str, position: int, start: Item | None) -> str:
    """A token for going on with the request at `position`, after the key `start`."""
    return base64.urlsafe_b64encode(msgspec.json.encode((digest, position, start))).decode()


def read_cursor(token: str | None, digest: str) -> tuple[int, Item | None]:
    """Where to go on; at the beginning when there is no token."""
    if token is None:
        return 0, None
    try:
        body = base64.urlsafe_b64decode(token)
        issued_for, position, start = msgspec.json.decode(body, type=tuple[str, int, Item | None])
    except (binascii.Error, ValueError, msgspec.MsgspecError) as error:
        raise validation("Invalid NextToken") from error
    if issued_for != digest or position < 0:
        raise validation("NextToken does not match request")
    return position, start
