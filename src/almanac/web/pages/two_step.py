"""How the person signs in: passkeys, the authenticator app, recovery codes, and turning two-step sign-in off."""

from typing import Annotated

import segno
from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.accounts import service as accounts
from almanac.accounts.model import TWO_STEP_PATH, Principal
from almanac.accounts.second_factors import NewApp
from almanac.errors import FieldErrors
from almanac.http.app_state import get_state
from almanac.http.auth import client_address, require
from almanac.http.cookies import Flash
from almanac.http.pages import FormText, redirect, render_page
from almanac.http.passkeys import (
    CeremonyField,
    CredentialField,
    begin_response,
    find_other_address,
    find_site,
    read_answer,
    require_site,
)
from almanac.kit.messages import gettext

pages = APIRouter(prefix="/account")
_QR_SCALE = 5

Myself = Annotated[Principal, require("account.own")]


@pages.get("/two-step")
async def show_two_step(request: Request, principal: Myself) -> Response:
    """Show passkeys, and whether sign-in takes two steps."""
    return await _render_two_step(request, principal)


@pages.post("/passkeys/begin")
async def begin_passkey(request: Request, principal: Myself) -> Response:
    """What the browser asks the authenticator for, to make a passkey."""
    services = get_state(request).services
    return begin_response(await accounts.begin_passkey(services.accounts, principal, require_site(request)))


@pages.post("/passkeys")
async def add_passkey(
    request: Request,
    principal: Myself,
    ceremony: CeremonyField = "",
    credential: CredentialField = "",
    name: FormText = "",
) -> Response:
    """Add the passkey that the browser has made."""
    services = get_state(request).services
    answer = read_answer(request, ceremony, credential)
    try:
        await accounts.add_passkey(services.accounts, principal, answer, name=name)
    except FieldErrors as error:
        return await _render_two_step(request, principal, errors=error.fields)
    return redirect(request, TWO_STEP_PATH, Flash(gettext("The passkey is added; you can sign in with it.")))


@pages.post("/passkeys/{passkey_id}")
async def rename_passkey(request: Request, passkey_id: str, principal: Myself, name: FormText = "") -> Response:
    """Give a passkey another name."""
    try:
        await accounts.rename_passkey(get_state(request).services.accounts, principal, passkey_id, name)
    except FieldErrors as error:
        return await _render_two_step(request, principal, errors=error.fields)
    return redirect(request, TWO_STEP_PATH, Flash(gettext("The passkey is renamed.")))


@pages.post("/passkeys/{passkey_id}/remove")
async def remove_passkey(request: Request, passkey_id: str, principal: Myself) -> Response:
    """Remove a passkey."""
    await accounts.remove_passkey(get_state(request).services.accounts, principal, passkey_id)
    return redirect(request, TWO_STEP_PATH, Flash(gettext("The passkey is removed. Delete it on your device too.")))


@pages.post("/two-step/app")
async def begin_app(request: Request, principal: Myself) -> Response:
    """Show the QR code for an authenticator app; it counts once its first code is given."""
    return await _render_app(request, await accounts.begin_app(get_state(request).services.accounts, principal))


@pages.post("/two-step/app/confirm")
async def confirm_app(
    request: Request, principal: Myself, ceremony: CeremonyField = "", code: FormText = ""
) -> Response:
    """Turn two-step sign-in on with the app's first code, and show the recovery codes once."""
    services = get_state(request).services
    try:
        codes = await accounts.confirm_app(
            services.accounts, principal, ceremony=ceremony, code=code, address=client_address(request)
        )
    except FieldErrors as error:
        again = await accounts.show_app_again(services.accounts, principal, ceremony)
        return await _render_app(request, again, error.fields["code"])
    if not codes:
        return redirect(
            request, TWO_STEP_PATH, Flash(gettext("The app is replaced. Your recovery codes stay the same."))
        )
    return await _render_two_step(request, principal, codes=codes)


@pages.post("/two-step/passkeys")
async def turn_on_with_passkeys(request: Request, principal: Myself) -> Response:
    """Ask for a passkey after each password, and show the recovery codes once."""
    codes = await accounts.turn_on_with_passkeys(get_state(request).services.accounts, principal)
    return await _render_two_step(request, principal, codes=codes)


@pages.post("/two-step/codes")
async def renew_codes(request: Request, principal: Myself) -> Response:
    """Make new recovery codes and show them once."""
    codes = await accounts.renew_recovery_codes(get_state(request).services.accounts, principal)
    return await _render_two_step(request, principal, codes=codes)


@pages.post("/two-step/off")
async def turn_off(request: Request, principal: Myself) -> Response:
    """Turn two-step sign-in off."""
    await accounts.turn_off_second_factor(get_state(request).services.accounts, principal)
    return redirect(request, TWO_STEP_PATH, Flash(gettext("Two-step sign-in is off.")))


async def _render_two_step(
    request: Request,
    principal: Principal,
    *,
    codes: list[str] | None = None,
    errors: dict[str, str] | None = None,
) -> Response:
    services = get_state(request).services
    status = await accounts.get_second_factor(services.accounts, principal, principal.user_id)
    return await render_page(
        request,
        "account/two_step.html",
        status_code=422 if errors else 200,
        status=status,
        codes=codes or [],
        errors=errors or {},
        site=find_site(request),
        other_address=find_other_address(request),
    )


async def _render_app(request: Request, app: NewApp, error: str = "") -> Response:
    picture = segno.make(app.uri, error="m").svg_data_uri(scale=_QR_SCALE, border=3, light="#ffffff")
    return await render_page(
        request, "account/app.html", status_code=422 if error else 200, app=app, picture=picture, error=error
    )
