"""Signing in with a passkey, and the second step after a password or a link."""

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import Response

from almanac.accounts import service as accounts
from almanac.accounts.model import Principal
from almanac.errors import AlmanacError, FieldErrors, SignInNeeded
from almanac.http.app_state import get_state
from almanac.http.auth import get_client, public
from almanac.http.pages import FormText, redirect, render_page, safe_local_path
from almanac.http.passkeys import (
    CeremonyField,
    CredentialField,
    begin_response,
    find_site,
    read_answer,
    require_site,
)
from almanac.web.pages.sign_in import render_form
from almanac.web.session_start import PENDING, SECOND_STEP_PATH, start_session

pages = APIRouter()

Anybody = Annotated[Principal | None, public()]
NextPath = Annotated[str, Form(alias="next")]


@pages.post("/sign-in/passkey/begin")
async def begin_passkey(request: Request, _principal: Anybody) -> Response:
    """What the browser asks the authenticator for, to sign in with a passkey."""
    services = get_state(request).services
    return begin_response(await accounts.begin_passkey_sign_in(services.accounts, require_site(request)))


@pages.post("/sign-in/passkey")
async def sign_in_with_passkey(
    request: Request,
    _principal: Anybody,
    ceremony: CeremonyField = "",
    credential: CredentialField = "",
    next_path: NextPath = "/",
) -> Response:
    """Sign in with a passkey."""
    services = get_state(request).services
    answer = read_answer(request, ceremony, credential)
    try:
        started = await accounts.sign_in_with_passkey(services.accounts, answer, get_client(request))
    except SignInNeeded as error:
        return await render_form(request, error.status, error=error.sentence, next_path=safe_local_path(next_path))
    return start_session(request, started, safe_local_path(next_path))


@pages.get(SECOND_STEP_PATH)
async def show_second_step(
    request: Request, _principal: Anybody, next_path: Annotated[str, Query(alias="next")] = "/"
) -> Response:
    """Ask for a code or a passkey after the password."""
    return await _render_step(request, next_path)


@pages.post(SECOND_STEP_PATH)
async def finish_with_code(
    request: Request, _principal: Anybody, code: FormText = "", next_path: NextPath = "/"
) -> Response:
    """Sign in with the code of an authenticator app or a recovery code."""
    services = get_state(request).services
    try:
        started = await accounts.finish_with_code(services.accounts, _pending(request), code, get_client(request))
    except FieldErrors as error:
        return await _render_step(request, next_path, error.fields["code"])
    except SignInNeeded as error:
        return await render_form(request, error.status, error=error.sentence, next_path=safe_local_path(next_path))
    except AlmanacError as error:
        if error.status != 429:
            raise
        return await _render_step(request, next_path, error.sentence, status=429)
    return start_session(request, started, safe_local_path(next_path))


@pages.post(f"{SECOND_STEP_PATH}/passkey/begin")
async def begin_second_step(request: Request, _principal: Anybody) -> Response:
    """What the browser asks the authenticator for, as the second step."""
    services = get_state(request).services
    user = await accounts.find_pending_user(services.accounts, _pending(request))
    return begin_response(await accounts.ask_for_passkey(services.accounts, require_site(request), user))


@pages.post(f"{SECOND_STEP_PATH}/passkey")
async def finish_with_passkey(
    request: Request,
    _principal: Anybody,
    ceremony: CeremonyField = "",
    credential: CredentialField = "",
    next_path: NextPath = "/",
) -> Response:
    """Sign in with a passkey as the second step."""
    services = get_state(request).services
    answer = read_answer(request, ceremony, credential)
    try:
        started = await accounts.finish_with_passkey(services.accounts, _pending(request), answer, get_client(request))
    except SignInNeeded as error:
        return await render_form(request, error.status, error=error.sentence, next_path=safe_local_path(next_path))
    return start_session(request, started, safe_local_path(next_path))


def _pending(request: Request) -> str:
    return request.cookies.get(PENDING, "")


async def _render_step(request: Request, next_path: str, error: str = "", *, status: int = 422) -> Response:
    services = get_state(request).services
    try:
        user = await accounts.find_pending_user(services.accounts, _pending(request))
    except SignInNeeded:
        return redirect(request, "/sign-in")
    ways = await accounts.list_second_steps(services.accounts, user)
    return await render_page(
        request,
        "sign_in/second_step.html",
        status_code=status if error else 200,
        user=user,
        ways=ways,
        site=find_site(request),
        error=error,
        next_path=safe_local_path(next_path),
    )
