"""Who may do what at one desk, for those who administer it."""

from typing import Annotated

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.accounts import service as accounts
from almanac.accounts.model import Principal, User
from almanac.accounts.permissions import Role
from almanac.errors import NotFound
from almanac.http.app_state import get_state
from almanac.http.auth import require_for_desk
from almanac.http.cookies import Flash
from almanac.http.desk import Desk
from almanac.http.pages import FormTexts, redirect, render_page
from almanac.http.paging import Cursor, first_url, next_url
from almanac.kit.messages import gettext
from almanac.web.rights_forms import COLUMNS, person_grant, personal_data, team_grant

pages = APIRouter(prefix="/desks/{desk}/rights")

Administrator = Annotated[Principal, require_for_desk("users.manage", "administer")]


@pages.get("")
async def show_rights(
    request: Request, desk: str, principal: Administrator, q: str = "", cursor: Cursor = None
) -> Response:
    """Show what teams and people may do at a desk."""
    services, shown = get_state(request).services, _find_desk(request, desk)
    people = await accounts.list_desk_people(services.accounts, principal, shown.name, q, cursor=cursor)
    return await render_page(
        request,
        "people/desk_rights.html",
        desk=shown,
        personal=personal_data(shown.name),
        teams=[team_grant(team, shown.name) for team in await accounts.list_teams(services.accounts, principal)],
        people=[person_grant(user, access, fixed=_is_fixed(principal, user)) for user, access in people.items],
        actions=COLUMNS,
        q=q,
        next_url=next_url(request.url, people.next_cursor),
        first_url=first_url(request.url, cursor),
    )


@pages.post("/people/{user_id}")
async def save_person(
    request: Request, desk: str, user_id: str, principal: Administrator, actions: FormTexts = None
) -> Response:
    """Set what a person may do at the desk; what equals their role's default is left to the role."""
    services, shown = get_state(request).services, _find_desk(request, desk)
    user = await accounts.set_desk_rights(services.accounts, principal, user_id, {shown.name: actions or ()})
    return redirect(
        request, f"/desks/{shown.name}/rights", Flash(gettext("The rights of %(name)s are saved.", name=user.name))
    )


@pages.post("/teams/{team_id}")
async def save_team(
    request: Request, desk: str, team_id: str, principal: Administrator, actions: FormTexts = None
) -> Response:
    """Set what a team may do at the desk."""
    services, shown = get_state(request).services, _find_desk(request, desk)
    team = await accounts.set_team_rights(services.accounts, principal, team_id, shown.name, actions or ())
    return redirect(
        request, f"/desks/{shown.name}/rights", Flash(gettext("The rights of %(name)s are saved.", name=team.name))
    )


def _find_desk(request: Request, name: str) -> Desk:
    for desk in get_state(request).desks:
        if desk.name == name:
            return desk
    raise NotFound(gettext("This desk does not exist or is switched off."))


def _is_fixed(principal: Principal, user: User) -> bool:
    return principal.owns(user.id) or (user.role is Role.ADMIN and not principal.may("users.manage"))
