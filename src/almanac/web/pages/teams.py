"""Teams: making them, who is in them, and what they may do at desks."""

from collections.abc import Mapping
from typing import Annotated

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.accounts import service as accounts
from almanac.accounts.model import Principal
from almanac.accounts.permissions import PERSONAL_DATA
from almanac.errors import FieldErrors, StaleEdit
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.http.conflicts import EditConflict, compare_fields, make_conflict
from almanac.http.cookies import Flash
from almanac.http.name_picker import NameChoice
from almanac.http.pages import FormText, FormTexts, parse_form_version, redirect, render_page
from almanac.kit.messages import gettext
from almanac.web.pages.person_picker import choose_person
from almanac.web.rights_forms import COLUMNS, describe_team, parse_rights, team_row

pages = APIRouter(prefix="/teams")
EDIT_LABELS = {"name": gettext("Name"), "description": gettext("What it is for")}

Manager = Annotated[Principal, require("users.manage")]


@pages.get("")
async def show_teams(request: Request, principal: Manager) -> Response:
    """List teams, with a form for a new one."""
    return await _render_teams(request, principal)


@pages.post("")
async def add_team(request: Request, principal: Manager, name: FormText = "", description: FormText = "") -> Response:
    """Make a team."""
    try:
        team = await accounts.create_team(
            get_state(request).services.accounts, principal, name=name, description=description
        )
    except FieldErrors as error:
        values = {"name": name, "description": description}
        return await _render_teams(request, principal, status=422, values=values, errors=error.fields)
    return redirect(
        request, f"/teams/{team.id}", Flash(gettext("%(name)s is made. Add members and rights.", name=team.name))
    )


@pages.get("/{team_id}")
async def show_team(request: Request, team_id: str, principal: Manager) -> Response:
    """Show a team with its members and rights."""
    return await _render_team(request, principal, team_id)


@pages.post("/{team_id}")
async def save_team(
    request: Request,
    team_id: str,
    principal: Manager,
    name: FormText = "",
    description: FormText = "",
    version: FormText = "",
) -> Response:
    """Change a team's name and description."""
    services, expected = get_state(request).services, parse_form_version(version)
    try:
        team = await accounts.edit_team(
            services.accounts, principal, team_id, name=name, description=description, expected=expected
        )
    except FieldErrors as error:
        typed = {"name": name, "description": description}
        return await _render_team(request, principal, team_id, status=422, errors=error.fields, typed=typed)
    except StaleEdit:
        current, _ = await accounts.get_team(services.accounts, principal, team_id)
        typed = {"name": name, "description": description}
        rows = compare_fields(EDIT_LABELS, typed, {"name": current.name, "description": current.description})
        conflict = await make_conflict(request, rows, current.version, f"/teams/{team_id}")
        return await _render_team(request, principal, team_id, status=412, typed=typed, conflict=conflict)
    return redirect(request, f"/teams/{team_id}", Flash(gettext("%(name)s is saved.", name=team.name)))


@pages.post("/{team_id}/members")
async def add_member(request: Request, team_id: str, principal: Manager, person: FormText = "") -> Response:
    """Put the person with this name or address into the team."""
    services = get_state(request).services
    choice = await choose_person(services, principal, person)
    if choice.error:
        return await _render_team(request, principal, team_id, status=422, person=person, choice=choice)
    user = await accounts.get_user_by_email(services.accounts, principal, choice.key)
    await accounts.add_team_member(services.accounts, principal, team_id, user.id)
    words, undo = gettext("%(name)s is in the team.", name=user.name), f"/teams/{team_id}/members/{user.id}/remove"
    return redirect(request, f"/teams/{team_id}", Flash(words, undo=undo))


@pages.post("/{team_id}/members/{user_id}/remove")
async def remove_member(request: Request, team_id: str, user_id: str, principal: Manager) -> Response:
    """Take a person out of the team."""
    services = get_state(request).services
    user = await accounts.get_user(services.accounts, principal, user_id)
    await accounts.remove_team_member(services.accounts, principal, team_id, user_id)
    words, undo = gettext("%(name)s is not in the team any more.", name=user.name), f"/teams/{team_id}/members"
    return redirect(request, f"/teams/{team_id}", Flash(words, undo=undo, fields={"person": user.email}))


@pages.post("/{team_id}/rights")
async def save_rights(
    request: Request, team_id: str, principal: Manager, rights: FormTexts = None, why: FormText = ""
) -> Response:
    """Set what the team may do at each desk."""
    state = get_state(request)
    for desk, actions in parse_rights(rights or (), state.desks).items():
        await accounts.set_team_rights(state.services.accounts, principal, team_id, desk, actions, why=why)
    return redirect(request, f"/teams/{team_id}", Flash(gettext("The team's rights are saved.")))


@pages.post("/{team_id}/delete")
async def delete_team(request: Request, team_id: str, principal: Manager) -> Response:
    """Delete the team."""
    await accounts.delete_team(get_state(request).services.accounts, principal, team_id)
    return redirect(request, "/teams", Flash(gettext("The team is deleted.")))


async def _render_teams(
    request: Request,
    principal: Principal,
    *,
    status: int = 200,
    values: dict[str, str] | None = None,
    errors: dict[str, str] | None = None,
) -> Response:
    state = get_state(request)
    teams = await accounts.list_teams(state.services.accounts, principal)
    return await render_page(
        request,
        "teams/list.html",
        status_code=status,
        teams=teams,
        desks=state.desks,
        rights={team.id: describe_team(team, state.desks) for team in teams},
        values=values or {},
        errors=errors or {},
    )


async def _render_team(
    request: Request,
    principal: Principal,
    team_id: str,
    *,
    status: int = 200,
    errors: dict[str, str] | None = None,
    typed: Mapping[str, str] | None = None,
    conflict: EditConflict | None = None,
    person: str = "",
    choice: NameChoice | None = None,
) -> Response:
    state = get_state(request)
    team, members = await accounts.get_team(state.services.accounts, principal, team_id)
    return await render_page(
        request,
        "teams/team.html",
        status_code=status,
        typed=typed or {"name": team.name, "description": team.description},
        conflict=conflict,
        team=team,
        members=members,
        rows=[team_row(team, desk.name) for desk in state.desks],
        titles={desk.name: desk.title for desk in state.desks},
        personal=PERSONAL_DATA,
        actions=COLUMNS,
        person=person,
        matches=choice.matches if choice else (),
        errors=errors or (choice.errors("person") if choice else {}),
    )
