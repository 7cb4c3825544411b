"""`almanac serve` and `almanac worker`: the long-running processes."""

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
from almanac.cli.runtime import run_async
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
    """Run the web interface, and the worker unless `ALMANAC_WORKER` is no."""
    settings = _settings()
    with _listen(settings) as listener:
        run_async(lambda: _serve(settings, listener))


def worker() -> None:
    """Run jobs and schedules, without the web interface."""
    settings = _settings()

    async def work() -> None:
        stopping = _stop_signals()
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


def _listen(settings: Settings) -> socket.socket:
    """Bind the port before anything starts, so that a busy port fails fast."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # The protocol is named because asyncio turns off Nagle's delay only for sockets that say they are TCP.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except (OSError, TypeError, UnicodeError) as error:
        # An invalid host name raises TypeError or UnicodeError.
        listener.close()
        raise SettingError(_bind_error(settings, error)) from error
    listener.listen(_BACKLOG)
    return listener


def _bind_error(settings: Settings, error: Exception) -> str:
    if not isinstance(error, OSError):
        return f"{settings.host} isn't a valid host name; check ALMANAC_HOST."
    if error.errno == errno.EADDRINUSE:
        return f"Port {settings.port} is in use by another program; stop it, or set ALMANAC_PORT to another."
    if error.errno == errno.EACCES:
        return f"This account may not use port {settings.port}; set ALMANAC_PORT to one above 1023."
    return f"{settings.host} can't be listened on ({error.strerror or error}); check ALMANAC_HOST."


def _stop_signals() -> asyncio.Event:
    """An event set by SIGTERM or SIGINT. Installed first, so that shutdown is never skipped."""
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    return stopping


async def _serve(settings: Settings, listener: socket.socket) -> None:
    stopping = _stop_signals()
    async with open_services(settings) as services:
        server = web_server.server_for(services)
        await _print_address(services, listener)
        # Routes, templates and services live until the end, so the garbage collector can skip them.
        gc.freeze()
        async with _worker_running(make_worker(services) if settings.worker else None, stopping):
            await server.serve_until(stopping, listener)


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


async def _print_address(services: Services, listener: socket.socket) -> None:
    """Print the address, and a sign-in link until an administrator has signed in."""
    address = services.settings.base_url or browser_address(*listener.getsockname()[:2])
    link = await first_run_link(services.accounts)
    if link is not None and await DEMO.offer(services, link.user.id):
        print_line("Demo content is being loaded; `almanac demo --remove` removes it.")
    if link is not None:
        print_line(f"Sign in with this link; it works once, for a day:\n  {address.rstrip('/')}{link.path}")
    elif sys.stdout.isatty():
        print_line("Sign in with your password, or make a one-time link with `almanac user link`.")
    print_line(f"Almanac is at {address}. Stop it with Ctrl-C.")
    sys.stdout.flush()
