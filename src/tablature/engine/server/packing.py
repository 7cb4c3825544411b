"""Unpacks bodies that came compressed with gzip or deflate, up to the size that any other body may have."""

from __future__ import annotations

import zlib
from dataclasses import replace

from tablature.engine.errors import ServiceError
from tablature.engine.server.http import MOST_BODY_BYTES, HttpRequest, ProtocolError

_WINDOWS = {"gzip": 16 + zlib.MAX_WBITS, "deflate": zlib.MAX_WBITS}
_GZIP_MAGIC = b"\x1f\x8b"


def unpacked(request: HttpRequest) -> HttpRequest:
    """The request with its body as the client meant it; one that can't be unpacked is the service's 500."""
    coding = request.headers.get("content-encoding", "").strip().lower()
    if coding in ("", "identity"):
        return request
    if coding not in _WINDOWS:
        raise _damaged(f"The content encoding {coding} is not understood.")
    return replace(request, body=_unpack(request.body, _WINDOWS[coding]))


def _unpack(packed: bytes, window: int) -> bytes:
    """All parts of a body: gzip may be several files, one after another."""
    body = b""
    while True:
        part = zlib.decompressobj(window)
        try:
            body += part.decompress(packed, MOST_BODY_BYTES + 1 - len(body))
        except zlib.error as error:
            raise _damaged("The body can't be unpacked.") from error
        if len(body) > MOST_BODY_BYTES:
            raise ProtocolError(413, "The request is larger than 16 MB.")
        if not part.eof:
            raise _damaged("The body ends in the middle.")
        packed = part.unused_data
        if not packed.startswith(_GZIP_MAGIC):
            return body


def _damaged(sentence: str) -> ServiceError:
    return ServiceError("InternalServerError", sentence)
