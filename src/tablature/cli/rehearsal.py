"""A transport for dry runs: it reads from the real one, and answers writes without making them."""

from typing import Any

from tablature.transport.port import Transport
from tablature.wire import Request, Response

_WRITES = frozenset({"PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"})


class Rehearsal:
    """Stands before another transport and keeps every write from it."""

    def __init__(self, real: Transport) -> None:
        self._real = real

    def send(self, operation: str, request: Request) -> Response:
        return _answer() if operation in _WRITES else self._real.send(operation, request)

    async def send_async(self, operation: str, request: Request) -> Response:
        return _answer() if operation in _WRITES else await self._real.send_async(operation, request)

    def close(self) -> None:
        self._real.close()

    async def close_async(self) -> None:
        await self._real.close_async()


def _answer() -> dict[str, Any]:
    """What the service says to a write that went well and returns nothing."""
    return {}
