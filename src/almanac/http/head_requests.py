"""HEAD wherever GET works: the same status and headers without a body.

Routes know GET alone, so nothing has to be declared twice and a walk of routes counts each of them once.
"""

from collections.abc import Collection

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class HeadMiddleware:
    """ASGI middleware that answers HEAD by the GET of the same address. A stream is ended before its first event.

    The paths in `used_up` do something that can be done once; HEAD stays refused there.
    """

    def __init__(self, app: ASGIApp, used_up: Collection[str] = ()) -> None:
        self.app = app
        self._used_up = frozenset(used_up)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD" or scope["path"] in self._used_up:
            await self.app(scope, receive, send)
            return
        answered = False

        async def receive_until_answered() -> Message:
            return {"type": "http.disconnect"} if answered else await receive()

        async def send_headers(message: Message) -> None:
            nonlocal answered
            if message["type"] == "http.response.start":
                answered = True
                await send(message)
                await send({"type": "http.response.body", "body": b"", "more_body": False})

        await self.app({**scope, "method": "GET"}, receive_until_answered, send_headers)
