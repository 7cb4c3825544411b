"""The uvicorn server of `almanac serve`; loaded only by that command."""

import asyncio
import contextlib
import socket
from collections.abc import Callable, Iterator

import uvicorn

from almanac.cli.listener import BACKLOG, refuse_new, restore_backlog
from almanac.desks import DESKS
from almanac.http.app_state import AppState
from almanac.services import Services
from almanac.web.app import create_app

# What is being answered gets so long to end. Units and containers are killed after 60 s, with a worker's 20 between.
_SHUTDOWN_SECONDS = 20
# A connection that was just made gets so long to send its request.
_LEAST_SECONDS, _MOST_SECONDS = 0.1, 1.0


class WebServer(uvicorn.Server):
    """A uvicorn server that leaves signals to the caller, because its own handling would skip our shutdown.

    With the `state` of the application, it says there when it stops.
    """

    def __init__(
        self, config: uvicorn.Config, state: AppState | None = None, *, on_started: Callable[[], None] | None = None
    ) -> None:
        super().__init__(config)
        self._state = state
        self._on_started = on_started or (lambda: None)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for port in sockets or ():
            restore_backlog(port)
        self._on_started()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def serve_until(
        self,
        stopping: asyncio.Event,
        listener: socket.socket,
        *,
        hurry: asyncio.Event | None = None,
        for_good: asyncio.Event | None = None,
    ) -> None:
        """Serve until `stopping` is set; open requests get a moment to finish, unless `hurry` is set too.

        Unless `for_good` is set then, another server goes on with the same socket, where new connections wait.
        """
        serving = asyncio.create_task(self.serve(sockets=[listener.dup()]), name="web")
        stopped = asyncio.create_task(stopping.wait())
        hurried = asyncio.create_task((hurry or asyncio.Event()).wait())
        hurried.add_done_callback(self._force_exit)
        await asyncio.wait({serving, stopped}, return_when=asyncio.FIRST_COMPLETED)
        ends_here = serving.done() or for_good is None or for_good.is_set()
        if not serving.done():
            await self._drain(listener, for_good=ends_here)
        self.should_exit = True
        if ends_here:
            listener.close()
        stopped.cancel()
        await serving
        hurried.cancel()

    def _force_exit(self, hurried: "asyncio.Task[bool]") -> None:
        self.force_exit = self.force_exit or not hurried.cancelled()

    async def _drain(self, listener: socket.socket, *, for_good: bool) -> None:
        """Refuse new connections without losing one that was made, and end live streams, so that browsers reconnect.

        Not for good, they are left to the next server instead.
        """
        if for_good and self._state is not None:
            self._state.draining.set()
            await self._pause(self._state.services.settings.drain_seconds)
        if for_good:
            refuse_new(listener)
        else:
            for server in self.servers:
                server.close()
        await self._pause(_LEAST_SECONDS)
        loop = asyncio.get_running_loop()
        end = loop.time() + _MOST_SECONDS
        while loop.time() < end and self._awaits_requests():
            await self._pause(_LEAST_SECONDS)
        if self._state is not None:
            self._state.closing.set()

    def _awaits_requests(self) -> bool:
        """Whether a connection has not sent its first request yet; uvicorn closes it as if it were idle."""
        return any(getattr(connection, "cycle", "") is None for connection in self.server_state.connections)

    async def _pause(self, seconds: float) -> None:
        if not self.force_exit:
            await asyncio.sleep(seconds)


def server_for(
    services: Services, *, on_started: Callable[[], None] | None = None, shares_port: bool = False
) -> WebServer:
    """The server for all pages and APIs. One that shares its port takes connections one by one, so that none is left
    waiting behind others while another process has nothing to do.
    """
    settings = services.settings
    app = create_app(services, DESKS)
    return WebServer(
        uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=settings.base_url is not None,
            forwarded_allow_ips=settings.trusted_proxies,
            timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
            backlog=1 if shares_port else BACKLOG,
        ),
        app.state.almanac,
        on_started=on_started,
    )
