"""The interface of all transports: one request in wire form, one response, errors as `ServiceError`."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from tablature.wire import Request, Response


class Transport(Protocol):
    """A connection to a DynamoDB-compatible service, for both façades."""

    def send(self, operation: str, request: Request) -> Response: ...

    async def send_async(self, operation: str, request: Request) -> Response: ...

    def close(self) -> None: ...

    async def close_async(self) -> None: ...


@runtime_checkable
class VersionedTransport(Protocol):
    """A transport that may know whether anything has changed."""

    def version(self) -> int | None:
        """Changes with every change of any table, whoever made it; None where nobody can tell."""
