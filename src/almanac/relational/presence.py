"""Tells other processes whether this one is alive: it holds an advisory lock, which PostgreSQL releases when it dies.

The death of a process is known at once, because its connections are closed. The death of a machine is known when the
keep-alive messages of the server stay unanswered, after about ten seconds.
"""

import asyncio
import secrets
from contextlib import suppress
from typing import LiteralString

import psycopg
from psycopg import AsyncConnection

from almanac.errors import Unavailable

NAMESPACE = 0x0A13
_LARGEST = 2**31 - 1
_RETRY_SECONDS = 0.5
_PATIENCE_SECONDS = 2.0
_LOCK: LiteralString = "SELECT pg_advisory_lock(%s, %s)"
_KEEP_ALIVE: LiteralString = (
    "SET tcp_keepalives_idle = 4; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3"
)


class Presence:
    """The lock of this process, taken on first use. It is taken again after a broken connection."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._number = secrets.randbelow(_LARGEST) + 1
        self._holding: asyncio.Task[None] | None = None
        self._held = asyncio.Event()

    async def announce(self) -> int:
        """The number of the lock, which is held when this returns. Raises Unavailable if it can't be taken."""
        if self._holding is None:
            self._holding = asyncio.create_task(self._hold(), name="presence in the database")
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                await self._held.wait()
        except TimeoutError as error:
            raise Unavailable("The database doesn't answer right now; try again in a minute.") from error
        return self._number

    async def close(self) -> None:
        if self._holding is not None:
            self._holding.cancel()
            with suppress(asyncio.CancelledError):
                await self._holding
            self._holding = None

    async def _hold(self) -> None:
        while True:
            with suppress(psycopg.Error):
                await self._hold_until_broken()
            await asyncio.sleep(_RETRY_SECONDS)

    async def _hold_until_broken(self) -> None:
        connection = await AsyncConnection.connect(self._url, autocommit=True, connect_timeout=2)
        async with connection:
            await connection.execute(_KEEP_ALIVE)
            await connection.execute(_LOCK, (NAMESPACE, self._number))
            self._held.set()
            try:
                # Nothing is ever notified: this waits for the end of the connection.
                async for _ in connection.notifies():
                    continue
            finally:
                self._held.clear()
