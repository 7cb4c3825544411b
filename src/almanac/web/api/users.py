"""API: user accounts."""

from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from almanac.accounts import service as accounts
from almanac.accounts.model import Principal
from almanac.accounts.permissions import Role
from almanac.http.api_models import API_PREFIX, ApiModel, Id, Listed, Text
from almanac.http.app_state import get_state
from almanac.http.auth import require, require_for_desk, signed_in
from almanac.http.etags import IfMatch, parse_if_match, with_etag
from almanac.http.idempotency.route import AtomicRoute
from almanac.http.paging import Cursor, Limit
from almanac.http.problems import documented_problems

router = APIRouter(prefix=f"{API_PREFIX}/users", tags=["users"], route_class=AtomicRoute)

Manager = Annotated[Principal, require("users.manage")]
DeskAction = Literal["read", "write", "approve", "send", "administer"]


class PreferencesBody(ApiModel):
    """A user's preferences."""

    theme: str
    language: str
    time_zone: str | None


class UserBody(ApiModel):
    """A user account."""

    id: str
    email: str
    name: str
    role: Role
    active: bool
    has_password: bool
    version: int = Field(description="Rises with each edit; send it back in If-Match.")
    created_at: datetime
    updated_at: datetime
    last_signed_in_at: datetime | None
    preferences: PreferencesBody


class CreatedUserBody(UserBody):
    """A user who was just added."""

    invitation_link: str | None = Field(
        None, description="Give it to the person yourself: mail isn't set up, so no invitation was sent."
    )


class NewUser(ApiModel):
    """A user to add. Without a password they get an invitation by e-mail, or a link where mail isn't set up."""

    email: Text
    name: Text
    role: Role = Role.MEMBER
    password: Text | None = None
    rights: dict[str, list[DeskAction]] | None = Field(
        None, description="What they may do at desks instead of what the role gives there."
    )


class UserChange(ApiModel):
    """What to change about a user; omitted fields keep their value."""

    name: Text | None = None
    email: Text | None = None
    role: Role | None = None
    active: bool | None = None
    why: Text = Field("", description="Kept in the audit log.")


class RightsChange(ApiModel):
    """What somebody may do at a desk; null lets a person's role decide again. Whoever writes, approves, sends or
    administers also sees.
    """

    actions: list[DeskAction] | None
    why: Text = Field("", description="Kept in the audit log.")


class DeskAccessBody(ApiModel):
    """What a person may do at a desk, and where each right comes from."""

    desk: str
    default: list[str] = Field(description="What the person's role gives at this desk.")
    own: list[str] | None = Field(description="What is set for the person instead; null if nothing is.")
    sources: dict[str, list[str]] = Field(description="Each action with what gives it: role, own, or names of teams.")


@router.get("")
async def list_users(
    request: Request,
    principal: Manager,
    q: Annotated[Text | None, Query(description="Part of a name or e-mail address.")] = None,
    role: Role | None = None,
    active: bool | None = None,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Listed[UserBody]:
    """List users by name."""
    filters = accounts.UserFilter(text=q, role=role, active=active)
    page = await accounts.list_users(
        get_state(request).services.accounts, principal, filters, cursor=cursor, limit=limit
    )
    return Listed[UserBody].model_validate(page)


@router.post("", status_code=201, responses=documented_problems(409))
async def create_user(request: Request, response: Response, new: NewUser, principal: Manager) -> CreatedUserBody:
    """Add a user, with a password or by invitation."""
    services = get_state(request).services
    if new.password is None:
        link = await accounts.invite_user(
            services.accounts, principal, email=new.email, name=new.name, role=new.role, rights=new.rights
        )
        user, to_hand_over = link.user, None if services.mail_leaves else link.url
    else:
        user, to_hand_over = (
            await accounts.create_user(
                services.accounts, principal, email=new.email, name=new.name, role=new.role, password=new.password
            ),
            None,
        )
        if new.rights:
            user = await accounts.set_desk_rights(services.accounts, principal, user.id, new.rights)
    response.headers["Location"] = f"{API_PREFIX}/users/{user.id}"
    body = UserBody.model_validate(with_etag(response, user))
    return CreatedUserBody(**body.model_dump(), invitation_link=to_hand_over)


@router.get("/{user_id}")
async def get_user(
    request: Request, response: Response, user_id: Id, principal: Annotated[Principal, signed_in()]
) -> UserBody:
    """Get a user: yourself, or anybody if you manage users."""
    user = await accounts.get_user(get_state(request).services.accounts, principal, user_id)
    return UserBody.model_validate(with_etag(response, user))


@router.patch("/{user_id}", responses=documented_problems(409, 412, 428))
async def edit_user(
    request: Request, response: Response, user_id: Id, change: UserChange, principal: Manager, if_match: IfMatch = None
) -> UserBody:
    """Change a user. Needs If-Match with the ETag that was read."""
    expected = parse_if_match(if_match)
    edit = accounts.UserEdit(name=change.name, email=change.email, role=change.role, active=change.active)
    user = await accounts.edit_user(
        get_state(request).services.accounts, principal, user_id, edit, expected=expected, why=change.why
    )
    return UserBody.model_validate(with_etag(response, user))


@router.get("/{user_id}/rights")
async def list_rights(
    request: Request, user_id: Id, principal: Annotated[Principal, signed_in()]
) -> Listed[DeskAccessBody]:
    """List what a user may do at each desk and why: yourself, or anybody if you manage users."""
    access = await accounts.get_access(get_state(request).services.accounts, principal, user_id)
    return Listed(items=[DeskAccessBody.model_validate(desk) for desk in access.desks], next_cursor=None)


@router.put("/{user_id}/rights/{desk}")
async def set_rights(
    request: Request,
    user_id: Id,
    desk: Id,
    change: RightsChange,
    principal: Annotated[Principal, require_for_desk("users.manage", "administer")],
) -> UserBody:
    """Set what a user may do at a desk, in place of what their role gives there."""
    user = await accounts.set_own_rights(
        get_state(request).services.accounts, principal, user_id, desk, change.actions, why=change.why
    )
    return UserBody.model_validate(user)
