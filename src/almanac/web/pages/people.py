"""People: accounts, invitations, roles, deactivating, and sending links again."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import Response

from almanac.accounts import service as accounts
from almanac.accounts.fields import clean_role
from almanac.accounts.model import IssuedLink, Principal, User
from almanac.accounts.permissions import PERSONAL_DATA, Role
from almanac.accounts.service import UserEdit, UserFilter
from almanac.errors import Conflict, FieldErrors, StaleEdit
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.http.conflicts import EditConflict, compare_fields, make_conflict
from almanac.http.cookies import Flash
from almanac.http.jinja import ROLE_NAMES
from almanac.http.pages import FormText, FormTexts, redirect, render_page
from almanac.http.paging import Cursor, first_url, next_url
from almanac.kit.messages import gettext, pgettext
from almanac.web.rights_forms import COLUMNS, parse_rights, person_row, role_row

pages = APIRouter(prefix="/people")
ROLES = (
    (Role.MEMBER.value, gettext("Member: sees desks without personal data and tracks own habits")),
    (Role.EDITOR.value, gettext("Editor: sees and writes at every desk, and retries jobs")),
    (Role.APPROVER.value, gettext("Approver: sees, approves and sends at every desk")),
    (Role.ADMIN.value, gettext("Admin: everything")),
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
        active={"active": True, "invited": True, "deactivated": False}.get(state),
        signed_in={"active": True, "invited": False}.get(state),
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
async def show_invitation(request: Request, _principal: Manager, role: str = "member") -> Response:
    """Show the form to invite somebody, with what the role gives at each desk."""
    return await _render_invitation(request, {"role": role if role in list(Role) else "member"})


@pages.post("/invite")
async def invite(
    request: Request,
    principal: Manager,
    email: FormText = "",
    name: FormText = "",
    role: FormText = "member",
    preset: FormText = "",
    rights: FormTexts = None,
) -> Response:
    """Add a person and send them an invitation link. `preset` is the role whose rights the form showed: what differs
    from them was chosen for this person.
    """
    services, desks = get_state(request).services, get_state(request).desks
    try:
        given = _chosen_rights(preset, parse_rights(rights or (), desks))
        link = await accounts.invite_user(services.accounts, principal, email=email, name=name, role=role, rights=given)
    except FieldErrors as error:
        values = {"email": email, "name": name, "role": role, "preset": preset}
        return await _render_invitation(request, values, rights=rights, errors=error.fields)
    if not services.mail_leaves:
        return await _render_person(request, principal, link.user.id, link=link)
    return redirect(
        request, f"/people/{link.user.id}", Flash(gettext("%(name)s is invited by e-mail.", name=link.user.name))
    )


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
    services, values = get_state(request).services, {"name": name, "role": role, "why": why}
    try:
        edit = UserEdit(name=name, role=clean_role(role))
        user = await accounts.edit_user(services.accounts, principal, user_id, edit, expected=version, why=why)
    except FieldErrors as error:
        return await _render_person(request, principal, user_id, status=422, errors=error.fields, values=values)
    except StaleEdit:
        return await _render_person(request, principal, user_id, status=412, values=values, is_stale=True)
    except Conflict as error:
        errors = {"role": error.sentence}
        return await _render_person(request, principal, user_id, status=error.status, errors=errors, values=values)
    return redirect(request, f"/people/{user_id}", Flash(gettext("%(name)s is saved.", name=user.name)))


@pages.post("/{user_id}/rights")
async def save_rights(
    request: Request, user_id: str, principal: Manager, rights: FormTexts = None, why: FormText = ""
) -> Response:
    """Set what a person may do at each desk; what equals their role's default is left to the role."""
    state = get_state(request)
    given = parse_rights(rights or (), state.desks)
    user = await accounts.set_desk_rights(state.services.accounts, principal, user_id, given, why=why)
    return redirect(request, f"/people/{user_id}", Flash(gettext("The rights of %(name)s are saved.", name=user.name)))


@pages.post("/{user_id}/teams")
async def save_teams(request: Request, user_id: str, principal: Manager, teams: FormTexts = None) -> Response:
    """Put a person into exactly these teams."""
    await accounts.set_user_teams(get_state(request).services.accounts, principal, user_id, teams or [])
    return redirect(request, f"/people/{user_id}", Flash(gettext("The teams are saved.")))


@pages.post("/{user_id}/deactivate")
async def deactivate(request: Request, user_id: str, principal: Manager, why: FormText = "") -> Response:
    """Deactivate an account; its sessions, tokens and links end at once."""
    try:
        user = await accounts.deactivate_user(get_state(request).services.accounts, principal, user_id, why=why)
    except Conflict as error:
        return await _render_person(request, principal, user_id, status=error.status, refusal=error.sentence)
    undo = f"/people/{user_id}/reactivate"
    words = gettext("%(name)s is deactivated.", name=user.name)
    return redirect(request, f"/people/{user_id}", Flash(words, undo=undo))


@pages.post("/{user_id}/reactivate")
async def reactivate(request: Request, user_id: str, principal: Manager) -> Response:
    """Reactivate an account."""
    user = await accounts.reactivate_user(get_state(request).services.accounts, principal, user_id)
    return redirect(request, f"/people/{user_id}", Flash(gettext("%(name)s can sign in again.", name=user.name)))


@pages.post("/{user_id}/link")
async def send_link(request: Request, user_id: str, principal: Manager) -> Response:
    """Send the invitation again, or a reset link if they have a password."""
    services = get_state(request).services
    user = await accounts.get_user(services.accounts, principal, user_id)
    send = accounts.send_reset_link if user.has_password else accounts.resend_invitation
    link = await send(services.accounts, principal, user_id)
    if not services.mail_leaves:
        return await _render_person(request, principal, user_id, link=link)
    return redirect(
        request, f"/people/{user_id}", Flash(gettext("A link is on its way to %(email)s.", email=user.email))
    )


async def _render_person(
    request: Request,
    principal: Principal,
    user_id: str,
    *,
    status: int = 200,
    errors: dict[str, str] | None = None,
    values: dict[str, str] | None = None,
    is_stale: bool = False,
    refusal: str = "",
    link: IssuedLink | None = None,
) -> Response:
    """`values` are what was entered and is to be corrected, or compared if it `is_stale`; `refusal` is why they can't
    be deactivated; `link` is shown to copy, because it couldn't be sent.
    """
    state = get_state(request)
    access = await accounts.get_access(state.services.accounts, principal, user_id)
    titles = {desk.name: desk.title for desk in state.desks}
    return await render_page(
        request,
        "people/person.html",
        status_code=status,
        user=access.user,
        roles=ROLES,
        rows=[person_row(desk) for desk in access.desks],
        own_rights=[titles[desk.desk] for desk in access.desks if desk.own is not None],
        teams=[(team.id, team.name) for team in await accounts.list_teams(state.services.accounts, principal)],
        own_teams=[team.id for team in access.teams],
        titles=titles,
        personal=PERSONAL_DATA,
        actions=COLUMNS,
        errors=errors or {},
        values=values or {"name": access.user.name, "role": access.user.role.value, "why": ""},
        conflict=await _find_conflict(request, access.user, values) if is_stale and values else None,
        refusal=refusal,
        link=link,
        myself=principal.owns(access.user.id),
    )


async def _find_conflict(request: Request, user: User, values: dict[str, str]) -> EditConflict:
    names = {role.value: words for role, words in ROLE_NAMES.items()}
    labels = {"name": pgettext("person", "Name"), "role": gettext("Role")}
    mine = {"name": values["name"], "role": names.get(values["role"], values["role"])}
    rows = compare_fields(labels, mine, {"name": user.name, "role": ROLE_NAMES[user.role]})
    return await make_conflict(request, rows, user.version, f"/people/{user.id}")


async def _render_invitation(
    request: Request,
    values: dict[str, str],
    *,
    rights: list[str] | None = None,
    errors: dict[str, str] | None = None,
) -> Response:
    """`rights` are what was ticked before; else what the role gives is ticked."""
    desks, role = get_state(request).desks, next((r for r in Role if r == values["role"]), Role.MEMBER)
    ticked = None if rights is None and not errors else parse_rights(rights or (), desks)
    return await render_page(
        request,
        "people/invite.html",
        status_code=422 if errors else 200,
        roles=ROLES,
        values={"preset": role.value, **values},
        errors=errors or {},
        rows=[
            role_row(desk.name, accounts.desk_defaults(role, desk.name) if ticked is None else ticked[desk.name])
            for desk in desks
        ],
        titles={desk.name: desk.title for desk in desks},
        personal=PERSONAL_DATA,
        actions=COLUMNS,
    )


def _chosen_rights(preset: str, ticked: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """The desks where something else is ticked than the form showed for a role; all of the rest is left to the role."""
    if preset not in list(Role):
        return {}
    return {desk: actions for desk, actions in ticked.items() if actions != accounts.desk_defaults(Role(preset), desk)}
