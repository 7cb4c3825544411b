"""Headers that tell a browser what an answer of ours may do: no foreign or inline script, no framing, no sniffing, and
no keeping unless the answer says otherwise.
"""

from starlette.datastructures import MutableHeaders
from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
    # Exports and answers of the API are as private as pages: the next person at this browser must not find them.
    "Cache-Control": "no-store",
}


def foreign_html(html: str) -> HTMLResponse:
    """A mail for the frame that shows it: other people's HTML, so without scripts, the network or our origin."""
    return HTMLResponse(html, headers=_FOREIGN_HTML)


class SecurityHeaders:
    """ASGI middleware; a response that sets one of the headers itself keeps its own."""

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
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, send_guarded if scope["type"] == "http" else send)
