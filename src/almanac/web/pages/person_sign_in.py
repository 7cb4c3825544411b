"""How another person signs in, for those who manage people: their sessions, and a reset of their second factor."""

from typing import Annotated

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.accounts import service as accounts
from almanac.accounts.model import Principal
from almanac.errors import FieldErrors
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.http.cookies import Flash
from almanac.http.pages import FormText, redirect, render_page
from almanac.kit.messages import gettext, ngettext

pages = APIRouter(prefix="/people/{user_id}")

Manager = Annotated[Principal, require("users.manage")]


@pages.get("/sign-in")
async def show_sign_in_of(request: Request, user_id: str, principal: Manager) -> Response:
    """Show a person's address, sessions and second factor."""
    return await _render_person(request, principal, user_id)


@pages.post("/email")
async def change_email_of(
    request: Request, user_id: str, principal: Manager, email: FormText = "", why: FormText = ""
) -> Response:
    """Change a person's address; the former one gets a notice."""
    services = get_state(request).services
    try:
        edit = accounts.UserEdit(email=email)
        user = await accounts.edit_user(services.accounts, principal, user_id, edit, why=why)
    except FieldErrors as error:
        return await _render_person(request, principal, user_id, error.fields, {"email": email, "why": why})
    return redirect(
        request,
        f"/people/{user_id}/sign-in",
        Flash(gettext("%(name)s signs in with %(email)s now.", name=user.name, email=user.email)),
    )


@pages.post("/sessions/end")
async def end_sessions_of(request: Request, user_id: str, principal: Manager, why: FormText = "") -> Response:
    """End a person's sessions on all devices."""
    ended = await accounts.end_sessions_of(get_state(request).services.accounts, principal, user_id, why=why)
    return redirect(
        request,
        f"/people/{user_id}/sign-in",
        Flash(ngettext("Ended %(num)s session.", "Ended %(num)s sessions.", ended)),
    )


@pages.post("/second-factor/reset")
async def reset_second_factor(request: Request, user_id: str, principal: Manager, why: FormText = "") -> Response:
    """Remove a person's app, recovery codes and passkeys, and end their sessions."""
    user = await accounts.reset_second_factor(get_state(request).services.accounts, principal, user_id, why=why)
    return redirect(
        request, f"/people/{user_id}/sign-in", Flash(gettext("%(name)s signs in in one step again.", name=user.name))
    )


async def _render_person(
    request: Request,
    principal: Principal,
    user_id: str,
    errors: dict[str, str] | None = None,
    typed: dict[str, str] | None = None,
) -> Response:
    services = get_state(request).services
    user = await accounts.get_user(services.accounts, principal, user_id)
    return await render_page(
        request,
        "people/sign_in.html",
        status_code=422 if errors else 200,
        user=user,
        status=await accounts.get_second_factor(services.accounts, principal, user_id),
        sessions=await accounts.list_sessions_of(services.accounts, principal, user_id),
        myself=principal.owns(user.id),
        errors=errors or {},
        typed=typed or {"email": user.email, "why": ""},
    )
