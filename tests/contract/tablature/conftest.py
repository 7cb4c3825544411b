"""The layer's contract: each test runs on every transport, through both façades, with a clock that the test moves."""

import asyncio
import inspect
import os
import uuid
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from contextvars import copy_context
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tablature import Database, Table
from tablature.async_database import AsyncDatabase
from tablature.transport.aws import Aws
from tablature.transport.embedded import Embedded
from tablature.transport.port import Transport
from tablature.transport.signature import AwsCredentials

OpenDatabase = Callable[..., Any]
# Set it to run the same suite against any endpoint, Amazon DynamoDB itself included; it makes and deletes tables.
NAMED_ENDPOINT = os.environ.get("TABLATURE_TEST_ENDPOINT")


class MovableClock:
    """A clock that stands still until a test moves it, far ahead of the real one, by which services expire items."""

    def __init__(self) -> None:
        self.now = datetime(2096, 1, 26, 10, 30, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **amount: float) -> None:
        self.now += timedelta(**amount)


class Blocking:
    """An AsyncDatabase driven from a test that doesn't await, so that one suite serves both façades."""

    def __init__(self, inner: Any, loop: asyncio.Runner) -> None:
        self._inner = inner
        self._loop = loop

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self._inner, name)
        if name == "admin":
            return Blocking(attribute, self._loop)
        if inspect.iscoroutinefunction(attribute):
            return lambda *args, **options: self._loop.run(attribute(*args, **options), context=copy_context())
        if inspect.isasyncgenfunction(attribute):
            return lambda *args, **options: self._loop.run(_listed(attribute(*args, **options)), context=copy_context())
        return attribute


async def _listed(results: Any) -> list[Any]:
    return [result async for result in results]


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


# moto is slow, and both façades send it the same requests, so one of them is enough there.
WAYS = [
    ("embedded", "waiting"),
    ("embedded", "awaiting"),
    ("engine over HTTP", "waiting"),
    ("engine over HTTP", "awaiting"),
    ("moto", "waiting"),
    *([("named endpoint", "waiting")] if NAMED_ENDPOINT else []),
]


@pytest.fixture(params=WAYS, ids="-".join)
def way(request: pytest.FixtureRequest) -> tuple[str, str]:
    """Every service that this machine can offer, so that nothing rests on our own engine's habits, and a façade."""
    service, facade = request.param
    return service, facade


@pytest.fixture
def transport(request: pytest.FixtureRequest, way: tuple[str, str]) -> Iterator[Transport]:
    service, _ = way
    if service == "embedded":
        with Embedded.memory() as transport:
            yield transport
        return
    if service == "named endpoint":
        with Aws(endpoint_url=NAMED_ENDPOINT) as transport:
            yield transport
        return
    server = request.getfixturevalue("engine_url" if service == "engine over HTTP" else "moto_url")
    with Aws(region="us-east-1", endpoint_url=server, credentials=AwsCredentials("any", "any")) as transport:
        yield transport


@pytest.fixture(scope="session")
def engine_url(served: Callable[..., AbstractContextManager[str]]) -> Iterator[str]:
    """Our engine behind its HTTP server, as a process of its own."""
    with served("tablature.engine", "--memory", "--port") as address:
        yield address


@pytest.fixture
def open_db(way: tuple[str, str], transport: Transport, clock: MovableClock) -> Iterator[OpenDatabase]:
    """Open a database with tables of one's own, under names that no other test uses."""
    opened: list[tuple[Any, Table]] = []
    with asyncio.Runner() as loop:

        def open_database(*tables: Table, **options: Any) -> Any:
            names = {table.name: f"{table.name}-{uuid.uuid4().hex[:12]}" for table in tables}
            options = {"names": names, "clock": clock, **options}
            db: Any = Database(transport, **options)
            if "awaiting" in way:
                db = Blocking(AsyncDatabase(transport, **options), loop)
            for table in tables:
                db.admin.create_table(table, if_missing=True)
                opened.append((db, table))
            return db

        yield open_database
        for db, table in opened:
            db.admin.delete_table(table, if_exists=True)
        if isinstance(transport, Aws):
            loop.run(transport.close_async())
