"""Attaches the one error translation to an application: problem+json for programs, pages for people."""

import logging
from urllib.parse import quote

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from almanac.errors import AlmanacError
from almanac.http.error_words import told_in, wording_for
from almanac.http.identity import identify
from almanac.http.pages import bare_error_page, error_page
from almanac.http.problems import Problem, problem_of, problem_response
from almanac.http.surface import surface_of

SIGN_IN_PATH = "/sign-in"
log = logging.getLogger(__name__)


def install_error_translation(app: FastAPI) -> None:
    """Errors that routes raise, the framework's own included, are answered by the same translation."""
    for kind in (AlmanacError, HTTPException, RequestValidationError):
        app.add_exception_handler(kind, _answer)


async def _answer(request: Request, error: Exception) -> Response:
    problem = problem_of(error)
    if problem.status >= 500:
        log.warning("request failed", extra={"code": problem.code, "reason": problem.detail})
    if wants_problem(request):
        return problem_response(problem)
    if problem.status == 401 and request.method == "GET":
        here = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        return RedirectResponse(f"{SIGN_IN_PATH}?next={quote(here)}" if here != "/" else SIGN_IN_PATH, 303)
    return await _page_for(request, problem)


async def _page_for(request: Request, problem: Problem) -> Response:
    """The page inside the frame; where the frame itself can't be made, the page alone."""
    try:
        wording = wording_for(request, (await identify(request)).principal)
        response = await error_page(request, told_in(wording, problem), t=wording, language=wording.language)
    except Exception:  # noqa: BLE001 - the database may be what failed; the person still gets a designed page
        response = bare_error_page(surface_of(request), problem)
    response.headers.update({k: v for k, v in problem.headers.items() if k != "WWW-Authenticate"})
    return response


def wants_problem(request: Request) -> bool:
    """Programs and in-page requests get problem+json; a browser that loads a page gets a page."""
    if request.url.path.startswith("/api/") or request.headers.get("HX-Request"):
        return True
    accepted = request.headers.get("Accept", "")
    return "json" in accepted and "text/html" not in accepted


class FaultBoundary:
    """ASGI middleware around everything: an unforeseen error is logged with its traceback and answered without it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def send_noting(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self.app(scope, receive, send_noting)
        except ClientDisconnect:
            log.info("the client hung up before it had sent everything")
        except Exception as error:
            if scope["type"] != "http":
                raise
            log.exception("unforeseen error")
            if started:
                raise
            request = Request(scope, receive)
            problem = problem_of(error)
            answer = (
                problem_response(problem) if wants_problem(request) else bare_error_page(surface_of(request), problem)
            )
            await answer(scope, receive, send)
