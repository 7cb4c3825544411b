"""Keep-alive, pipelining, chunked bodies, limits and malformed bytes."""

import socket
import threading
import time

import pytest

from tablature.engine.server.application import Application
from tablature.engine.server.http import MAX_BODY_BYTES
from tablature.engine.server.listener import Server

HEAD = (
    b"POST / HTTP/1.1\r\nHost: x\r\nX-Amz-Target: DynamoDB_20120810.ListTables\r\nX-Amz-Date: d\r\n"
    b"Content-Type: application/x-amz-json-1.0\r\n"
    b"Authorization: AWS4-HMAC-SHA256 Credential=a,Signature=b,SignedHeaders=c\r\n"
)


def sized(body: bytes = b"{}", extra: bytes = b"") -> bytes:
    return HEAD + extra + b"Content-Length: %d\r\n\r\n" % len(body) + body


def test_pipelined_requests_are_answered_in_order(raw, engine):
    received = raw(sized(b'{"Limit":1}') + sized(b'{"Limit":2}') + sized(b'{"Limit":3}'))
    assert received.count(b"HTTP/1.1 200 OK") == 3
    assert [request["Limit"] for _, request in engine.calls] == [1, 2, 3]


def test_a_chunked_body_is_put_together(raw, engine):
    chunks = b'8\r\n{"Limit"\r\n2;note=x\r\n:7\r\n1\r\n}\r\n0\r\nTrailer: y\r\n\r\n'
    received = raw(HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + chunks + sized(b'{"Limit":8}'))
    assert received.count(b"HTTP/1.1 200 OK") == 2
    assert [request["Limit"] for _, request in engine.calls] == [7, 8]


def test_a_client_that_expects_to_be_told_is_told_to_continue(server):
    with socket.create_connection((server.host, server.port), timeout=20) as sock:
        sock.sendall(HEAD + b"Expect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        assert sock.recv(1024) == b"HTTP/1.1 100 Continue\r\n\r\n"
        sock.sendall(b"{}")
        assert sock.recv(65536).startswith(b"HTTP/1.1 200 OK")


def test_a_request_may_arrive_byte_by_byte(server):
    with socket.create_connection((server.host, server.port), timeout=20) as sock:
        for byte in sized():
            sock.sendall(bytes([byte]))
        assert sock.recv(65536).startswith(b"HTTP/1.1 200 OK")


def test_the_connection_closes_when_the_client_asks(raw):
    received = raw(sized(extra=b"Connection: close\r\n") + sized())
    assert received.count(b"HTTP/1.1 200 OK") == 1
    assert b"Connection: close" in received


def test_a_body_over_sixteen_megabytes_is_too_large(raw, engine):
    received = raw(sized(b" " * (MAX_BODY_BYTES + 1)))
    assert received.startswith(b"HTTP/1.1 413 ")
    assert engine.calls == []


def test_a_chunked_body_over_sixteen_megabytes_is_too_large(raw):
    chunk = b"100000\r\n" + b" " * 0x100000 + b"\r\n"
    assert raw(HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + chunk * 17 + b"0\r\n\r\n").startswith(b"HTTP/1.1 413 ")


@pytest.mark.parametrize(
    "content",
    [
        b"nonsense\r\n\r\n",
        b"POST / HTTP/3.0\r\n\r\n",
        b"POST / HTTP/1.1\r\nno colon\r\n\r\n",
        b"POST / HTTP/1.1\r\nName : x\r\n\r\n",
        HEAD + b"Content-Length: two\r\n\r\n{}",
        HEAD + b"Content-Length: -1\r\n\r\n{}",
        HEAD + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
        HEAD + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
        HEAD + b"Transfer-Encoding: gzip\r\n\r\n{}",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n",
        HEAD + b"Content-Length: 5\r\n\r\n{}",
    ],
)
def test_malformed_bytes_get_a_400_and_the_connection_closes(raw, engine, content):
    received = raw(content)
    assert received.startswith(b"HTTP/1.1 400 ")
    assert b"Connection: close" in received
    assert engine.calls == []


def test_endless_headers_are_refused(raw):
    assert raw(b"POST / HTTP/1.1\r\n" + b"X: y\r\n" * 20_000).startswith(b"HTTP/1.1 431 ")


def test_closing_lets_the_request_in_hand_finish(engine):
    entered, released = threading.Event(), threading.Event()

    class SlowEngine:
        def call(self, operation, request):
            entered.set()
            released.wait(20)
            return {"TableNames": []}

    server = Server(Application(SlowEngine()))
    server.start()
    with socket.create_connection((server.host, server.port), timeout=20) as sock:
        sock.sendall(sized())
        assert entered.wait(20)
        closing = threading.Thread(target=server.close)
        closing.start()
        released.set()
        assert sock.recv(65536).startswith(b"HTTP/1.1 200 OK")
        closing.join(20)
        assert not closing.is_alive()


def wait_until_all_are_idle(server):
    """A client has its answer a moment before the server counts the connection as idle."""
    deadline = time.monotonic() + 20
    while not all(connection.waiting_since for connection in list(server._connections)):
        assert time.monotonic() < deadline, "a connection never became idle"
        time.sleep(0.005)


def test_an_idle_connection_makes_room_for_a_new_one(monkeypatch, engine):
    monkeypatch.setattr("tablature.engine.server.listener.MAX_CONNECTIONS", 2)
    server = Server(Application(engine))
    server.start()
    idle = [socket.create_connection((server.host, server.port), timeout=20) for _ in range(2)]
    for sock in idle:
        sock.sendall(sized())
        assert sock.recv(65536).startswith(b"HTTP/1.1 200 OK")
        wait_until_all_are_idle(server)
    with socket.create_connection((server.host, server.port), timeout=20) as sock:
        sock.sendall(sized())
        assert sock.recv(65536).startswith(b"HTTP/1.1 200 OK")
    assert idle[0].recv(1) == b""
    for sock in idle:
        sock.close()
    server.close()
