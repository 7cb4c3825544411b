"""A pooled HTTP/1.1 client for blocking code, and the response parser that the asyncio client shares."""

from __future__ import annotations

import select
import socket
import ssl
import threading
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlsplit

_LONGEST_HEAD = 65_536


class RawResponse(NamedTuple):
    """An HTTP response with lower-case header names and the complete body."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class ConnectionLost(OSError):
    """The connection broke, timed out, or didn't speak HTTP."""


class HttpResponseParser:
    """Parses one response from fed bytes. When `response` is set, `is_reusable` says whether to keep the connection."""

    def __init__(self) -> None:
        self.response: RawResponse | None = None
        self.is_reusable = False
        self._buffer = bytearray()
        self._status = 0
        self._headers: dict[str, str] | None = None
        self._keeps_alive = False
        self._length: int | None = None
        self._chunks: list[bytes] | None = None

    def feed(self, data: bytes) -> None:
        """Parse more bytes."""
        self._buffer += data
        while self._headers is None and self._read_head():
            pass
        if self._headers is None:
            return
        if self._chunks is not None:
            self._read_chunks(self._chunks)
        elif self._length is not None and len(self._buffer) >= self._length:
            self._finish(bytes(self._buffer[: self._length]), rest=len(self._buffer) - self._length)

    def end(self) -> None:
        """The server closed the connection: ends a response without a length, and raises for any other."""
        if self.response is None and self._headers is not None and self._length is None and self._chunks is None:
            self._finish(bytes(self._buffer), rest=1)
        if self.response is None:
            raise ConnectionLost("the server closed the connection in the middle of its response")

    def _read_head(self) -> bool:
        """Parse the head if it is complete. True if another head follows, as after `100 Continue`."""
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            if len(self._buffer) > _LONGEST_HEAD:
                raise ConnectionLost("the response headers never end")
            return False
        first, *lines = bytes(self._buffer[:end]).split(b"\r\n")
        del self._buffer[: end + 4]
        version, _, rest = first.partition(b" ")
        if not version.startswith(b"HTTP/1.") or not rest[:3].isdigit():
            raise ConnectionLost("the response isn't HTTP/1.1")
        self._status = int(rest[:3])
        if self._status == 100:
            return True
        pairs = (line.decode("latin-1").partition(":") for line in lines)
        self._headers = {name.lower(): value.strip() for name, _, value in pairs}
        self._expect_body(self._headers, version)
        return False

    def _expect_body(self, headers: Mapping[str, str], version: bytes) -> None:
        default = "keep-alive" if version == b"HTTP/1.1" else "close"
        self._keeps_alive = headers.get("connection", default).lower() != "close"
        if "chunked" in headers.get("transfer-encoding", ""):
            self._chunks = []
            return
        length = headers.get("content-length")
        if length is not None and not length.isdigit():
            raise ConnectionLost("the content length isn't a number")
        self._length = None if length is None else int(length)

    def _read_chunks(self, chunks: list[bytes]) -> None:
        while (line_end := self._buffer.find(b"\r\n")) >= 0:
            try:
                size = int(self._buffer[:line_end].partition(b";")[0], 16)
            except ValueError:
                raise ConnectionLost("the response has invalid chunks") from None
            start = line_end + 2
            if size == 0:
                self._finish_chunks(chunks, start)
                return
            if len(self._buffer) < start + size + 2:
                return
            chunks.append(bytes(self._buffer[start : start + size]))
            del self._buffer[: start + size + 2]

    def _finish_chunks(self, chunks: list[bytes], start: int) -> None:
        """Skip the trailers after the last chunk."""
        if self._buffer[start : start + 2] == b"\r\n":
            self._finish(b"".join(chunks), rest=len(self._buffer) - start - 2)
        elif (end := self._buffer.find(b"\r\n\r\n", start)) >= 0:
            self._finish(b"".join(chunks), rest=len(self._buffer) - end - 4)

    def _finish(self, body: bytes, *, rest: int) -> None:
        """Set the response. With extra bytes after it, the connection is out of step and not reused."""
        assert self._headers is not None
        self.response = RawResponse(self._status, self._headers, body)
        self.is_reusable = self._keeps_alive and rest == 0


def request_bytes(path: str, headers: Mapping[str, str], body: bytes) -> bytes:
    """The bytes of a POST request."""
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"POST {path} HTTP/1.1\r\n{head}content-length: {len(body)}\r\n\r\n".encode() + body


_CHUNK = 65_536


class HttpPool:
    """Connections to one endpoint. Thread-safe; each request uses its own connection."""

    def __init__(self, url: str, *, connect_timeout: float, read_timeout: float, idle: int = 16) -> None:
        parts = urlsplit(url)
        self._secure = parts.scheme == "https"
        self._address = (parts.hostname or "localhost", parts.port or (443 if self._secure else 80))
        self._connect_timeout, self._read_timeout, self._most_idle = connect_timeout, read_timeout, idle
        self._context = ssl.create_default_context() if self._secure else None
        self._idle: list[socket.socket] = []
        self._lock = threading.Lock()

    def post(self, path: str, headers: Mapping[str, str], body: bytes) -> RawResponse:
        """Send one request and read its response. The connection is kept if the server allows it."""
        connection = self._take()
        try:
            connection.sendall(request_bytes(path, headers, body))
            response, reusable = _read_response(connection)
        except OSError as error:
            connection.close()
            raise ConnectionLost(str(error) or type(error).__name__) from error
        except BaseException:
            connection.close()
            raise
        self._give_back(connection, reusable=reusable)
        return response

    def close(self) -> None:
        """Close idle connections. Those in use close when they are returned."""
        with self._lock:
            idle, self._idle, self._most_idle = self._idle, [], 0
        for connection in idle:
            connection.close()

    def _take(self) -> socket.socket:
        while True:
            with self._lock:
                connection = self._idle.pop() if self._idle else None
            if connection is None:
                return self._connect()
            # An idle connection with something to read was closed by the server, or is out of step.
            if not select.select([connection], [], [], 0)[0]:
                return connection
            connection.close()

    def _connect(self) -> socket.socket:
        try:
            connection = socket.create_connection(self._address, self._connect_timeout)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self._context is not None:
                connection = self._context.wrap_socket(connection, server_hostname=self._address[0])
            connection.settimeout(self._read_timeout)
        except OSError as error:
            raise ConnectionLost(f"{self._address[0]}:{self._address[1]} can't be reached: {error}") from error
        return connection

    def _give_back(self, connection: socket.socket, *, reusable: bool) -> None:
        with self._lock:
            if reusable and len(self._idle) < self._most_idle:
                self._idle.append(connection)
                return
        connection.close()


def _read_response(connection: socket.socket) -> tuple[RawResponse, bool]:
    """The response, and whether the connection may be reused."""
    reader = HttpResponseParser()
    while reader.response is None:
        received = connection.recv(_CHUNK)
        if received:
            reader.feed(received)
        else:
            reader.end()
    return reader.response, reader.is_reusable
