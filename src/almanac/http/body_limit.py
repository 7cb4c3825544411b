"""Refuses bodies over the limit, whether their length is announced or only found out while reading."""

from collections.abc import Mapping
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# A client that is cut off while sending sees a broken connection instead of our sentence, so a refused body is
# read to its end as long as it is not absurd.
_DRAINED_MULTIPLE = 4


@dataclass(frozen=True, slots=True)
class Limit:
    """The largest body, and the setting that says so."""

    megabytes: int
    setting: str

    @property
    def bytes(self) -> int:
        return self.megabytes * 1024 * 1024

    def refusal(self) -> HTTPException:
        return HTTPException(
            413,
            f"The request is larger than the {self.megabytes} MB allowed here; send less at once, or have "
            f"{self.setting} raised.",
        )


class BodyLimit:
    """ASGI middleware. The refusal is raised where the body is read, so that the usual translation answers it.

    `files` are addresses to which files are sent, with a limit of their own.
    """

    def __init__(self, app: ASGIApp, *, limit: Limit, files: Mapping[str, Limit]) -> None:
        self.app = app
        self._limit = limit
        self._files = files

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        limit = self._files.get(scope["path"], self._limit)
        announced = Headers(scope=scope).get("content-length", "")
        if announced.isdecimal() and int(announced) > limit.bytes:
            await _drain(receive, limit)
            await self.app(scope, _refusing(limit), send)
            return
        await self.app(scope, _counted(receive, limit), send)


def _counted(receive: Receive, limit: Limit) -> Receive:
    seen = 0

    async def receive_counted() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > limit.bytes:
            await _drain(receive, limit)
            raise limit.refusal()
        return message

    return receive_counted


def _refusing(limit: Limit) -> Receive:
    async def refuse() -> Message:
        raise limit.refusal()

    return refuse


async def _drain(receive: Receive, limit: Limit) -> None:
    left = limit.bytes * _DRAINED_MULTIPLE
    while left > 0:
        message = await receive()
        if message["type"] == "http.disconnect" or not message.get("more_body", False):
            return
        left -= len(message.get("body", b""))
