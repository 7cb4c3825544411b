"""Counts the work that a request causes: calls to the tables with their capacity units, statements to PostgreSQL."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from psycopg import AsyncCursor

from almanac.services import Services
from tablature.engine.engine import Engine
from tablature.operations.cost import consumed
from tablature.wire import Request, Response

Statement = tuple[Any, Any]
CHARGED = frozenset({
    "GetItem", "Query", "Scan", "BatchGetItem", "TransactGetItems", "PutItem", "UpdateItem", "DeleteItem",
    "BatchWriteItem", "TransactWriteItems",
})  # fmt: skip


@dataclass
class Work:
    """What was done: table calls with the units that DynamoDB would charge, SQL with parameters, processor time."""

    calls: int = 0
    read_units: float = 0.0
    write_units: float = 0.0
    statements: list[Statement] = field(default_factory=list)
    seconds: float = 0.0

    def note(self, operation: str, response: Response) -> None:
        read, written = consumed(operation, response)
        self.calls += 1
        self.read_units += read
        self.write_units += written


class Meter:
    """Counts for whoever looks at the moment; work that nobody asked about is not kept."""

    def __init__(self) -> None:
        self._watching: Work | None = None

    @contextmanager
    def watch(self) -> Iterator[Work]:
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
def counting(services: Services) -> Iterator[Meter]:
    """Look at every call to the embedded engine and every statement, as long as this is open."""
    assert services.engine is not None
    meter = Meter()
    with _table_calls(services.engine, meter), _statements(meter):
        yield meter


@contextmanager
def _table_calls(engine: Engine, meter: Meter) -> Iterator[None]:
    def call(operation: str, request: Request) -> Response:
        wanted = {**request, "ReturnConsumedCapacity": "TOTAL"} if operation in CHARGED else request
        response = Engine.call(engine, operation, wanted)
        meter.called(operation, response)
        return response

    engine.call = call  # type: ignore[method-assign]  # the engine has no hook, and this lasts as long as a measurement
    try:
        yield
    finally:
        del engine.call


@contextmanager
def _statements(meter: Meter) -> Iterator[None]:
    execute = AsyncCursor.execute

    async def counted(cursor: AsyncCursor[Any], query: Any, params: Any = None, **options: Any) -> AsyncCursor[Any]:
        meter.stated(query, params)
        return await execute(cursor, query, params, **options)

    AsyncCursor.execute = counted  # type: ignore[method-assign]  # as above
    try:
        yield
    finally:
        AsyncCursor.execute = execute  # type: ignore[method-assign]  # as above
