"""The person's account: name, password, preferences, and the browsers they are signed in with."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, cast

from fastapi import APIRouter, Form, Request
from starlette.responses import Response

from almanac.accounts import service as accounts
from almanac.accounts.model import Principal, Theme, User
from almanac.errors import FieldErrors, StaleEdit
from almanac.http.app_state import get_state
from almanac.http.auth import client_address, require
from almanac.http.conflicts import EditConflict, compare_fields, make_conflict
from almanac.http.cookies import Flash
from almanac.http.pages import FormText, FormZone, parse_form_version, redirect, render_page, safe_local_path
from almanac.kit.catalogs import LANGUAGE_NAMES
from almanac.kit.messages import gettext, ngettext, pgettext
from almanac.kit.time_zones import label_zone

pages = APIRouter(prefix="/account")
LANGUAGES = (("", gettext("The browser's language")), *LANGUAGE_NAMES.items())

Myself = Annotated[Principal, require("account.own")]


@pages.get("")
async def show_account(request: Request, principal: Myself) -> Response:
    """Show the account and preferences."""
    return await _render_account(request, principal)


@pages.post("")
async def save_account(
    request: Request,
    principal: Myself,
    name: FormText = "",
    language: FormText = "",
    time_zone: FormZone = "",
    version: FormText = "",
) -> Response:
    """Change the name, language and time zone."""
    services = get_state(request).services
    typed = {"name": name, "language": language, "time_zone": time_zone}
    preferences = replace(principal.preferences, language=language, time_zone=time_zone or None)
    expected = parse_form_version(version) if version else None
    try:
        edit = accounts.UserEdit(name=name, preferences=preferences)
        await accounts.edit_user(services.accounts, principal, principal.user_id, edit, expected=expected)
    except FieldErrors as error:
        return await _render_account(request, principal, error.fields, typed=typed)
    except StaleEdit:
        return await _render_account(request, principal, typed=typed, is_stale=True)
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


async def _render_account(
    request: Request,
    principal: Principal,
    errors: dict[str, str] | None = None,
    *,
    typed: Mapping[str, str] | None = None,
    is_stale: bool = False,
) -> Response:
    services = get_state(request).services
    user = await accounts.get_user(services.accounts, principal, principal.user_id)
    return await render_page(
        request,
        "account/profile.html",
        status_code=412 if is_stale else 422 if errors else 200,
        user=user,
        errors=errors or {},
        typed=typed or _fields_of(user),
        conflict=await _find_conflict(request, user, typed) if is_stale and typed else None,
        languages=LANGUAGES,
        single_sign_on=services.accounts.oidc is not None,
        connected=(await accounts.list_proof_ways(services.accounts, principal)).sign_on,
        workspace_zone=services.settings.time_zone,
    )


def _fields_of(user: User) -> dict[str, str]:
    preferences = user.preferences
    return {"name": user.name, "language": preferences.language, "time_zone": preferences.time_zone or ""}


async def _find_conflict(request: Request, user: User, typed: Mapping[str, str]) -> EditConflict:
    labels = {
        "name": pgettext("person", "Name"),
        "language": gettext("Language"),
        "time_zone": gettext("Time zone"),
    }
    names = dict(LANGUAGES)
    both = (typed, _fields_of(user))
    mine, saved = (
        {
            **fields,
            "language": names.get(fields["language"], fields["language"]),
            "time_zone": label_zone(fields["time_zone"]),
        }
        for fields in both
    )
    return await make_conflict(request, compare_fields(labels, mine, saved), user.version, "/account")


async def _render_password(request: Request, principal: Principal, errors: dict[str, str] | None = None) -> Response:
    services = get_state(request).services
    user = await accounts.get_user(services.accounts, principal, principal.user_id)
    return await render_page(
        request, "account/password.html", status_code=422 if errors else 200, user=user, errors=errors or {}
    )
