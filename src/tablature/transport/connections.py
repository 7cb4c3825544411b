"""A small pooled HTTP/1.1 client for blocking code: one request shape, kept-alive connections, no general HTTP.

`http.client` parses headers through the e-mail package, which alone costs more than everything here.
"""

import select
import socket
import ssl
import threading
from collections.abc import Mapping
from urllib.parse import urlsplit

from tablature.transport.answers import AnswerReader, ConnectionLost, RawResponse, request_bytes

_CHUNK = 65_536


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
            connection.sendall(request_bytes(path, headers, body))
            response, reusable = _read_answer(connection)
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


def _read_answer(connection: socket.socket) -> tuple[RawResponse, bool]:
    """The answer, and whether the connection may serve again."""
    reader = AnswerReader()
    while reader.response is None:
        received = connection.recv(_CHUNK)
        if received:
            reader.feed(received)
        else:
            reader.end()
    return reader.response, reader.is_reusable
