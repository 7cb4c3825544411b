"""`almanac serve` and `almanac worker`: the processes that stay, with a clear word when they can't start."""

import asyncio
import contextlib
import errno
import gc
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from almanac.accounts.service import first_run_link
from almanac.bootstrap import DEMO, make_worker, open_services
from almanac.cli.boundary import run
from almanac.config import Settings, browser_address, load_settings, unknown_variables
from almanac.errors import SettingError
from almanac.jobs.worker import Worker
from almanac.kit.lazy import lazy_module
from almanac.kit.logs import set_up_logging
from almanac.services import Services
from almanac.terminal import print_error, print_line

if TYPE_CHECKING:
    from almanac.cli import web_server
else:
    web_server = lazy_module("almanac.cli.web_server")

_BACKLOG = 512


def serve() -> None:
    """Run the web interface, and the worker unless `ALMANAC_WORKER` says no."""
    settings = _settings()
    with _listen(settings) as listener:
        run(lambda: _serve(settings, listener))


def worker() -> None:
    """Run jobs and keep schedules, without the web interface."""
    settings = _settings()

    async def work() -> None:
        stopping = _stop_signals()
        async with open_services(settings) as services:
            print_line("Working. Stop with Ctrl-C.")
            async with _working(make_worker(services), stopping):
                await stopping.wait()

    run(work)


def _settings() -> Settings:
    settings = load_settings()
    set_up_logging(settings.log_format, settings.log_level)
    for name in unknown_variables(os.environ):
        print_error(f"{name} is set, and there is no such setting; `almanac config` lists them all.")
    return settings


def _listen(settings: Settings) -> socket.socket:
    """Take the port before anything is started, so that a busy one costs nothing."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # The protocol is named because asyncio turns off Nagle's delay only for sockets that say they are TCP.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except (OSError, TypeError, UnicodeError) as error:
        # A name that can't be one at all is a TypeError, or cannot be encoded.
        listener.close()
        raise SettingError(_why_not(settings, error)) from error
    listener.listen(_BACKLOG)
    return listener


def _why_not(settings: Settings, error: Exception) -> str:
    if not isinstance(error, OSError):
        return f"{settings.host} is no name of a host; check ALMANAC_HOST."
    if error.errno == errno.EADDRINUSE:
        return f"Port {settings.port} is in use by another program; stop it, or set ALMANAC_PORT to another."
    if error.errno == errno.EACCES:
        return f"This account may not use port {settings.port}; set ALMANAC_PORT to one above 1023."
    return f"{settings.host} can't be listened on ({error.strerror or error}); check ALMANAC_HOST."


def _stop_signals() -> asyncio.Event:
    """Set when the process is asked to end; listened for from the first moment, so that closing is never skipped."""
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    return stopping


async def _serve(settings: Settings, listener: socket.socket) -> None:
    stopping = _stop_signals()
    async with open_services(settings) as services:
        server = web_server.server_for(services)
        await _greet(services, listener)
        # Routes, templates and services stay until the end: they aren't searched for garbage while people wait.
        gc.freeze()
        async with _working(make_worker(services) if settings.worker else None, stopping):
            await server.serve_until(stopping, listener)


@contextlib.asynccontextmanager
async def _working(worker: Worker[Services] | None, stopping: asyncio.Event) -> AsyncIterator[None]:
    """The worker beside the web interface; when one ends, so does the other."""
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


async def _greet(services: Services, listener: socket.socket) -> None:
    """Tell where to go. A link is printed until an administrator has signed in; the port listens already."""
    address = services.settings.base_url or browser_address(*listener.getsockname()[:2])
    link = await first_run_link(services.accounts)
    if link is not None and await DEMO.offer(services, link.user.id):
        print_line("Demo content is being loaded; `almanac demo --remove` takes it away again.")
    if link is not None:
        print_line(f"Sign in with this link; it works once, for a day:\n  {address.rstrip('/')}{link.path}")
    elif sys.stdout.isatty():
        print_line("Sign in with your password, or make a one-time link with `almanac user link`.")
    print_line(f"Almanac is at {address}. Stop it with Ctrl-C.")
    sys.stdout.flush()
