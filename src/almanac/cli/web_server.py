"""The web server of `almanac serve`: uvicorn over the whole application. Only that command loads this module."""

import asyncio
import contextlib
import socket
from collections.abc import Iterator

import uvicorn

from almanac.desks import DESKS
from almanac.services import Services
from almanac.web.app import create_app

_SECONDS_TO_FINISH = 3


class WebServer(uvicorn.Server):
    """uvicorn without its way of ending by the signal that stopped it, which would skip our own closing."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def serve_until(self, stopping: asyncio.Event, listener: socket.socket) -> None:
        """Answer requests until told to stop; what is under way gets a moment to finish."""
        serving = asyncio.create_task(self.serve(sockets=[listener]), name="web")
        stopped = asyncio.create_task(stopping.wait())
        await asyncio.wait({serving, stopped}, return_when=asyncio.FIRST_COMPLETED)
        self.should_exit = True
        stopped.cancel()
        await serving


def server_for(services: Services) -> WebServer:
    """A server of the platform's and every desk's pages and API."""
    return WebServer(
        uvicorn.Config(
            create_app(services, DESKS),
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=services.settings.base_url is not None,
            timeout_graceful_shutdown=_SECONDS_TO_FINISH,
        )
    )
