"""People: accounts, invitations, roles, deactivating, and sending links again."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import Response

from almanac.accounts import service as accounts
from almanac.accounts.fields import clean_role
from almanac.accounts.model import IssuedLink, Principal
from almanac.accounts.permissions import Role
from almanac.accounts.service import UserEdit, UserFilter
from almanac.errors import FieldErrors, StaleEdit
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.http.cookies import Flash
from almanac.http.pages import FormText, redirect, render_page
from almanac.http.paging import Cursor, first_url, next_url

pages = APIRouter(prefix="/people")
ROLES = (
    (Role.MEMBER.value, "Member: reads every desk and tracks own habits"),
    (Role.EDITOR.value, "Editor: also writes, and retries jobs"),
    (Role.APPROVER.value, "Approver: also approves and sends"),
    (Role.ADMIN.value, "Admin: everything"),
)

Manager = Annotated[Principal, require("users.manage")]


@pages.get("")
async def show_people(
    request: Request, principal: Manager, q: str = "", role: str = "", state: str = "", cursor: Cursor = None
) -> Response:
    """List accounts by name."""
    filters = UserFilter(
        text=q or None,
        role=next((option for option in Role if option == role), None),
        active={"active": True, "deactivated": False}.get(state),
    )
    listed = await accounts.list_users(get_state(request).services.accounts, principal, filters, cursor=cursor)
    return await render_page(
        request,
        "people/list.html",
        users=listed.items,
        q=q,
        role=role,
        state=state,
        roles=[r.value for r in Role],
        next_url=next_url(request.url, listed.next_cursor),
        first_url=first_url(request.url, cursor),
    )


@pages.get("/invite")
async def show_invitation(request: Request, _principal: Manager) -> Response:
    """Show the form to invite somebody."""
    return await render_page(request, "people/invite.html", roles=ROLES, values={"role": "member"}, errors={})


@pages.post("/invite")
async def invite(
    request: Request, principal: Manager, email: FormText = "", name: FormText = "", role: FormText = "member"
) -> Response:
    """Add a person and send them an invitation link."""
    services = get_state(request).services
    try:
        link = await accounts.invite_user(services.accounts, principal, email=email, name=name, role=clean_role(role))
    except FieldErrors as error:
        values = {"email": email, "name": name, "role": role}
        return await render_page(
            request, "people/invite.html", status_code=422, roles=ROLES, values=values, errors=error.fields
        )
    if not services.mail_leaves:
        return await _render_person(request, principal, link.user.id, link=link)
    return redirect(request, f"/people/{link.user.id}", Flash(f"{link.user.name} is invited by e-mail."))


@pages.get("/{user_id}")
async def show_person(request: Request, user_id: str, principal: Manager) -> Response:
    """Show a person and what can be changed about them."""
    return await _render_person(request, principal, user_id)


@pages.post("/{user_id}")
async def save_person(
    request: Request,
    user_id: str,
    principal: Manager,
    name: FormText = "",
    role: FormText = "",
    why: FormText = "",
    version: Annotated[int, Form()] = 0,
) -> Response:
    """Change name and role; if somebody else saved first, both versions are shown."""
    services = get_state(request).services
    try:
        edit = UserEdit(name=name, role=clean_role(role))
        user = await accounts.edit_user(services.accounts, principal, user_id, edit, expected=version, why=why)
    except FieldErrors as error:
        return await _render_person(request, principal, user_id, status=422, errors=error.fields)
    except StaleEdit:
        return await _render_person(request, principal, user_id, status=412, sent_values={"name": name, "role": role})
    return redirect(request, f"/people/{user_id}", Flash(f"{user.name} is saved."))


@pages.post("/{user_id}/deactivate")
async def deactivate(request: Request, user_id: str, principal: Manager, why: FormText = "") -> Response:
    """Deactivate an account; its sessions, tokens and links end at once."""
    user = await accounts.deactivate_user(get_state(request).services.accounts, principal, user_id, why=why)
    undo = f"/people/{user_id}/reactivate"
    return redirect(request, f"/people/{user_id}", Flash(f"{user.name} is deactivated.", undo=undo))


@pages.post("/{user_id}/reactivate")
async def reactivate(request: Request, user_id: str, principal: Manager) -> Response:
    """Reactivate an account."""
    user = await accounts.reactivate_user(get_state(request).services.accounts, principal, user_id)
    return redirect(request, f"/people/{user_id}", Flash(f"{user.name} can sign in again."))


@pages.post("/{user_id}/link")
async def send_link(request: Request, user_id: str, principal: Manager) -> Response:
    """Send the invitation again, or a reset link if they have a password."""
    services = get_state(request).services
    user = await accounts.get_user(services.accounts, principal, user_id)
    send = accounts.send_reset_link if user.has_password else accounts.resend_invitation
    link = await send(services.accounts, principal, user_id)
    if not services.mail_leaves:
        return await _render_person(request, principal, user_id, link=link)
    return redirect(request, f"/people/{user_id}", Flash(f"A link is on its way to {user.email}."))


async def _render_person(
    request: Request,
    principal: Principal,
    user_id: str,
    *,
    status: int = 200,
    errors: dict[str, str] | None = None,
    sent_values: dict[str, str] | None = None,
    link: IssuedLink | None = None,
) -> Response:
    """`link` is shown to copy, because it couldn't be sent."""
    user = await accounts.get_user(get_state(request).services.accounts, principal, user_id)
    return await render_page(
        request,
        "people/person.html",
        status_code=status,
        user=user,
        roles=ROLES,
        errors=errors or {},
        mine=sent_values,
        link=link,
        myself=principal.owns(user.id),
    )
