"""API: the caller's own account."""

from dataclasses import replace
from typing import Annotated, Literal

from fastapi import APIRouter, Request, Response
from pydantic import Field

from almanac.accounts import service as accounts
from almanac.accounts.model import Principal
from almanac.http.api_models import API_PREFIX, ApiModel, Text
from almanac.http.app_state import get_state
from almanac.http.auth import require, signed_in
from almanac.http.etags import IfMatch, parse_if_match, with_etag
from almanac.http.problems import documented_problems
from almanac.web.api.users import UserBody

router = APIRouter(prefix=f"{API_PREFIX}/me", tags=["me"])


class MeBody(ApiModel):
    """The caller and its permissions."""

    id: str
    name: str
    email: str
    role: str
    via: str = Field(description="How the caller is authenticated: session, token or automation.")
    scopes: list[str]
    permissions: list[str]


class PreferencesEdit(ApiModel):
    """Preferences to change; omitted fields keep their value."""

    name: Text | None = None
    theme: Literal["light", "dark", "system"] | None = None
    language: Text | None = None
    time_zone: Text | None = None


@router.get("")
async def get_me(request: Request, response: Response, principal: Annotated[Principal, signed_in()]) -> MeBody:
    """Get the principal of the credential. The ETag is what an edit of the account needs; automation has none."""
    if principal.has_account:
        user = await accounts.get_user(get_state(request).services.accounts, principal, principal.user_id)
        with_etag(response, user)
    return MeBody(
        id=principal.user_id,
        name=principal.name,
        email=principal.email,
        role=principal.role,
        via=principal.via,
        scopes=sorted(principal.scopes),
        permissions=sorted(principal.permissions),
    )


@router.patch("", responses=documented_problems(409, 412, 428))
async def edit_me(
    request: Request,
    response: Response,
    edit: PreferencesEdit,
    principal: Annotated[Principal, require("account.own")],
    if_match: IfMatch = None,
) -> UserBody:
    """Change your own name and preferences. Needs If-Match with the ETag of `GET /me`."""
    services = get_state(request).services
    before = principal.preferences
    preferences = replace(
        before,
        theme=edit.theme or before.theme,
        language=before.language if edit.language is None else edit.language,
        time_zone=edit.time_zone if edit.time_zone is not None else before.time_zone,
    )
    user = await accounts.edit_user(
        services.accounts,
        principal,
        principal.user_id,
        accounts.UserEdit(name=edit.name, preferences=preferences),
        expected=parse_if_match(if_match),
    )
    return UserBody.model_validate(with_etag(response, user))
