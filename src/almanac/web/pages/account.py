"""The person's account: name, password, preferences, and the browsers they are signed in with."""

from dataclasses import replace
from typing import Annotated, cast

from fastapi import APIRouter, Form, Request
from starlette.responses import Response

from almanac.accounts import service as accounts
from almanac.accounts.model import Principal, Theme
from almanac.errors import FieldErrors
from almanac.http.app_state import get_state
from almanac.http.auth import client_address, require
from almanac.http.cookies import Flash
from almanac.http.pages import FormText, redirect, render_page, safe_local_path
from almanac.kit.catalogs import LANGUAGE_NAMES
from almanac.kit.dates import time_zone_names
from almanac.kit.messages import gettext, ngettext

pages = APIRouter(prefix="/account")
LANGUAGES = (("", gettext("The browser's language")), *LANGUAGE_NAMES.items())

Myself = Annotated[Principal, require("account.own")]


@pages.get("")
async def show_account(request: Request, principal: Myself) -> Response:
    """Show the account and preferences."""
    return await _render_account(request, principal)


@pages.post("")
async def save_account(
    request: Request, principal: Myself, name: FormText = "", language: FormText = "", time_zone: FormText = ""
) -> Response:
    """Change the name, language and time zone."""
    services = get_state(request).services
    preferences = replace(principal.preferences, language=language, time_zone=time_zone or None)
    try:
        edit = accounts.UserEdit(name=name, preferences=preferences)
        await accounts.edit_user(services.accounts, principal, principal.user_id, edit)
    except FieldErrors as error:
        return await _render_account(request, principal, error.fields)
    return redirect(request, "/account", Flash(gettext("Your account is saved.")))


@pages.post("/theme")
async def choose_theme(
    request: Request, principal: Myself, theme: FormText = "system", next_path: Annotated[str, Form(alias="next")] = "/"
) -> Response:
    """Switch between light, dark and the device's theme."""
    state = get_state(request)
    # The service validates the value; the cast is only for mypy.
    preferences = replace(principal.preferences, theme=cast("Theme", theme))
    await accounts.set_preferences(state.services.accounts, principal, preferences)
    response = redirect(request, safe_local_path(next_path))
    state.cookies.set_theme(response, theme)
    return response


@pages.get("/password")
async def show_password(request: Request, principal: Myself) -> Response:
    """Show the form to change the password."""
    return await _render_password(request, principal)


@pages.post("/password")
async def change_password(request: Request, principal: Myself, current: FormText = "", new: FormText = "") -> Response:
    """Change the password; every other session ends."""
    services = get_state(request).services
    try:
        await accounts.change_password(
            services.accounts, principal, current=current, new=new, address=client_address(request)
        )
    except FieldErrors as error:
        renamed = {{"password": "new"}.get(name, name): words for name, words in error.fields.items()}
        return await _render_password(request, principal, renamed)
    return redirect(request, "/account", Flash(gettext("Your password is changed; other sessions were signed out.")))


@pages.get("/sessions")
async def show_sessions(request: Request, principal: Myself) -> Response:
    """List the browsers the person is signed in with, latest used first."""
    sessions = await accounts.list_sessions(get_state(request).services.accounts, principal)
    return await render_page(request, "account/sessions.html", sessions=sessions)


@pages.post("/sessions/others/end")
async def end_others(request: Request, principal: Myself) -> Response:
    """End all other sessions."""
    ended = await accounts.end_other_sessions(get_state(request).services.accounts, principal)
    return redirect(
        request,
        "/account/sessions",
        Flash(ngettext("Ended %(num)s other session.", "Ended %(num)s other sessions.", ended)),
    )


@pages.post("/sessions/{session_id}/end")
async def end_session(request: Request, session_id: str, principal: Myself) -> Response:
    """End one session."""
    await accounts.end_session(get_state(request).services.accounts, principal, session_id)
    return redirect(request, "/account/sessions", Flash(gettext("Session ended.")))


async def _render_account(request: Request, principal: Principal, errors: dict[str, str] | None = None) -> Response:
    services = get_state(request).services
    user = await accounts.get_user(services.accounts, principal, principal.user_id)
    zones = [
        ("", gettext("Same as the workspace (%(time_zone)s)", time_zone=services.settings.time_zone)),
        *((zone, zone) for zone in time_zone_names()),
    ]
    return await render_page(
        request,
        "account/profile.html",
        status_code=422 if errors else 200,
        user=user,
        errors=errors or {},
        languages=LANGUAGES,
        single_sign_on=services.accounts.oidc is not None,
        connected=(await accounts.list_proof_ways(services.accounts, principal)).sign_on,
        zones=zones,
    )


async def _render_password(request: Request, principal: Principal, errors: dict[str, str] | None = None) -> Response:
    services = get_state(request).services
    user = await accounts.get_user(services.accounts, principal, principal.user_id)
    return await render_page(
        request, "account/password.html", status_code=422 if errors else 200, user=user, errors=errors or {}
    )
