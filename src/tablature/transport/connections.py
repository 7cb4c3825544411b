"""A small pooled HTTP/1.1 client for blocking code: one request shape, kept-alive connections, no general HTTP.

`http.client` parses headers through the e-mail package, which alone costs more than everything here.
"""

import select
import socket
import ssl
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

_CHUNK = 65_536
_LONGEST_HEAD = 65_536


@dataclass(frozen=True, slots=True)
class RawResponse:
    """What came back: header names in lower case, the body whole."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class ConnectionLost(OSError):
    """The connection broke, timed out or spoke something that is not HTTP."""


class Pool:
    """Connections to one endpoint; safe to use from many threads, each request on a connection of its own."""

    def __init__(self, url: str, *, connect_timeout: float, read_timeout: float, idle: int = 16) -> None:
        parts = urlsplit(url)
        self._secure = parts.scheme == "https"
        self._address = (parts.hostname or "localhost", parts.port or (443 if self._secure else 80))
        self._connect_timeout, self._read_timeout, self._most_idle = connect_timeout, read_timeout, idle
        self._context = ssl.create_default_context() if self._secure else None
        self._idle: list[socket.socket] = []
        self._lock = threading.Lock()

    def post(self, path: str, headers: Mapping[str, str], body: bytes) -> RawResponse:
        """Send one request and read its answer; the connection is kept when the server allows it."""
        connection = self._take()
        try:
            head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
            connection.sendall(f"POST {path} HTTP/1.1\r\n{head}content-length: {len(body)}\r\n\r\n".encode() + body)
            response, reusable = _Reader(connection).response()
        except OSError as error:
            connection.close()
            raise ConnectionLost(str(error) or type(error).__name__) from error
        except BaseException:
            connection.close()
            raise
        self._give_back(connection, reusable=reusable)
        return response

    def close(self) -> None:
        """Close what is idle; connections in use close when they come back."""
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


class _Reader:
    """Reads one response off a connection."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._buffer = bytearray()

    def response(self) -> tuple[RawResponse, bool]:
        """The response, and whether the connection may serve again."""
        status, version, headers = self._head()
        while status == 100:
            status, version, headers = self._head()
        body, delimited = self._body(headers)
        alive = headers.get("connection", "keep-alive" if version == b"HTTP/1.1" else "close").lower() != "close"
        return RawResponse(status, headers, body), delimited and alive and not self._buffer

    def _head(self) -> tuple[int, bytes, dict[str, str]]:
        while (end := self._buffer.find(b"\r\n\r\n")) < 0:
            if len(self._buffer) > _LONGEST_HEAD:
                raise ConnectionLost("the answer's headers never end")
            self._receive()
        first, *lines = bytes(self._buffer[:end]).split(b"\r\n")
        del self._buffer[: end + 4]
        version, _, rest = first.partition(b" ")
        if not version.startswith(b"HTTP/1.") or not rest[:3].isdigit():
            raise ConnectionLost("the answer is not HTTP/1.1")
        pairs = (line.decode("latin-1").partition(":") for line in lines)
        return int(rest[:3]), version, {name.lower(): value.strip() for name, _, value in pairs}

    def _body(self, headers: Mapping[str, str]) -> tuple[bytes, bool]:
        if "chunked" in headers.get("transfer-encoding", ""):
            return self._chunks(), True
        length = headers.get("content-length")
        if length is None:
            return self._until_closed(), False
        if not length.isdigit():
            raise ConnectionLost("the answer's length is not a number")
        return self._exactly(int(length)), True

    def _chunks(self) -> bytes:
        parts = []
        while size := self._chunk_size():
            parts.append(self._exactly(size))
            self._line()
        while self._line():
            pass
        return b"".join(parts)

    def _chunk_size(self) -> int:
        try:
            return int(self._line().partition(b";")[0], 16)
        except ValueError:
            raise ConnectionLost("the answer's chunks make no sense") from None

    def _line(self) -> bytes:
        while (end := self._buffer.find(b"\r\n")) < 0:
            self._receive()
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 2]
        return line

    def _exactly(self, length: int) -> bytes:
        while len(self._buffer) < length:
            self._receive()
        part = bytes(self._buffer[:length])
        del self._buffer[:length]
        return part

    def _until_closed(self) -> bytes:
        while received := self._connection.recv(_CHUNK):
            self._buffer += received
        part = bytes(self._buffer)
        self._buffer.clear()
        return part

    def _receive(self) -> None:
        received = self._connection.recv(_CHUNK)
        if not received:
            raise ConnectionLost("the server closed the connection in the middle of its answer")
        self._buffer += received
