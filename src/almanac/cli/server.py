"""`almanac serve` and `almanac worker`: the long-running processes."""

import asyncio
import contextlib
import gc
import socket
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from almanac.accounts.service import first_run_link
from almanac.bootstrap import DEMO, bring_index_up_to_date, make_worker
from almanac.cli import listener
from almanac.cli.reload import run_until_stopped
from almanac.cli.runtime import run_async
from almanac.cli.server_address import announced_address, with_server_address
from almanac.cli.stop_signals import install_stop_signals
from almanac.cli.supervisor import require_shareable, supervise
from almanac.config import Settings, browser_address, load_settings
from almanac.jobs.worker import Worker
from almanac.kit.lazy import lazy_module
from almanac.kit.logs import set_up_logging
from almanac.services import Services
from almanac.telemetry import start_tracing
from almanac.terminal import print_line

if TYPE_CHECKING:
    from almanac.cli import web_server
else:
    web_server = lazy_module("almanac.cli.web_server")


def serve(
    processes: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=64,
            help="Processes that serve pages, with jobs in one of their own; `ALMANAC_PROCESSES` sets it too.",
        ),
    ] = None,
) -> None:
    """Run the web interface, and the worker unless `ALMANAC_WORKER` is no."""
    settings = load_server_settings()
    if processes is not None:
        settings = replace(settings, processes=processes)
    settings.check_single_user()
    if settings.processes > 1:
        require_shareable(settings)
    run = _serve if settings.processes == 1 else _supervise
    with listener.bind(settings) as port:
        settings = replace(settings, port=port.getsockname()[1])
        address = settings.base_url or browser_address(settings.host, settings.port)
        with announced_address(settings.data, address):
            run_async(lambda: run(settings, port))


def worker() -> None:
    """Run jobs and schedules, without the web interface."""
    run_async(lambda: _work(with_server_address(load_server_settings())))


def load_server_settings() -> Settings:
    """The settings, with logging and tracing set up as a long-running process needs them."""
    settings = load_settings()
    set_up_logging(settings.log_format, settings.log_level)
    start_tracing(settings.otlp_endpoint)
    return settings


async def _supervise(settings: Settings, port: socket.socket) -> None:
    _announce_first_start(settings)
    await supervise(settings, port, _print_address)


async def _serve(settings: Settings, port: socket.socket) -> None:
    signals, greeted = install_stop_signals(), False

    async def serve_once(services: Services, ending: asyncio.Event) -> None:
        nonlocal greeted
        server = web_server.server_for(services)
        await bring_index_up_to_date(services)
        if not greeted:
            listener.listen(port, settings)
            await _print_address(services, port)
            greeted = True
        # Routes, templates and services live until the end, so the garbage collector can skip them.
        gc.unfreeze()
        gc.freeze()
        async with _worker_running(make_worker(services) if services.settings.worker else None, ending):
            await server.serve_until(ending, port, hurry=signals.hurry, for_good=signals.stopping)

    _announce_first_start(settings)
    await run_until_stopped(settings, signals.stopping, serve_once)


async def _work(settings: Settings) -> None:
    stopping = install_stop_signals().stopping
    print_line("Working. Stop with Ctrl-C.")
    await run_worker(settings, stopping)


async def run_worker(settings: Settings, stopping: asyncio.Event) -> None:
    """Run jobs and schedules until `stopping` is set, with new settings whenever the choices of set-up change."""

    async def work_once(services: Services, ending: asyncio.Event) -> None:
        await bring_index_up_to_date(services)
        async with _worker_running(make_worker(services), ending):
            await ending.wait()

    await run_until_stopped(settings, stopping, work_once)


def _announce_first_start(settings: Settings) -> None:
    """Say what takes so long when the database is made; later starts are quiet."""
    if settings.database_url is None and not (settings.data / "postgres").exists():
        print_line(f"First start: making the database in {settings.data}. This takes some seconds.")
        sys.stdout.flush()


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
    if services.settings.single_user:
        print_line("Single-user mode: on this machine nobody signs in; whoever opens the page is the administrator.")
    elif link is not None:
        print_line(f"Sign in with this link; it works once, for a day:\n  {address.rstrip('/')}{link.path}")
    elif sys.stdout.isatty():
        print_line("Sign in with your password, or make a one-time link with `almanac user link`.")
    print_line(f"Almanac is at {address}. Stop it with Ctrl-C.")
    sys.stdout.flush()
