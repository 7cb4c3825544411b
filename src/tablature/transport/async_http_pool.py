"""The pooled HTTP/1.1 client for asyncio, with the same request format and parser as the blocking one.

A general-purpose client costs more per small request than signing, sending and decoding together.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping
from typing import cast
from urllib.parse import urlsplit

from tablature.transport.http_pool import ConnectionLost, HttpResponseParser, RawResponse, request_bytes

_MAX_CONNECTIONS = 50


class _Connection(asyncio.Protocol):
    """One connection, with at most one request under way."""

    def __init__(self) -> None:
        self.is_open = False
        self._transport: asyncio.Transport | None = None
        self._reader: HttpResponseParser | None = None
        self._answer: asyncio.Future[RawResponse] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self.is_open = True

    def data_received(self, data: bytes) -> None:
        if self._reader is None:
            self.close()
            return
        try:
            self._reader.feed(data)
        except ConnectionLost as error:
            self._fail(error)
            return
        self._deliver()

    def connection_lost(self, error: Exception | None) -> None:
        self.is_open = False
        if self._reader is None:
            return
        try:
            self._reader.end()
        except ConnectionLost as lost:
            self._fail(ConnectionLost(str(error)) if error else lost)
            return
        self._deliver()

    async def request(self, request: bytes) -> RawResponse:
        """Send a request and wait for its response."""
        assert self._transport is not None
        self._reader = HttpResponseParser()
        self._answer = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        try:
            return await self._answer
        finally:
            self.is_open = self.is_open and self._reader.is_reusable
            self._reader = None

    def close(self) -> None:
        self.is_open = False
        if self._transport is not None:
            self._transport.abort()

    def _deliver(self) -> None:
        if self._reader and self._reader.response and self._answer and not self._answer.done():
            self._answer.set_result(self._reader.response)

    def _fail(self, error: Exception) -> None:
        if self._answer and not self._answer.done():
            self._answer.set_exception(error)
        self.close()


class AsyncHttpPool:
    """Connections to one endpoint from one event loop, at most fifty at a time."""

    def __init__(self, url: str, *, connect_timeout: float, read_timeout: float) -> None:
        parts = urlsplit(url)
        self._context = ssl.create_default_context() if parts.scheme == "https" else None
        self._address = (parts.hostname or "localhost", parts.port or (443 if self._context else 80))
        self._connect_timeout, self._read_timeout = connect_timeout, read_timeout
        self._idle: list[_Connection] = []
        self._room = asyncio.Semaphore(_MAX_CONNECTIONS)

    async def post(self, path: str, headers: Mapping[str, str], body: bytes) -> RawResponse:
        """Send one request and read its response. The connection is kept if the server allows it."""
        async with self._room:
            connection = await self._take()
            try:
                async with asyncio.timeout(self._read_timeout):
                    response = await connection.request(request_bytes(path, headers, body))
            except TimeoutError as error:
                connection.close()
                raise ConnectionLost("timed out") from error
            except BaseException:
                connection.close()
                raise
            self._give_back(connection)
        return response

    def close(self) -> None:
        """Close idle connections."""
        while self._idle:
            self._idle.pop().close()

    async def _take(self) -> _Connection:
        while self._idle:
            connection = self._idle.pop()
            if connection.is_open:
                return connection
        host, port = self._address
        try:
            async with asyncio.timeout(self._connect_timeout):
                loop = asyncio.get_running_loop()
                _, made = await loop.create_connection(_Connection, host, port, ssl=self._context)
        except (OSError, TimeoutError) as error:
            raise ConnectionLost(f"{host}:{port} can't be reached: {str(error) or 'timed out'}") from error
        return made

    def _give_back(self, connection: _Connection) -> None:
        if connection.is_open:
            self._idle.append(connection)
        else:
            connection.close()
