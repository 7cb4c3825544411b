"""Attaches the error translation to an application: problem+json for programs, pages for people.

Both are in the reader's language."""

import logging
from urllib.parse import quote, urlsplit

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from almanac.accounts.model import CONFIRM_PATH, TWO_STEP_PATH, ProofNeeded, SecondFactorNeeded
from almanac.errors import AlmanacError
from almanac.http.language_choice import choose_language
from almanac.http.pages import render_bare_error_page, render_error_page, safe_local_path
from almanac.http.problems import Problem, problem_from, problem_response

SIGN_IN_PATH = "/sign-in"
log = logging.getLogger(__name__)


def install_error_handlers(app: FastAPI) -> None:
    """Register the translation for errors that routes or the framework raise."""
    for kind in (AlmanacError, HTTPException, RequestValidationError):
        app.add_exception_handler(kind, _answer)


async def _answer(request: Request, error: Exception) -> Response:
    problem = problem_from(error)
    if problem.status >= 500:
        log.warning("request failed", extra={"code": problem.code, "reason": problem.detail})
    if wants_problem(request):
        return problem_response(problem, choose_language(request))
    if isinstance(error, ProofNeeded):
        return RedirectResponse(f"{CONFIRM_PATH}?next={quote(_page_of(request))}", 303)
    if isinstance(error, SecondFactorNeeded):
        return RedirectResponse(TWO_STEP_PATH, 303)
    if problem.status == 401 and request.method == "GET":
        path = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        return RedirectResponse(f"{SIGN_IN_PATH}?next={quote(path)}" if path != "/" else SIGN_IN_PATH, 303)
    return await _page_for(request, problem)


def _page_of(request: Request) -> str:
    """The page to return to: this one, or the one whose form was sent."""
    if request.method == "GET":
        return request.url.path
    return safe_local_path(urlsplit(request.headers.get("Referer", "")).path, "/account")


async def _page_for(request: Request, problem: Problem) -> Response:
    """The error page in the frame, or without it if the frame itself fails."""
    try:
        response = await render_error_page(request, problem)
    except Exception:  # noqa: BLE001 - the database may be what failed; the person still gets a designed page
        response = render_bare_error_page(request, problem)
    response.headers.update({k: v for k, v in problem.headers.items() if k != "WWW-Authenticate"})
    return response


def wants_problem(request: Request) -> bool:
    """Programs and in-page requests get problem+json; a browser that loads a page gets a page."""
    if request.url.path.startswith("/api/") or request.headers.get("HX-Request"):
        return True
    accepted = request.headers.get("Accept", "")
    return "json" in accepted and "text/html" not in accepted


class UnhandledErrorMiddleware:
    """ASGI middleware around everything: an unexpected error is logged with its traceback and answered without it."""

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
            log.exception("unexpected error")
            if started:
                raise
            request = Request(scope, receive)
            problem = problem_from(error)
            answer = (
                problem_response(problem, choose_language(request))
                if wants_problem(request)
                else render_bare_error_page(request, problem)
            )
            await answer(scope, receive, send)
