"""A transport for tests: records what another transport sends and receives, and replays it."""

from copy import deepcopy
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

import msgspec

from tablature.errors import RecordingMismatch, ServiceError, service_error
from tablature.transport.port import Transport
from tablature.wire import Request, Response


@dataclass(slots=True)
class RecordedCall:
    """One recorded request with its response or error."""

    operation: str
    request: Request
    response: Response | None = None
    refusal: dict[str, Any] | None = None


@dataclass
class Recorder:
    """Records calls of `inner`. Without one, replays them in order and raises if a request differs."""

    inner: Transport | None = None
    exchanges: list[RecordedCall] = field(default_factory=list)
    _next: int = 0

    @classmethod
    def replay(cls, path: Path) -> Self:
        return cls(exchanges=msgspec.json.decode(path.read_bytes(), type=list[RecordedCall]))

    def save(self, path: Path) -> None:
        path.write_bytes(msgspec.json.format(msgspec.json.encode([asdict(exchange) for exchange in self.exchanges])))

    def send(self, operation: str, request: Request) -> Response:
        if self.inner is None:
            return self._replay(operation, request)
        exchange = self._start_call(operation, request)
        try:
            exchange.response = response = self.inner.send(operation, request)
        except ServiceError as error:
            raise self._record_error(exchange, error) from error
        return response

    async def send_async(self, operation: str, request: Request) -> Response:
        if self.inner is None:
            return self._replay(operation, request)
        exchange = self._start_call(operation, request)
        try:
            exchange.response = response = await self.inner.send_async(operation, request)
        except ServiceError as error:
            raise self._record_error(exchange, error) from error
        return response

    def close(self) -> None:
        if self.inner is not None:
            self.inner.close()

    async def close_async(self) -> None:
        if self.inner is not None:
            await self.inner.close_async()

    def _start_call(self, operation: str, request: Request) -> RecordedCall:
        exchange = RecordedCall(operation, deepcopy(request))
        self.exchanges.append(exchange)
        return exchange

    def _record_error(self, exchange: RecordedCall, error: ServiceError) -> ServiceError:
        exchange.refusal = {"code": error.code, "message": error.message, "fields": error.fields}
        return error

    def _replay(self, operation: str, request: Request) -> Response:
        if self._next >= len(self.exchanges):
            raise RecordingMismatch(f"The recording ends before this {operation}; record it again.")
        exchange = self.exchanges[self._next]
        self._next += 1
        if (exchange.operation, _without_token(exchange.request)) != (operation, _without_token(request)):
            raise RecordingMismatch(
                f"Call {self._next} was {exchange.operation} of {exchange.request}, now it is {operation} of {request}."
            )
        if exchange.refusal is not None:
            raise service_error(**exchange.refusal)
        return deepcopy(exchange.response or {})


def _without_token(request: Request) -> Request:
    """The request without its random token."""
    return {name: value for name, value in request.items() if name != "ClientRequestToken"}
