"""Confirming that it is really the person, before something that matters; and their e-mail address."""

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import Response

from almanac.accounts import service as accounts
from almanac.accounts.model import Principal
from almanac.errors import FieldErrors
from almanac.http.app_state import get_state
from almanac.http.auth import client_address, require
from almanac.http.cookies import Flash
from almanac.http.pages import FormText, redirect, render_page, safe_local_path
from almanac.http.passkeys import (
    CeremonyField,
    CredentialField,
    begin_response,
    find_site,
    read_answer,
    require_site,
)
from almanac.kit.messages import gettext

pages = APIRouter(prefix="/account")

Myself = Annotated[Principal, require("account.own")]
NextPath = Annotated[str, Form(alias="next")]


@pages.get("/confirm")
async def show_confirmation(
    request: Request, principal: Myself, next_path: Annotated[str, Query(alias="next")] = "/account"
) -> Response:
    """Ask for a proof that it is the person."""
    return await _render_confirmation(request, principal, next_path)


@pages.post("/confirm")
async def confirm(
    request: Request,
    principal: Myself,
    password: FormText = "",
    code: FormText = "",
    next_path: NextPath = "/account",
) -> Response:
    """Confirm with the password, or with the code of an app."""
    services, address = get_state(request).services, client_address(request)
    try:
        if password or not code:
            await accounts.prove_with_password(services.accounts, principal, password, address=address)
        else:
            await accounts.prove_with_code(services.accounts, principal, code, address=address)
    except FieldErrors as error:
        return await _render_confirmation(request, principal, next_path, error.fields)
    return redirect(
        request, safe_local_path(next_path, "/account"), Flash(gettext("Confirmed. Now repeat what you wanted."))
    )


@pages.post("/confirm/passkey/begin")
async def begin_passkey(request: Request, principal: Myself) -> Response:
    """What the browser asks the authenticator for, to confirm with a passkey."""
    services = get_state(request).services
    user = await accounts.get_user(services.accounts, principal, principal.user_id)
    return begin_response(await accounts.ask_for_passkey(services.accounts, require_site(request), user))


@pages.post("/confirm/passkey")
async def confirm_with_passkey(
    request: Request,
    principal: Myself,
    ceremony: CeremonyField = "",
    credential: CredentialField = "",
    next_path: NextPath = "/account",
) -> Response:
    """Confirm with a passkey."""
    answer = read_answer(request, ceremony, credential)
    await accounts.prove_with_passkey(get_state(request).services.accounts, principal, answer)
    return redirect(
        request, safe_local_path(next_path, "/account"), Flash(gettext("Confirmed. Now repeat what you wanted."))
    )


@pages.get("/email")
async def show_email(request: Request, principal: Myself) -> Response:
    """Show the form to change the e-mail address."""
    await accounts.require_fresh_proof(get_state(request).services.accounts, principal)
    return await _render_email(request)


@pages.post("/email")
async def change_email(request: Request, principal: Myself, email: FormText = "") -> Response:
    """Change the address, or send a link to it first where mail leaves."""
    try:
        link = await accounts.change_own_email(get_state(request).services.accounts, principal, email)
    except FieldErrors as error:
        return await _render_email(request, email, error.fields)
    if link is None:
        return redirect(request, "/account", Flash(gettext("Your address is changed.")))
    return redirect(
        request, "/account", Flash(gettext("A link is on its way to %(email)s; open it to confirm.", email=link.email))
    )


async def _render_email(request: Request, email: str = "", errors: dict[str, str] | None = None) -> Response:
    services = get_state(request).services
    return await render_page(
        request,
        "account/email.html",
        status_code=422 if errors else 200,
        email=email,
        errors=errors or {},
        confirms=services.accounts.confirms_addresses,
    )


async def _render_confirmation(
    request: Request, principal: Principal, next_path: str, errors: dict[str, str] | None = None
) -> Response:
    services = get_state(request).services
    return await render_page(
        request,
        "account/confirm.html",
        status_code=422 if errors else 200,
        ways=await accounts.list_proof_ways(services.accounts, principal),
        site=find_site(request),
        next_path=safe_local_path(next_path, "/account"),
        errors=errors or {},
    )
