"""A server over an engine that only records what it is asked, and a client that sends exactly what it is told."""

import http.client
import json
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from tablature.engine.server.application import Application
from tablature.engine.server.listener import Server

SIGNED = {
    "Content-Type": "application/x-amz-json-1.0",
    "Authorization": "AWS4-HMAC-SHA256 Credential=key/20260101/us-east-1/dynamodb/aws4_request, "
    "SignedHeaders=host, Signature=abc",
    "X-Amz-Date": "20260101T000000Z",
}


@dataclass
class RecordingEngine:
    """Answers every call with the same response, or raises the same error."""

    answer: Any = field(default_factory=dict)
    calls: list[tuple[str, Any]] = field(default_factory=list)

    def call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        self.calls.append((operation, request))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@dataclass(frozen=True)
class Answer:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@pytest.fixture
def engine() -> RecordingEngine:
    return RecordingEngine()


@pytest.fixture
def server(engine: RecordingEngine) -> Iterator[Server]:
    running = Server(Application(engine))
    running.start()
    yield running
    running.close()


@pytest.fixture
def ask(server: Server) -> Callable[..., Answer]:
    """Send one request; `headers` replace or (with None) remove the usual ones."""

    def send(
        body: Any = b"{}", target: str | None = "DynamoDB_20120810.ListTables", method: str = "POST", **headers: Any
    ) -> Answer:
        given = {name.replace("_", "-").title(): value for name, value in headers.items()}
        sent = SIGNED | ({} if target is None else {"X-Amz-Target": target}) | given
        connection = http.client.HTTPConnection(server.host, server.port, timeout=20)
        path = given.pop("Path", "/")
        sent.pop("Path", None)
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        connection.request(method, path, content, {name: value for name, value in sent.items() if value is not None})
        response = connection.getresponse()
        answer = Answer(response.status, response.headers, response.read())
        connection.close()
        return answer

    return send


@pytest.fixture
def raw(server: Server) -> Iterator[Callable[[bytes], bytes]]:
    """Send bytes as they are and read until the server closes or has answered what it will."""
    opened: list[socket.socket] = []

    def exchange(content: bytes) -> bytes:
        sock = socket.create_connection((server.host, server.port), timeout=20)
        opened.append(sock)
        sock.sendall(content)
        sock.shutdown(socket.SHUT_WR)
        received = b""
        while chunk := sock.recv(65536):
            received += chunk
        return received

    yield exchange
    for sock in opened:
        sock.close()
