"""`almanac serve` and `almanac worker`: the long-running processes."""

import asyncio
import contextlib
import gc
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from almanac.accounts.service import first_run_link
from almanac.bootstrap import DEMO, make_worker, open_services
from almanac.cli import listener
from almanac.cli.runtime import run_async
from almanac.config import Settings, browser_address, load_settings, unknown_variables
from almanac.jobs.worker import Worker
from almanac.kit.lazy import lazy_module
from almanac.kit.logs import set_up_logging
from almanac.services import Services
from almanac.terminal import print_error, print_line

if TYPE_CHECKING:
    from almanac.cli import web_server
else:
    web_server = lazy_module("almanac.cli.web_server")


def serve() -> None:
    """Run the web interface, and the worker unless `ALMANAC_WORKER` is no."""
    settings = _settings()
    with listener.bind(settings) as port:
        run_async(lambda: _serve(settings, port))


def worker() -> None:
    """Run jobs and schedules, without the web interface."""
    settings = _settings()

    async def work() -> None:
        stopping = _stop_signals().stopping
        async with open_services(settings) as services:
            print_line("Working. Stop with Ctrl-C.")
            async with _worker_running(make_worker(services), stopping):
                await stopping.wait()

    run_async(work)


def _settings() -> Settings:
    settings = load_settings()
    set_up_logging(settings.log_format, settings.log_level)
    for name in unknown_variables(os.environ):
        print_error(f"{name} is set but isn't a known setting; `almanac config` lists all settings.")
    return settings


@dataclass(frozen=True, slots=True)
class StopSignals:
    """`stopping` is set by the first SIGTERM or SIGINT, `hurry` by a second."""

    stopping: asyncio.Event
    hurry: asyncio.Event

    def on_signal(self) -> None:
        (self.hurry if self.stopping.is_set() else self.stopping).set()


def _stop_signals() -> StopSignals:
    """Installed first, so that shutdown is never skipped."""
    signals = StopSignals(asyncio.Event(), asyncio.Event())
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, signals.on_signal)
    return signals


async def _serve(settings: Settings, port: socket.socket) -> None:
    signals = _stop_signals()
    async with open_services(settings) as services:
        server = web_server.server_for(services)
        listener.listen(port, settings)
        await _print_address(services, port)
        # Routes, templates and services live until the end, so the garbage collector can skip them.
        gc.freeze()
        async with _worker_running(make_worker(services) if settings.worker else None, signals.stopping):
            await server.serve_until(signals.stopping, port, hurry=signals.hurry)


@contextlib.asynccontextmanager
async def _worker_running(worker: Worker[Services] | None, stopping: asyncio.Event) -> AsyncIterator[None]:
    """Run the worker beside the web interface; when one ends, so does the other."""
    if worker is None:
        yield
        return
    work = asyncio.create_task(worker.run(), name="worker")
    work.add_done_callback(lambda _: stopping.set())
    try:
        yield
    finally:
        worker.stop()
        await work


async def _print_address(services: Services, port: socket.socket) -> None:
    """Print the address, and a sign-in link until an administrator has signed in."""
    address = services.settings.base_url or browser_address(*port.getsockname()[:2])
    link = await first_run_link(services.accounts)
    if link is not None and await DEMO.offer(services, link.user.id):
        print_line("Demo content is being loaded; `almanac demo --remove` removes it.")
    if link is not None:
        print_line(f"Sign in with this link; it works once, for a day:\n  {address.rstrip('/')}{link.path}")
    elif sys.stdout.isatty():
        print_line("Sign in with your password, or make a one-time link with `almanac user link`.")
    print_line(f"Almanac is at {address}. Stop it with Ctrl-C.")
    sys.stdout.flush()
