"""The transport to Amazon DynamoDB and compatible services, blocking and asyncio."""

import asyncio
import time
from typing import Any, Self
from urllib.parse import urlsplit

from tablature.errors import TablatureError
from tablature.transport.async_http_pool import AsyncHttpPool
from tablature.transport.credentials import CredentialsProvider, find_credentials, find_region
from tablature.transport.http_exchange import AwsRetryPolicy, EndpointConfig, HttpExchange, ServiceClock
from tablature.transport.http_pool import ConnectionLost, HttpPool
from tablature.transport.signature import AwsCredentials, Signer


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
        credentials: AwsCredentials | CredentialsProvider | None = None,
        connect_timeout: float = 5.0,
        read_timeout: float = 30.0,
        retries: AwsRetryPolicy | None = None,
    ) -> None:
        region = region or find_region()
        if region is None:
            raise TablatureError("No region: pass region=, or set AWS_REGION.")
        self.endpoint_url = (endpoint_url or f"https://dynamodb.{region}.amazonaws.com").rstrip("/")
        parts = urlsplit(self.endpoint_url)
        self._path = parts.path or "/"
        self._endpoint = EndpointConfig(
            parts.netloc.rpartition("@")[2],
            self._path,
            Signer(region),
            _provider(credentials),
            ServiceClock(),
            retries or AwsRetryPolicy(),
        )
        self._timeouts = (connect_timeout, read_timeout)
        self._pool = HttpPool(self.endpoint_url, connect_timeout=connect_timeout, read_timeout=read_timeout)
        self._pools: dict[asyncio.AbstractEventLoop, AsyncHttpPool] = {}

    def send(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        """Send one operation and wait for its response."""
        exchange = HttpExchange(self._endpoint, operation, request)
        while True:
            try:
                raw = self._pool.post(self._path, exchange.headers(), exchange.body)
            except ConnectionLost as error:
                exchange.connection_lost(error)
            else:
                response = exchange.accept(raw)
                if response is not None:
                    return response
            time.sleep(exchange.pause)

    async def send_async(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        """The same, without blocking the loop."""
        exchange = HttpExchange(self._endpoint, operation, request)
        while True:
            try:
                raw = await self._async_pool().post(self._path, exchange.headers(), exchange.body)
            except ConnectionLost as error:
                exchange.connection_lost(error)
            else:
                response = exchange.accept(raw)
                if response is not None:
                    return response
            await asyncio.sleep(exchange.pause)

    def _async_pool(self) -> AsyncHttpPool:
        """One pool per loop; connections can't be shared between loops."""
        loop = asyncio.get_running_loop()
        pool = self._pools.get(loop)
        if pool is None:
            connect, read = self._timeouts
            pool = self._pools[loop] = AsyncHttpPool(self.endpoint_url, connect_timeout=connect, read_timeout=read)
        return pool

    def close(self) -> None:
        """Close the blocking connections."""
        self._pool.close()

    async def close_async(self) -> None:
        """Close the connections of the running loop, and the blocking ones."""
        pool = self._pools.pop(asyncio.get_running_loop(), None)
        if pool is not None:
            pool.close()
            # The loop closes the sockets on its next turn.
            await asyncio.sleep(0)
        self._pool.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close_async()


def _provider(credentials: AwsCredentials | CredentialsProvider | None) -> CredentialsProvider:
    if isinstance(credentials, AwsCredentials):
        return lambda: credentials
    return credentials or find_credentials()
