"""Runs `almanac serve --processes`: prepares everything once, starts the processes, starts again those that die.

Web processes take connections from one listening socket; jobs run in a process of their own. What must be single is
the supervisor's: the embedded PostgreSQL stays as long as it does, and migrations are done before any process starts.
"""

import asyncio
import logging
import os
import signal
import socket
import sys
import tempfile
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress

from almanac.bootstrap import bring_index_up_to_date, database_address, open_services
from almanac.cli import listener
from almanac.cli.stop_signals import StopSignals, install_stop_signals
from almanac.config import Settings
from almanac.errors import AlmanacError, SettingError
from almanac.services import Services

WEB, WORKER = "web", "worker"
_MODULE = "almanac.cli.child_process"
# By this variable the processes find where to add up the metrics of all of them.
_METRICS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
_MOST_EARLY_ENDS = 5
_STEADY_SECONDS = 10.0
_FIRST_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS = 0.2, 5.0
logger = logging.getLogger(__name__)

Greet = Callable[[Services, socket.socket], Awaitable[None]]


def require_shareable(settings: Settings) -> None:
    """Refuse settings that keep something in the memory of one process."""
    for name in ("objects_url", "mail_url"):
        if (getattr(settings, name) or "").startswith("memory:"):
            variable = f"ALMANAC_{name.upper()}"
            raise SettingError(f"{variable}=memory: is in one process only; set another, or ALMANAC_PROCESSES=1.")


async def supervise(settings: Settings, port: socket.socket, greet: Greet) -> None:
    """Serve by several processes until SIGTERM or SIGINT; `greet` is called once requests are taken."""
    signals = install_stop_signals()
    with tempfile.TemporaryDirectory(prefix="almanac-metrics-") as metrics:
        children = [
            ChildKeeper(kind, port, metrics)
            for kind in (*[WEB] * settings.processes, *([WORKER] if settings.worker else []))
        ]
        # They load their modules while the data is prepared.
        tasks = [asyncio.create_task(child.keep(), name=child.kind) for child in children]
        try:
            async with database_address(settings):
                await _open(settings, port, children, tasks, greet)
                await _wait_for_end(signals.stopping.wait(), tasks)
                await _stop(children, tasks, signals)
        finally:
            for child in children:
                child.kill()


async def _open(
    settings: Settings,
    port: socket.socket,
    children: "list[ChildKeeper]",
    tasks: "list[asyncio.Task[None]]",
    greet: Greet,
) -> None:
    """Migrate, let the processes begin, and say where Almanac is once the first of them answers."""
    async with open_services(settings) as services:
        await bring_index_up_to_date(services)
        listener.listen(port, settings)
        for child in children:
            child.prepared.set()
        await _wait_for_end(children[0].ready.wait(), tasks)
        await greet(services, port)


async def _wait_for_end(event: Coroutine[object, object, object], tasks: "list[asyncio.Task[None]]") -> None:
    """Wait for an event; a process that can't be kept running ends everything."""
    happened = asyncio.create_task(event)
    done, _ = await asyncio.wait({happened, *tasks}, return_when=asyncio.FIRST_COMPLETED)
    happened.cancel()
    for task in tasks:
        if task in done:
            task.result()


async def _stop(children: "list[ChildKeeper]", tasks: "list[asyncio.Task[None]]", signals: StopSignals) -> None:
    """Let go of all processes; a second signal lets them hurry."""
    for child in children:
        child.let_go()
    hurried = asyncio.create_task(_hurry(children, signals))
    await asyncio.gather(*tasks)
    hurried.cancel()


async def _hurry(children: "list[ChildKeeper]", signals: StopSignals) -> None:
    await signals.hurry.wait()
    for child in children:
        child.hurry()


class ChildKeeper:
    """Keeps one process running: when it dies, another is started, ever later if it dies soon after its start."""

    def __init__(self, kind: str, port: socket.socket, metrics: str) -> None:
        self.kind = kind
        self.prepared = asyncio.Event()
        self.ready = asyncio.Event()
        self._port = port
        self._environment = {**os.environ, _METRICS_FOLDER: metrics}
        self._stopping = asyncio.Event()
        self._process: asyncio.subprocess.Process | None = None
        self._tie: socket.socket | None = None

    async def keep(self) -> None:
        """Run until `let_go`. AlmanacError if the process ends again and again before it has run for a while."""
        early_ends = 0
        loop = asyncio.get_running_loop()
        while not self._stopping.is_set():
            began = loop.time()
            code = await self._run_once()
            if self._stopping.is_set():
                return
            early_ends = 0 if loop.time() - began > _STEADY_SECONDS else early_ends + 1
            if early_ends >= _MOST_EARLY_ENDS or code == 2:
                raise AlmanacError(f"The {self.kind} process can't be kept running; what it said is above.")
            logger.warning("The %s process ended (%s); another is started.", self.kind, code)
            await self._pause(early_ends)

    async def _run_once(self) -> int:
        """Start the process, tell it when everything is prepared, wait for its end; returns its exit code."""
        ours, theirs = socket.socketpair()
        with ours, theirs:
            command = [sys.executable, "-m", _MODULE, self.kind, str(self._port.fileno()), str(theirs.fileno())]
            # Ctrl-C in a terminal goes to a whole session; the processes hear of it from here, once.
            self._process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.DEVNULL,
                pass_fds=(self._port.fileno(), theirs.fileno()),
                start_new_session=True,
                env=self._environment,
            )
            theirs.close()
            ours.setblocking(False)
            self._tie = ours
            telling = asyncio.create_task(self._tell_prepared(ours))
            try:
                return await self._process.wait()
            finally:
                telling.cancel()
                self._tie = None

    async def _tell_prepared(self, tie: socket.socket) -> None:
        """Let the process begin, and hear when it answers."""
        await self.prepared.wait()
        loop = asyncio.get_running_loop()
        with suppress(OSError):
            await loop.sock_sendall(tie, b"g")
            if await loop.sock_recv(tie, 1):
                self.ready.set()

    async def _pause(self, early_ends: int) -> None:
        with suppress(TimeoutError):
            pause = min(_FIRST_PAUSE_SECONDS * 2**early_ends, _LONGEST_PAUSE_SECONDS) if early_ends else 0
            await asyncio.wait_for(self._stopping.wait(), pause)

    def let_go(self) -> None:
        """Ask the process to stop as all do, by closing the socket that ties it to this one."""
        self._stopping.set()
        if self._tie is not None:
            with suppress(OSError):
                self._tie.shutdown(socket.SHUT_RDWR)

    def hurry(self) -> None:
        """Ask it not to wait for open requests."""
        self._signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it at once, if it still runs."""
        self._signal(signal.SIGKILL)

    def _signal(self, number: int) -> None:
        if self._process is not None and self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.send_signal(number)
