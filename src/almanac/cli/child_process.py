"""One process of `almanac serve --processes`: serves pages, or runs jobs. Started by the supervisor as a module.

A socket ties it to the supervisor: a byte from there says that everything is prepared, a byte back that requests are
answered. Its end means that all processes stop, also where the supervisor was killed; SIGTERM stops this one alone.
"""

import asyncio
import gc
import socket
import sys
from contextlib import suppress
from dataclasses import replace

from almanac.cli import web_server
from almanac.cli.reload import run_until_stopped
from almanac.cli.runtime import run_async, run_guarded
from almanac.cli.server import load_server_settings, run_worker
from almanac.cli.stop_signals import install_stop_signals
from almanac.cli.supervisor import WEB
from almanac.config import Settings
from almanac.services import Services


def main(kind: str, port_number: int, tie_number: int) -> None:
    """Wait until everything is prepared, then serve or work until the supervisor or a signal ends it."""
    with socket.socket(fileno=port_number) as port, socket.socket(fileno=tie_number) as tie:
        settings = replace(load_server_settings(), port=port.getsockname()[1])
        if tie.recv(1):
            run_async(lambda: _serve(settings, port, tie) if kind == WEB else _work(settings, tie))


async def _serve(settings: Settings, port: socket.socket, tie: socket.socket) -> None:
    signals, all_stopping = install_stop_signals(), asyncio.Event()
    _watch(tie, all_stopping, signals.stopping)

    async def serve_once(services: Services, ending: asyncio.Event) -> None:
        server = web_server.server_for(services, on_started=lambda: _say_ready(tie), shares_port=True)
        # Routes, templates and services live until the end, so the garbage collector can skip them.
        gc.unfreeze()
        gc.freeze()
        await server.serve_until(ending, port, hurry=signals.hurry, for_good=all_stopping)

    await run_until_stopped(settings, signals.stopping, serve_once)


async def _work(settings: Settings, tie: socket.socket) -> None:
    signals = install_stop_signals()
    _watch(tie, asyncio.Event(), signals.stopping)
    _say_ready(tie)
    await run_worker(settings, signals.stopping)


def _watch(tie: socket.socket, all_stopping: asyncio.Event, stopping: asyncio.Event) -> None:
    """Stop when the supervisor lets go."""
    loop = asyncio.get_running_loop()

    def let_go() -> None:
        loop.remove_reader(tie)
        all_stopping.set()
        stopping.set()

    tie.setblocking(False)
    loop.add_reader(tie, let_go)


def _say_ready(tie: socket.socket) -> None:
    with suppress(OSError):
        tie.send(b"r")


if __name__ == "__main__":
    sys.exit(run_guarded(lambda: main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))))
