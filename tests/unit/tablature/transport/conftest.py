"""A real HTTP server on loopback that answers from a script: right, wrong, slow, broken, or not at all."""

import asyncio
import json
import socket
import threading
import zlib
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest

from tablature.transport.aws import Aws
from tablature.transport.http_exchange import AwsRetryPolicy
from tablature.transport.signature import AwsCredentials


def answer(status=200, body=None, *, headers=(), crc=True, close=False, http="HTTP/1.1"):
    """The bytes of one HTTP answer."""
    content = json.dumps({} if body is None else body).encode()
    lines = [f"{http} {status} X", f"Content-Length: {len(content)}", *headers]
    if crc:
        lines.append(f"x-amz-crc32: {zlib.crc32(content)}")
    if close:
        lines.append("Connection: close")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + content


def refusal(code, status=400, message="no", **extra):
    """The bytes of an error as the service words it."""
    return answer(status, {"__type": f"com.amazonaws.dynamodb.v20120810#{code}", "message": message}, **extra)


def chunked(body):
    content = json.dumps(body).encode()
    half = len(content) // 2
    pieces = b"".join(b"%x\r\n%s\r\n" % (len(p), p) for p in (content[:half], content[half:]))
    return b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + pieces + b"0\r\n\r\n"


DROP = b"drop the connection without an answer"
SILENCE = b"never answer"


@dataclass
class Script:
    """What the server does, request by request; the last act repeats."""

    port: int = 0
    acts: list[bytes] = field(default_factory=list)
    requests: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    connections: int = 0
    done: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def next_act(self):
        return self.acts.pop(0) if len(self.acts) > 1 else self.acts[0]


def serve_connection(script, connection):
    with connection, connection.makefile("rb") as reader:
        while reader.readline():
            headers = {}
            while (line := reader.readline().strip()) != b"":
                name, _, value = line.decode().partition(":")
                headers[name.lower()] = value.strip()
            body = reader.read(int(headers.get("content-length", 0)))
            script.requests.append((headers, body))
            act = script.next_act()
            if act == SILENCE:
                script.done.wait(30)
                return
            if act == DROP:
                return
            connection.sendall(act)
            if b"Connection: close" in act or act.startswith(b"HTTP/1.0"):
                return


def accept(script, listener, threads):
    while not script.done.is_set():
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        script.connections += 1
        threads.append(threading.Thread(target=serve_connection, args=(script, connection)))
        threads[-1].start()


@pytest.fixture
def script():
    listener = socket.create_server(("127.0.0.1", 0))
    script, threads = Script(port=listener.getsockname()[1]), []
    acceptor = threading.Thread(target=accept, args=(script, listener, threads))
    acceptor.start()
    yield script
    script.done.set()
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()
    acceptor.join()
    for thread in threads:
        thread.join()


@pytest.fixture
def act():
    """What the server can be told to do."""
    return SimpleNamespace(answer=answer, refusal=refusal, chunked=chunked, drop=DROP, silence=SILENCE)


@pytest.fixture(params=["blocking", "asynchronous"])
async def call(request, script):
    """Send one operation through the client under test; both clients must behave alike."""
    clients = []

    async def send(operation="GetItem", payload=None, **options):
        if not clients or options:
            options.setdefault("retries", AwsRetryPolicy(attempts=4, first_bound=0.001))
            credentials = options.pop("credentials", AwsCredentials("AK", "secret"))
            clients.append(Aws(region="eu-west-1", endpoint_url=script.url, credentials=credentials, **options))
        payload = payload or {"TableName": "t"}
        if request.param == "blocking":
            return await asyncio.to_thread(clients[-1].send, operation, payload)
        return await clients[-1].send_async(operation, payload)

    yield send
    for client in clients:
        await client.close_async()
