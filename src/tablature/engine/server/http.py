"""Reads HTTP/1.1 requests from a byte stream and serializes responses. It knows nothing about tables.

Bodies may be sized, chunked or compressed, requests may be pipelined, and every input has a size limit.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from tablature.engine.errors import EngineError

MAX_HEAD_BYTES = 64 * 1024
MAX_BODY_BYTES = 16 * 1024 * 1024
RECEIVE_BYTES = 256 * 1024

_REASONS = {
    200: "OK",
    400: "Bad Request",
    403: "Forbidden",
    404: "Not Found",
    413: "Request Entity Too Large",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error",
    501: "Not Implemented",
    503: "Service Unavailable",
}


class ProtocolError(Exception):
    """Bytes that aren't an acceptable request. The connection closes after the response."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """One request, its header names in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes
    keep_alive: bool = True


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """One response before it is serialized."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)

    def to_bytes(self, *, keep_alive: bool, date: str) -> bytes:
        """Serialize the response."""
        lines = [f"HTTP/1.1 {self.status} {_REASONS[self.status]}", "Server: Server", f"Date: {date}"]
        lines += [f"{name}: {value}" for name, value in self.headers.items()]
        lines.append(f"Content-Length: {len(self.body)}")
        lines.append("Connection: keep-alive" if keep_alive else "Connection: close")
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1") + self.body


class RequestReader:
    """Takes requests one after another from a connection, keeping bytes that arrive early for the next one."""

    def __init__(self, receive: Callable[[int], bytes], send: Callable[[bytes], None]) -> None:
        self._receive = receive
        self._send = send
        self._pending = bytearray()

    def next_request(self) -> HttpRequest | None:
        """Return the next request, or None when the client has hung up."""
        head = self._read_head()
        if head is None:
            return None
        method, path, version, headers = _parse_head(head)
        body = self._read_body(headers)
        connection = headers.get("connection", "").lower()
        keep_alive = connection == "keep-alive" if version == "HTTP/1.0" else connection != "close"
        return HttpRequest(method, path, headers, body, keep_alive)

    def _read_head(self) -> bytes | None:
        searched = 0
        while (end := self._pending.find(b"\r\n\r\n", searched)) < 0:
            if len(self._pending) > MAX_HEAD_BYTES:
                raise ProtocolError(431, "The request's headers are longer than 64 KB.")
            searched = max(0, len(self._pending) - 3)
            if not self._fill():
                return None
        return self._take(end + 4)[:-4].lstrip(b"\r\n")

    def _read_body(self, headers: Mapping[str, str]) -> bytes:
        coding = headers.get("transfer-encoding")
        length = headers.get("content-length")
        if coding is None and length is None:
            return b""
        if coding is not None and (length is not None or coding.lower() != "chunked"):
            raise ProtocolError(400, "Send the body either with Content-Length or chunked.")
        size = 0 if length is None else _parse_size(length, 10)
        if headers.get("expect", "").lower() == "100-continue":
            self._send(b"HTTP/1.1 100 Continue\r\n\r\n")
        return self._read_sized(size) if coding is None else self._read_chunked()

    def _read_sized(self, size: int) -> bytes:
        if size > MAX_BODY_BYTES:
            raise ProtocolError(413, "The request is larger than 16 MB.")
        while len(self._pending) < size:
            if not self._fill():
                raise ProtocolError(400, "The request ended before its body was complete.")
        return self._take(size)

    def _read_chunked(self) -> bytes:
        body = bytearray()
        while size := _parse_size(self._read_line().partition(b";")[0].decode("latin-1"), 16):
            if len(body) + size > MAX_BODY_BYTES:
                raise ProtocolError(413, "The request is larger than 16 MB.")
            body += self._read_sized(size)
            if self._read_line():
                raise ProtocolError(400, "A chunk is longer than it says.")
        while self._read_line():
            pass
        return bytes(body)

    def _read_line(self) -> bytes:
        while (end := self._pending.find(b"\r\n")) < 0:
            if len(self._pending) > MAX_HEAD_BYTES:
                raise ProtocolError(400, "A chunk's size line is too long.")
            if not self._fill():
                raise ProtocolError(400, "The request ended before its body was complete.")
        return self._take(end + 2)[:-2]

    def _fill(self) -> bool:
        received = self._receive(RECEIVE_BYTES)
        self._pending += received
        return bool(received)

    def _take(self, count: int) -> bytes:
        taken = bytes(self._pending[:count])
        del self._pending[:count]
        return taken


def _parse_head(head: bytes) -> tuple[str, str, str, dict[str, str]]:
    first, *lines = head.decode("latin-1").split("\r\n")
    parts = first.split(" ")
    if len(parts) != 3 or parts[2] not in ("HTTP/1.1", "HTTP/1.0"):
        raise ProtocolError(400, "The first line is not an HTTP/1.1 request line.")
    headers: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or not name or name[-1].isspace() or name[0].isspace():
            raise ProtocolError(400, "A header line has no name or no colon.")
        name = name.lower()
        if name in headers and name in ("content-length", "transfer-encoding"):
            raise ProtocolError(400, "The length of the body is stated twice.")
        headers[name] = value.strip()
    return parts[0], parts[1], parts[2], headers


def _parse_size(text: str, base: int) -> int:
    text = text.strip()
    digits = "0123456789abcdefABCDEF"[: 10 if base == 10 else 22]
    if not text or len(text) > 16 or text.strip(digits):
        raise ProtocolError(400, "The length of the body is not a number.")
    return int(text, base)


_WINDOWS = {"gzip": 16 + zlib.MAX_WBITS, "deflate": zlib.MAX_WBITS}
_GZIP_MAGIC = b"\x1f\x8b"


def decompress_body(request: HttpRequest) -> HttpRequest:
    """The request with its body decompressed. A damaged body raises a 500, as in the service."""
    coding = request.headers.get("content-encoding", "").strip().lower()
    if coding in ("", "identity"):
        return request
    if coding not in _WINDOWS:
        raise _decompression_error(f"The content encoding {coding} is not understood.")
    return replace(request, body=_decompress(request.body, _WINDOWS[coding]))


def _decompress(packed: bytes, window: int) -> bytes:
    """The decompressed body. Gzip may have several members, one after another."""
    body = b""
    while True:
        part = zlib.decompressobj(window)
        try:
            body += part.decompress(packed, MAX_BODY_BYTES + 1 - len(body))
        except zlib.error as error:
            raise _decompression_error("The body can't be unpacked.") from error
        if len(body) > MAX_BODY_BYTES:
            raise ProtocolError(413, "The request is larger than 16 MB.")
        if not part.eof:
            raise _decompression_error("The body ends in the middle.")
        packed = part.unused_data
        if not packed.startswith(_GZIP_MAGIC):
            return body


def _decompression_error(sentence: str) -> EngineError:
    return EngineError("InternalServerError", sentence)
