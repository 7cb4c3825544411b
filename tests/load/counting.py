"""Counts the work that a request causes: calls to the tables with their capacity units, statements to PostgreSQL."""

import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any
from unittest.mock import patch

from psycopg import AsyncCursor

from almanac.services import Services
from tablature.async_database import AsyncDatabase
from tablature.engine.engine import Engine
from tablature.operations.cost import consumed_units
from tablature.wire import Request, Response

Statement = tuple[Any, Any]
CHARGED = frozenset(
    {
        "GetItem",
        "Query",
        "Scan",
        "BatchGetItem",
        "TransactGetItems",
        "PutItem",
        "UpdateItem",
        "DeleteItem",
        "BatchWriteItem",
        "TransactWriteItems",
    }
)


@dataclass
class Work:
    """What was done: table calls with the units that DynamoDB would charge, SQL with parameters, processor time."""

    calls: int = 0
    read_units: float = 0.0
    write_units: float = 0.0
    statements: list[Statement] = field(default_factory=list)
    seconds: float = 0.0

    def note(self, operation: str, response: Response) -> None:
        read, written = consumed_units(operation, response)
        self.calls += 1
        self.read_units += read
        self.write_units += written


class Meter:
    """Counts for whoever looks at the moment; work that nobody asked about is not kept.

    Whenever somebody begins to look, an hour has passed by `monotonic`: an answer that stands for a second is then
    asked for anew, and counts do not depend on how fast a machine is.
    """

    def __init__(self) -> None:
        self._watching: Work | None = None
        self._hours = 0

    def monotonic(self) -> float:
        return time.monotonic() + 3600 * self._hours

    @contextmanager
    def watch(self) -> Iterator[Work]:
        self._hours += 1
        self._watching = work = Work()
        begun = time.process_time()
        try:
            yield work
        finally:
            work.seconds = time.process_time() - begun
            self._watching = None

    def called(self, operation: str, response: Response) -> None:
        if self._watching is not None and operation in CHARGED:
            self._watching.note(operation, response)

    def stated(self, sql: Any, params: Any) -> None:
        # The pool asks a connection an empty question before it lends it.
        if self._watching is not None and sql:
            self._watching.statements.append((sql, params))


@contextmanager
def counting(services: Services, *, keeping: bool = False) -> Iterator[Meter]:
    """Look at every call to the embedded engine and every statement, as long as this is open.

    Nothing is kept from one request to the next, as with tables elsewhere, which don't say whether they changed; unless
    `keeping`.
    """
    assert services.engine is not None
    meter = Meter()
    untold = nullcontext() if keeping else patch.object(AsyncDatabase, "version", None)
    with _table_calls(services.engine, meter), _statements(meter), _hours(meter), untold:
        yield meter


@contextmanager
def _table_calls(engine: Engine, meter: Meter) -> Iterator[None]:
    def call(operation: str, request: Request) -> Response:
        wanted = {**request, "ReturnConsumedCapacity": "TOTAL"} if operation in CHARGED else request
        response = Engine.call(engine, operation, wanted)
        meter.called(operation, response)
        return response

    with patch.object(engine, "call", call):
        yield


@contextmanager
def _statements(meter: Meter) -> Iterator[None]:
    execute = AsyncCursor.execute

    async def counted(cursor: AsyncCursor[Any], query: Any, params: Any = None, **options: Any) -> AsyncCursor[Any]:
        meter.stated(query, params)
        return await execute(cursor, query, params, **options)

    with patch.object(AsyncCursor, "execute", counted):
        yield


@contextmanager
def _hours(meter: Meter) -> Iterator[None]:
    """Let every module of the product that asks for the time since some moment ask the meter."""
    ours = [module for name, module in list(sys.modules.items()) if name.startswith("almanac.")]
    asking = [module for module in ours if _has(module, "monotonic", time.monotonic)]
    with ExitStack() as stack:
        for module in asking:
            stack.enter_context(patch.object(module, "monotonic", meter.monotonic))
        yield


def _has(module: ModuleType, name: str, value: object) -> bool:
    """Without asking the module itself, which may be one that loads when it is asked for anything."""
    return ModuleType.__getattribute__(module, "__dict__").get(name) is value
