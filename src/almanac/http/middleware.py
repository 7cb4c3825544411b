"""ASGI middleware: request size limit, request ids, and security headers."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from almanac.kit.ids import new_id
from almanac.kit.logs import request_id
from almanac.kit.messages import gettext

# Clients that are disconnected while sending see a broken connection instead of our message, so a rejected body is
# read to its end unless it is far too large.
_DRAINED_MULTIPLE = 4


@dataclass(frozen=True, slots=True)
class BodySizeLimit:
    """The largest body, and the setting that limits it."""

    megabytes: int
    setting: str

    @property
    def bytes(self) -> int:
        return self.megabytes * 1024 * 1024

    def refusal(self) -> HTTPException:
        return HTTPException(
            413,
            gettext(
                "The request is larger than the %(megabytes)s MB allowed here; send less at once, or have %(setting)s "
                "raised.",
                megabytes=self.megabytes,
                setting=self.setting,
            ),
        )


class BodyLimitMiddleware:
    """ASGI middleware. The error is raised where the body is read, so that the usual error handlers answer it.

    `files` are paths for uploads, which have their own limit.
    """

    def __init__(self, app: ASGIApp, *, limit: BodySizeLimit, files: Mapping[str, BodySizeLimit]) -> None:
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
        await self.app(scope, _limit_body(receive, limit), send)


def _limit_body(receive: Receive, limit: BodySizeLimit) -> Receive:
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


def _refusing(limit: BodySizeLimit) -> Receive:
    async def refuse() -> Message:
        raise limit.refusal()

    return refuse


async def _drain(receive: Receive, limit: BodySizeLimit) -> None:
    left = limit.bytes * _DRAINED_MULTIPLE
    while left > 0:
        message = await receive()
        if message["type"] == "http.disconnect" or not message.get("more_body", False):
            return
        left -= len(message.get("body", b""))


REQUEST_ID_HEADER = "X-Request-Id"
_VALID_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


class RequestIdMiddleware:
    """ASGI middleware that gives each request an id."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        client_id = Headers(scope=scope).get(REQUEST_ID_HEADER, "")
        current = client_id if _VALID_REQUEST_ID.fullmatch(client_id) else new_id()
        mark = request_id.set(current)

        async def send_named(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)[REQUEST_ID_HEADER] = current
            await send(message)

        try:
            await self.app(scope, receive, send_named)
        finally:
            request_id.reset(mark)


PAGE_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "frame-src 'self'",
        "form-action 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
_FOREIGN_HTML = {
    "Content-Security-Policy": (
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data: cid:; frame-ancestors 'self'"
    ),
    "X-Frame-Options": "SAMEORIGIN",
}
_ALWAYS = {
    "Content-Security-Policy": PAGE_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
    # Exports and API responses are as private as pages: the next person at this browser must not see them.
    "Cache-Control": "no-store",
}


def sandboxed_html(html: str) -> HTMLResponse:
    """A mail for the sandboxed frame: foreign HTML, so without scripts, network or our origin."""
    return HTMLResponse(html, headers=_FOREIGN_HTML)


class SecurityHeadersMiddleware:
    """ASGI middleware that sets security headers; a response keeps those that it sets itself, except empty ones."""

    def __init__(self, app: ASGIApp, *, https: bool) -> None:
        self.app = app
        self._headers = dict(_ALWAYS)
        if https:
            self._headers["Strict-Transport-Security"] = "max-age=31536000; includeSubDomains"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    if not headers.setdefault(name, value):
                        del headers[name]
            await send(message)

        await self.app(scope, receive, send_guarded if scope["type"] == "http" else send)
