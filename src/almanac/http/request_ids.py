"""Gives every request an id: the caller's if it is harmless, else a new one; it is in the logs and in the answer."""

import re

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from almanac.kit.ids import new_id
from almanac.kit.logs import request_id

HEADER = "X-Request-Id"
_HARMLESS = re.compile(r"[A-Za-z0-9._-]{1,64}")


class RequestIds:
    """ASGI middleware that names each request."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        given = Headers(scope=scope).get(HEADER, "")
        current = given if _HARMLESS.fullmatch(given) else new_id()
        mark = request_id.set(current)

        async def send_named(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)[HEADER] = current
            await send(message)

        try:
            await self.app(scope, receive, send_named)
        finally:
            request_id.reset(mark)
