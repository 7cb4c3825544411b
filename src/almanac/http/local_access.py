"""Single-user mode on HTTP: which requests come from this machine, and the refusal of every other host's name."""

from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from almanac.accounts.passkey_site import is_loopback
from almanac.errors import NotAllowed
from almanac.http.app_state import get_state
from almanac.http.auth import client_address
from almanac.http.error_handlers import wants_problem
from almanac.http.pages import render_bare_error_page
from almanac.http.problems import problem_from, problem_response
from almanac.kit.messages import gettext

# What a proxy adds: then the person may be anywhere, although the proxy is here.
_FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via")


def signs_in_locally(request: Request) -> bool:
    """Whether the person at this machine has opened a page of an installation in single-user mode."""
    if not get_state(request).services.settings.single_user or not is_loopback(client_address(request)):
        return False
    is_opened = request.headers.get("Sec-Fetch-Mode", "navigate") == "navigate"
    return is_opened and not any(name in request.headers for name in _FORWARDED)


def is_local_name(host: str) -> bool:
    """Whether a Host header names this machine."""
    try:
        name = urlsplit(f"//{host}").hostname
    except ValueError:
        return False
    return name is not None and is_loopback(name)


class LocalNamesMiddleware:
    """ASGI middleware that answers only to this machine's own names.

    A site of somebody else can point its name at 127.0.0.1, and the browser then takes Almanac for a part of it.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            request = Request(scope, receive)
            if not is_local_name(request.headers.get("Host", "")):
                error = NotAllowed(
                    gettext("Single-user mode answers only to localhost and 127.0.0.1; open it by that name.")
                )
                problem = problem_from(error)
                is_program = wants_problem(request)
                answer = problem_response(problem) if is_program else render_bare_error_page(request, problem)
                await answer(scope, receive, send)
                return
        await self.app(scope, receive, send)
