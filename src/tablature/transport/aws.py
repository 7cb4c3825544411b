"""The transport to Amazon DynamoDB and everything that speaks its protocol: a blocking and an asynchronous client."""

import asyncio
import time
from typing import Any, Self
from urllib.parse import urlsplit

import aiohttp

from tablature.errors import TablatureError
from tablature.transport.connections import ConnectionLost, Pool, RawResponse
from tablature.transport.credentials import Provider, find_credentials, find_region
from tablature.transport.exchange import Clock, Exchange, Line, RetryPolicy
from tablature.transport.signing import Credentials, Signer

_CONNECTIONS = 50


class Aws:
    """Operations sent to an endpoint over HTTP, from blocking code by `send` and from a loop by `send_async`.

    Without `endpoint_url` it is Amazon's own endpoint of the region. Credentials and region are looked for as every
    AWS tool does, unless given.
    """

    def __init__(
        self,
        *,
        region: str | None = None,
        endpoint_url: str | None = None,
        credentials: Credentials | Provider | None = None,
        connect_timeout: float = 5.0,
        read_timeout: float = 30.0,
        retries: RetryPolicy | None = None,
    ) -> None:
        region = region or find_region()
        if region is None:
            raise TablatureError("No region: pass region=, or set AWS_REGION.")
        self.endpoint_url = (endpoint_url or f"https://dynamodb.{region}.amazonaws.com").rstrip("/")
        parts = urlsplit(self.endpoint_url)
        self._path = parts.path or "/"
        self._line = Line(
            parts.netloc.rpartition("@")[2], self._path, Signer(region), _provider(credentials), Clock(),
            retries or RetryPolicy(),
        )  # fmt: skip
        self._timeouts = (connect_timeout, read_timeout)
        self._pool = Pool(self.endpoint_url, connect_timeout=connect_timeout, read_timeout=read_timeout)
        self._sessions: dict[asyncio.AbstractEventLoop, aiohttp.ClientSession] = {}

    def send(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        """Send one operation and wait for its response."""
        exchange = Exchange(self._line, operation, request)
        while True:
            try:
                raw = self._pool.post(self._path, exchange.headers(), exchange.body)
            except ConnectionLost as error:
                exchange.lost(error)
            else:
                response = exchange.answer(raw)
                if response is not None:
                    return response
            time.sleep(exchange.pause)

    async def send_async(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        """The same, without blocking the loop."""
        exchange = Exchange(self._line, operation, request)
        while True:
            try:
                raw = await self._post(exchange)
            except (aiohttp.ClientError, TimeoutError, OSError) as error:
                exchange.lost(error)
            else:
                response = exchange.answer(raw)
                if response is not None:
                    return response
            await asyncio.sleep(exchange.pause)

    async def _post(self, exchange: Exchange) -> RawResponse:
        url = self.endpoint_url + ("" if urlsplit(self.endpoint_url).path else "/")
        async with self._session().post(url, data=exchange.body, headers=exchange.headers()) as answer:
            body = await answer.read()
            headers = {name.lower(): value for name, value in answer.headers.items()}
            return RawResponse(answer.status, headers, body)

    def _session(self) -> aiohttp.ClientSession:
        """One session per loop; connections can't be shared between loops."""
        loop = asyncio.get_running_loop()
        session = self._sessions.get(loop)
        if session is None or session.closed:
            connect, read = self._timeouts
            session = self._sessions[loop] = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=_CONNECTIONS),
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=connect, sock_read=read),
                auto_decompress=True,
                skip_auto_headers=("Accept", "Accept-Encoding", "User-Agent"),
            )
        return session

    def close(self) -> None:
        """Close the blocking connections."""
        self._pool.close()

    async def close_async(self) -> None:
        """Close the connections of the running loop, and the blocking ones."""
        session = self._sessions.pop(asyncio.get_running_loop(), None)
        if session is not None:
            await session.close()
        self._pool.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close_async()


def _provider(given: Credentials | Provider | None) -> Provider:
    if isinstance(given, Credentials):
        return lambda: given
    return given or find_credentials()
