"""API tokens of the person: created with scopes, shown once, revoked for good."""

from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import Response

from almanac.accounts import service as accounts
from almanac.accounts.model import NewToken, Principal
from almanac.accounts.permissions import WHOLE_SCOPES
from almanac.errors import FieldErrors
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.http.cookies import Flash
from almanac.http.pages import redirect, render_page
from almanac.kit.messages import gettext, ngettext

pages = APIRouter(prefix="/account/tokens")
SCOPE_WORDS = {
    "read": gettext("Read desks, jobs and my saved queries"),
    "write": gettext("Write at desks, save queries, retry jobs, change my account"),
    "approve": gettext("Approve drafts"),
    "send": gettext("Send what is approved"),
    "admin": gettext("Manage people, tokens, mail and webhooks, read the audit log and what models cost"),
}
LIFETIMES = (
    ("30", ngettext("%(num)s day", "%(num)s days", 30)),
    ("90", ngettext("%(num)s day", "%(num)s days", 90)),
    ("365", gettext("One year")),
    ("", gettext("No end")),
)

Owner = Annotated[Principal, require("tokens.own")]


@pages.get("")
async def show_tokens(request: Request, principal: Owner) -> Response:
    """List the person's tokens, with the form for a new one."""
    return await _render_tokens(request, principal)


@pages.post("")
async def create_token(
    request: Request,
    principal: Owner,
    name: Annotated[str, Form()] = "",
    days: Annotated[str, Form()] = "90",
    scopes: Annotated[list[str] | None, Form()] = None,
) -> Response:
    """Create a token and show its secret once."""
    services = get_state(request).services
    ends = services.clock.now() + timedelta(days=int(days)) if days in dict(LIFETIMES) and days else None
    try:
        token = await accounts.create_token(
            services.accounts, principal, name=name, scopes=scopes or [], expires_at=ends
        )
    except FieldErrors as error:
        return await _render_tokens(request, principal, errors=error.fields, name=name, chosen=scopes or [], days=days)
    return await _render_tokens(request, principal, new_token=token)


@pages.post("/{token_id}/revoke")
async def revoke_token(request: Request, token_id: str, principal: Owner) -> Response:
    """Revoke a token for good."""
    await accounts.revoke_token(get_state(request).services.accounts, principal, token_id)
    return redirect(request, "/account/tokens", Flash(gettext("The token is revoked.")))


async def _render_tokens(
    request: Request,
    principal: Principal,
    *,
    new_token: NewToken | None = None,
    errors: dict[str, str] | None = None,
    name: str = "",
    chosen: list[str] | None = None,
    days: str = "90",
) -> Response:
    services = get_state(request).services
    tokens = await accounts.list_tokens(services.accounts, principal)
    scopes = [(scope, gettext("%(words)s (%(code)s)", words=SCOPE_WORDS[scope], code=scope)) for scope in WHOLE_SCOPES]
    return await render_page(
        request,
        "account/tokens.html",
        status_code=422 if errors else 200,
        tokens=tokens,
        made=new_token,
        errors=errors or {},
        name=name,
        chosen=["read"] if chosen is None else chosen,
        days=days,
        scopes=scopes,
        lives=LIFETIMES,
        now=services.clock.now(),
    )
