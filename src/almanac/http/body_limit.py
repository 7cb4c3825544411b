"""Refuses bodies over the limit, whether their length is announced or only found out while reading."""

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# A client that is cut off while sending sees a broken connection instead of our sentence, so a refused body is
# read to its end as long as it is not absurd.
_DRAINED_MULTIPLE = 4


class BodyLimit:
    """ASGI middleware. The refusal is raised where the body is read, so that the usual translation answers it."""

    def __init__(self, app: ASGIApp, *, megabytes: int) -> None:
        self.app = app
        self._limit = megabytes * 1024 * 1024
        self._sentence = f"The request is larger than the {megabytes} MB allowed here; send less at once."

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        announced = Headers(scope=scope).get("content-length", "")
        if announced.isdecimal() and int(announced) > self._limit:
            await self._drain(receive)
            await self.app(scope, self._refuse, send)
            return
        await self.app(scope, self._counted(receive), send)

    def _counted(self, receive: Receive) -> Receive:
        seen = 0

        async def receive_counted() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > self._limit:
                await self._drain(receive)
                raise HTTPException(413, self._sentence)
            return message

        return receive_counted

    async def _refuse(self) -> Message:
        raise HTTPException(413, self._sentence)

    async def _drain(self, receive: Receive) -> None:
        left = self._limit * _DRAINED_MULTIPLE
        while left > 0:
            message = await receive()
            if message["type"] == "http.disconnect" or not message.get("more_body", False):
                return
            left -= len(message.get("body", b""))
