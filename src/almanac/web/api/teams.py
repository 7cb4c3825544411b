"""API: teams, who is in them, and what they may do at desks."""

from typing import Annotated, Self

from fastapi import APIRouter, Request, Response
from pydantic import Field

from almanac.accounts import service as accounts
from almanac.accounts.model import Principal, Team
from almanac.accounts.permissions import ACTIONS, DESKS, desk_permission
from almanac.http.api_models import API_PREFIX, ApiModel, Id, Listed, Text
from almanac.http.app_state import get_state
from almanac.http.auth import require, require_for_desk
from almanac.http.etags import IfMatch, parse_if_match, with_etag
from almanac.http.idempotency.route import AtomicRoute
from almanac.http.problems import documented_problems
from almanac.web.api.users import RightsChange

router = APIRouter(prefix=f"{API_PREFIX}/teams", tags=["teams"], route_class=AtomicRoute)

Manager = Annotated[Principal, require("users.manage")]


class TeamBody(ApiModel):
    """A team with what its members may do at each desk beside what they may do anyway."""

    id: str
    name: str
    description: str
    version: int = Field(description="Rises with each edit of name and description; send it back in If-Match.")
    size: int = Field(description="The number of active members.")
    rights: dict[str, list[str]]

    @classmethod
    def from_model(cls, team: Team) -> Self:
        rights = {
            desk: [action for action in ACTIONS if desk_permission(desk, action) in team.rights] for desk in DESKS
        }
        return cls(
            id=team.id,
            name=team.name,
            description=team.description,
            version=team.version,
            size=team.size,
            rights={desk: actions for desk, actions in rights.items() if actions},
        )


class TeamMemberBody(ApiModel):
    """A person in a team."""

    id: str
    name: str
    email: str
    active: bool


class TeamDetailBody(TeamBody):
    """A team with its members."""

    members: list[TeamMemberBody]


class TeamRequest(ApiModel):
    """A team's name and what it is for."""

    name: Text
    description: Text = ""


@router.get("")
async def list_teams(request: Request, principal: Manager) -> Listed[TeamBody]:
    """List teams by name."""
    teams = await accounts.list_teams(get_state(request).services.accounts, principal)
    return Listed(items=[TeamBody.from_model(team) for team in teams], next_cursor=None)


@router.post("", status_code=201, responses=documented_problems(409))
async def create_team(request: Request, response: Response, body: TeamRequest, principal: Manager) -> TeamBody:
    """Create a team without members and rights."""
    team = await accounts.create_team(get_state(request).services.accounts, principal, **body.model_dump())
    response.headers["Location"] = f"{API_PREFIX}/teams/{team.id}"
    return TeamBody.from_model(with_etag(response, team))


@router.get("/{team_id}")
async def get_team(request: Request, response: Response, team_id: Id, principal: Manager) -> TeamDetailBody:
    """Get a team with its members."""
    team, members = await accounts.get_team(get_state(request).services.accounts, principal, team_id)
    shown = [TeamMemberBody.model_validate(member) for member in members]
    return TeamDetailBody(members=shown, **TeamBody.from_model(with_etag(response, team)).model_dump())


@router.patch("/{team_id}", responses=documented_problems(409, 412, 428))
async def edit_team(
    request: Request, response: Response, team_id: Id, body: TeamRequest, principal: Manager, if_match: IfMatch = None
) -> TeamBody:
    """Change a team's name and description. Needs If-Match with the ETag that was read."""
    expected = parse_if_match(if_match)
    team = await accounts.edit_team(
        get_state(request).services.accounts, principal, team_id, expected=expected, **body.model_dump()
    )
    return TeamBody.from_model(with_etag(response, team))


@router.delete("/{team_id}", status_code=204)
async def delete_team(request: Request, team_id: Id, principal: Manager) -> None:
    """Delete a team; its members lose what it gave them at once."""
    await accounts.delete_team(get_state(request).services.accounts, principal, team_id)


@router.put("/{team_id}/members/{user_id}", status_code=204)
async def add_member(request: Request, team_id: Id, user_id: Id, principal: Manager) -> None:
    """Put a person into a team. Repeating it is fine."""
    await accounts.add_team_member(get_state(request).services.accounts, principal, team_id, user_id)


@router.delete("/{team_id}/members/{user_id}", status_code=204)
async def remove_member(request: Request, team_id: Id, user_id: Id, principal: Manager) -> None:
    """Take a person out of a team. Repeating it is fine."""
    await accounts.remove_team_member(get_state(request).services.accounts, principal, team_id, user_id)


@router.put("/{team_id}/rights/{desk}")
async def set_rights(
    request: Request,
    team_id: Id,
    desk: Id,
    change: RightsChange,
    principal: Annotated[Principal, require_for_desk("users.manage", "administer")],
) -> TeamBody:
    """Set what a team's members may do at a desk beside what they may do anyway."""
    team = await accounts.set_team_rights(
        get_state(request).services.accounts, principal, team_id, desk, change.actions or (), why=change.why
    )
    return TeamBody.from_model(team)
