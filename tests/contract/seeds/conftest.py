"""The documented items of each table, and databases that refuse to scan: in process and over HTTP, plain and spread."""

import json
import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from almanac.desks.habits.store.table import habits
from almanac.desks.newsletter.store.table import newsletters
from almanac.desks.recap.store.table import articles, llm_tasks
from almanac.desks.reminders.store.table import email_tracking
from tablature import Database, Table
from tablature.engine.engine import Engine
from tablature.engine.server.application import Application
from tablature.engine.server.listener import Server
from tablature.transport.aws import Aws
from tablature.transport.credentials import AwsCredentials
from tablature.transport.embedded import Embedded
from tablature.transport.port import Transport
from tablature.wire import Item, to_wire

ITEMS = Path(__file__).parent / "items"
TABLES = {table.name: table for table in (newsletters, habits, llm_tasks, articles, email_tracking)}


def _documented(name: str) -> list[Item]:
    """The items of one table as the service stores them; numbers are kept exactly."""
    items = json.loads((ITEMS / f"{name}.json").read_text("utf-8"), parse_float=Decimal)
    return [{attribute: to_wire(value) for attribute, value in item.items()} for item in items]


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 27, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


class Unscanned:
    """A transport that lets everything through but a scan, which no access pattern may need."""

    def __init__(self, inner: Transport) -> None:
        self.inner = inner

    def send(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        assert operation != "Scan"
        return self.inner.send(operation, request)


class Stored:
    """One table with its documented items, as a database and as the plain items it holds."""

    def __init__(self, table: Table, transport: Transport, clock: Clock, spread: bool) -> None:
        self.table, self.clock, self._transport = table, clock, transport
        self.name = f"{table.name}-{uuid.uuid4().hex[:12]}"
        self.db = Database(Unscanned(transport), names={table.name: self.name}, clock=clock, spread=spread)
        self.db.admin.create_table(table)
        for item in _documented(table.name):
            self.put(item)

    def put(self, item: Item) -> None:
        self._transport.send("PutItem", {"TableName": self.name, "Item": item})

    def items(self, **request: Any) -> dict[tuple[str, ...], Item]:
        """Everything stored, by key."""
        result = self._transport.send("Scan", {"TableName": self.name, **request})["Items"]
        return {tuple(item[name]["S"] for name in self.table.key_attributes): item for item in result}

    def query(self, **request: Any) -> list[Item]:
        """What a program that follows the documents finds."""
        return list(self._transport.send("Query", {"TableName": self.name, **request})["Items"])


@pytest.fixture(scope="session")
def documented() -> Callable[[str], list[Item]]:
    return _documented


@pytest.fixture(scope="session")
def engine_url() -> Iterator[str]:
    """Our engine behind its HTTP server, without housekeeping.

    The tests' clock stands in the past: by the real one, what they write has expired and would be swept away.
    """
    with Engine.memory() as engine:
        server = Server(Application(engine))
        server.start()
        yield f"http://{server.host}:{server.port}"
        server.close()


@pytest.fixture(params=["embedded", "embedded-spread", "http"])
def open_table(request: pytest.FixtureRequest) -> Iterator[Callable[[str], Stored]]:
    """Open one of the five tables with its documented items in it."""
    transport: Any
    if request.param == "http":
        url = request.getfixturevalue("engine_url")
        transport = Aws(region="us-east-1", endpoint_url=url, credentials=AwsCredentials("any", "any"))
    else:
        transport = Embedded.memory()
    with transport:
        yield lambda name: Stored(TABLES[name], transport, Clock(), spread="spread" in request.param)


@pytest.fixture
def costs() -> Callable[..., Any]:
    """Run something within a budget of capacity, and say what it took."""

    def within(stored: Stored, run: Callable[[], Any], *, rcu: float = 0, wcu: float = 0) -> Any:
        with stored.db.budget(rcu=rcu, wcu=wcu) as spent:
            result = run()
        print(spent)
        return result

    return within
