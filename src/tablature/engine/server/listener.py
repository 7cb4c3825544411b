"""Accepts connections and serves each on a thread of its own.

A blocking thread per connection has the fewest hand-offs, lets concurrent writers share a group commit, and keeps
readers from waiting for an fsync. Idle connections are closed first when there are too many.
"""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
import time
from email.utils import formatdate
from functools import lru_cache

from tablature.engine.server.application import Application, reject_malformed
from tablature.engine.server.http import RECEIVE_BYTES, HttpRequest, HttpResponse, ProtocolError, RequestReader

MAX_CONNECTIONS = 512
IDLE_SECONDS = 300
SEND_SECONDS = 60
MAX_DISCARDED_BYTES = 64 * 1024 * 1024


class Connection:
    """One client's socket and the thread that serves it."""

    def __init__(self, sock: socket.socket, application: Application) -> None:
        self._socket = sock
        self._application = application
        self.waiting_since: float | None = time.monotonic()

    def serve(self) -> None:
        """Serve requests until the client disconnects, sends invalid bytes, or the server closes."""
        with contextlib.suppress(OSError), self._socket:
            self._prepare()
            reader = RequestReader(self._socket.recv, self._socket.sendall)
            while self._serve_next(reader):
                pass

    def hang_up(self) -> None:
        """Stop reading, so that the thread ends after the current request."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RD)

    def _prepare(self) -> None:
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", IDLE_SECONDS, 0))
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", SEND_SECONDS, 0))

    def _serve_next(self, reader: RequestReader) -> bool:
        self.waiting_since = time.monotonic()
        try:
            request = reader.next_request()
        except ProtocolError as error:
            self._reject(error)
            return False
        self.waiting_since = None
        return request is not None and self._answer(request)

    def _answer(self, request: HttpRequest) -> bool:
        response = self._application.respond(request)
        if request.method == "HEAD":
            response = HttpResponse(response.status, b"", response.headers)
        self._socket.sendall(response.to_bytes(keep_alive=request.keep_alive, date=_http_date()))
        return request.keep_alive

    def _reject(self, error: ProtocolError) -> None:
        self._socket.sendall(reject_malformed(error).to_bytes(keep_alive=False, date=_http_date()))
        self._socket.shutdown(socket.SHUT_WR)
        # Closing with unread bytes would reset the connection before the client has read the response.
        discarded = 0
        while discarded < MAX_DISCARDED_BYTES and (received := self._socket.recv(RECEIVE_BYTES)):
            discarded += len(received)


class Server:
    """Listens on one address from construction until `close`."""

    def __init__(self, application: Application, host: str = "127.0.0.1", port: int = 0) -> None:
        self._application = application
        self._listener = socket.create_server((host, port), backlog=512)
        self._connections: dict[Connection, threading.Thread] = {}
        self._lock = threading.Lock()
        self._closing = False
        self._accepting = threading.Thread(target=self._accept, name="tablature-accept", daemon=True)

    @property
    def host(self) -> str:
        """The address listened on."""
        return str(self._listener.getsockname()[0])

    @property
    def port(self) -> int:
        """The port listened on, chosen by the system when none was asked for."""
        return int(self._listener.getsockname()[1])

    def start(self) -> None:
        """Accept connections in the background."""
        self._accepting.start()

    def close(self, grace_seconds: float = 10.0) -> None:
        """Stop accepting, let current requests finish, and wait for their threads."""
        self._closing = True
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._accepting.join(grace_seconds)
        self._listener.close()
        with self._lock:
            remaining = dict(self._connections)
        for connection in remaining:
            connection.hang_up()
        deadline = time.monotonic() + grace_seconds
        for thread in remaining.values():
            thread.join(max(0.0, deadline - time.monotonic()))

    def _accept(self) -> None:
        while not self._closing:
            try:
                sock, _ = self._listener.accept()
            except OSError:
                if self._closing:
                    return
                continue
            self._welcome(Connection(sock, self._application))

    def _welcome(self, connection: Connection) -> None:
        thread = threading.Thread(target=self._serve, args=(connection,), name="tablature-http", daemon=True)
        with self._lock:
            if len(self._connections) >= MAX_CONNECTIONS:
                self._hang_up_on_idlest()
            self._connections[connection] = thread
        thread.start()

    def _hang_up_on_idlest(self) -> None:
        waiting = [(since, each) for each in self._connections if (since := each.waiting_since) is not None]
        if waiting:
            min(waiting, key=lambda pair: pair[0])[1].hang_up()

    def _serve(self, connection: Connection) -> None:
        try:
            connection.serve()
        finally:
            with self._lock:
                del self._connections[connection]


def _http_date() -> str:
    return _format_date(int(time.time()))


@lru_cache(maxsize=1)
def _format_date(second: int) -> str:
    return formatdate(second, usegmt=True)
