"""A web server that stops loses no request that reached it: each is answered, or was refused before it was sent."""

import asyncio
import socket
import sys
import threading
import time
from collections import Counter

import pytest
import uvicorn

from almanac.cli.listener import bind, listen
from almanac.cli.web_server import WebServer
from almanac.config import Settings
from almanac.errors import SettingError

CLIENTS = 8
REQUEST = b"POST / HTTP/1.1\r\nHost: almanac\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}"


class BusyApp:
    """Keeps the processor for a while, as rendering a page does; connections wait to be accepted meanwhile."""

    def __init__(self):
        self.answers = 0
        self.is_busy = asyncio.Event()

    async def __call__(self, scope, receive, send):
        end = time.perf_counter() + 0.01
        while time.perf_counter() < end:
            pass
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})
        self.answers += 1
        if self.answers > 2 * CLIENTS:
            self.is_busy.set()


def ask(port, outcomes):
    """Send requests, each on a connection of its own, until the server refuses one."""
    while True:
        try:
            connection = socket.create_connection(("127.0.0.1", port), timeout=0.5)
        except OSError:
            outcomes["refused before anything was sent"] += 1
            return
        connection.settimeout(10)
        with connection:
            try:
                connection.sendall(REQUEST)
                answer = connection.recv(1000)
            except OSError:
                answer = b""
            outcomes["answered" if answer.startswith(b"HTTP/1.1 200") else "lost"] += 1


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can ignore new connections and keep those made")
async def test_no_request_is_lost_while_it_stops(tmp_path):
    outcomes = Counter()
    for _ in range(5):
        settings = Settings(data=tmp_path, port=0)
        with bind(settings) as listener:
            listen(listener, settings)
            port, stopping = listener.getsockname()[1], asyncio.Event()
            app = BusyApp()
            config = uvicorn.Config(app, log_config=None, access_log=False, lifespan="off")
            serving = asyncio.create_task(WebServer(config).serve_until(stopping, listener))
            threads = [threading.Thread(target=ask, args=(port, outcomes)) for _ in range(CLIENTS)]
            for thread in threads:
                thread.start()
            await app.is_busy.wait()
            stopping.set()
            await serving
            await asyncio.to_thread(lambda threads=threads: [thread.join() for thread in threads])
    assert outcomes["lost"] == 0, outcomes
    assert outcomes["answered"] > CLIENTS


def test_nobody_can_connect_before_the_process_can_answer(tmp_path):
    settings = Settings(data=tmp_path, port=0)
    with bind(settings) as listener:
        address = ("127.0.0.1", listener.getsockname()[1])
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(address)
        listen(listener, settings)
        socket.create_connection(address).close()


def test_a_busy_port_is_told_before_anything_starts(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        settings = Settings(data=tmp_path, port=taken.getsockname()[1])
        with pytest.raises(SettingError, match="is in use by another program"):
            bind(settings)


async def test_a_second_signal_does_not_wait_for_what_hangs(tmp_path):
    begun, stopping, hurry = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def hanging_app(scope, receive, send):
        begun.set()
        await asyncio.Event().wait()

    settings = Settings(data=tmp_path, port=0)
    with bind(settings) as listener:
        listen(listener, settings)
        config = uvicorn.Config(hanging_app, log_config=None, lifespan="off", timeout_graceful_shutdown=60)
        serving = asyncio.create_task(WebServer(config).serve_until(stopping, listener, hurry=hurry))
        _, writer = await asyncio.open_connection(*listener.getsockname())
        writer.write(REQUEST)
        await begun.wait()
        stopping.set()
        hurry.set()
        await asyncio.wait_for(serving, 10)
        writer.close()
