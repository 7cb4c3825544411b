"""The embedded engine called in process: no JSON, no HTTP."""

import asyncio
from pathlib import Path
from typing import Self

from tablature.engine.engine import Engine
from tablature.engine.errors import EngineError as EngineRefusal
from tablature.errors import service_error
from tablature.wire import Request, Response

_READS = frozenset({"GetItem", "Query", "Scan", "BatchGetItem", "TransactGetItems", "DescribeTable", "ListTables"})


class Embedded:
    """A transport to an engine in this process. Several processes may open one file."""

    def __init__(self, path: str | Path) -> None:
        self.engine = Engine(path)
        self._waits_for_disk = str(path) != ":memory:"

    @classmethod
    def memory(cls) -> Self:
        """An engine in memory, which lives as long as this object."""
        return cls(":memory:")

    def send(self, operation: str, request: Request) -> Response:
        try:
            return self.engine.call(operation, request)
        except EngineRefusal as refusal:
            raise service_error(refusal.code, refusal.message, refusal.fields) from refusal

    async def send_async(self, operation: str, request: Request) -> Response:
        """Reads run directly. Writes wait for the disk, so they run in a thread and share one sync."""
        if operation in _READS or not self._waits_for_disk:
            return self.send(operation, request)
        return await asyncio.to_thread(self.send, operation, request)

    def version(self) -> int:
        """Changes with every change, in this process or another."""
        return self.engine.storage.change_version()

    def close(self) -> None:
        self.engine.close()

    async def close_async(self) -> None:
        self.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
