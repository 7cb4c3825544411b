"""The uvicorn server of `almanac serve`; loaded only by that command."""

import asyncio
import contextlib
import socket
from collections.abc import Iterator

import uvicorn

from almanac.desks import DESKS
from almanac.services import Services
from almanac.web.app import create_app

_SHUTDOWN_SECONDS = 3


class WebServer(uvicorn.Server):
    """A uvicorn server that leaves signals to the caller, because its own handling would skip our shutdown."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def serve_until(self, stopping: asyncio.Event, listener: socket.socket) -> None:
        """Serve until `stopping` is set; open requests get a moment to finish."""
        serving = asyncio.create_task(self.serve(sockets=[listener]), name="web")
        stopped = asyncio.create_task(stopping.wait())
        await asyncio.wait({serving, stopped}, return_when=asyncio.FIRST_COMPLETED)
        self.should_exit = True
        stopped.cancel()
        await serving


def server_for(services: Services) -> WebServer:
    """The server for all pages and APIs."""
    return WebServer(
        uvicorn.Config(
            create_app(services, DESKS),
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=services.settings.base_url is not None,
            timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
        )
    )
