"""API: how users sign in, for those who manage users: their sessions and second factors."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Request

from almanac.accounts import service as accounts
from almanac.accounts.model import Principal
from almanac.http.api_models import API_PREFIX, ApiModel, Id, Listed
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.http.problems import documented_problems

router = APIRouter(prefix=f"{API_PREFIX}/users/{{user_id}}", tags=["users"])

Manager = Annotated[Principal, require("users.manage")]


class SessionBody(ApiModel):
    """A browser that is signed in."""

    id: str
    method: str
    address: str
    user_agent: str
    created_at: datetime
    last_seen_at: datetime
    expires_at: datetime


class EndedSessionsBody(ApiModel):
    """How many sessions were ended."""

    ended: int


class SecondFactorBody(ApiModel):
    """What a user has set up for signing in in two steps."""

    on_since: datetime | None
    has_app: bool
    passkeys: int
    recovery_codes_left: int
    required: bool


@router.get("/sessions")
async def list_user_sessions(request: Request, user_id: Id, principal: Manager) -> Listed[SessionBody]:
    """List a user's sessions, the latest used first."""
    sessions = await accounts.list_sessions_of(get_state(request).services.accounts, principal, user_id)
    return Listed(items=[SessionBody.model_validate(session) for session in sessions], next_cursor=None)


@router.delete("/sessions")
async def end_user_sessions(request: Request, user_id: Id, principal: Manager) -> EndedSessionsBody:
    """End all sessions of a user. Their API tokens go on working."""
    ended = await accounts.end_sessions_of(get_state(request).services.accounts, principal, user_id)
    return EndedSessionsBody(ended=ended)


@router.get("/second-factor")
async def get_user_second_factor(request: Request, user_id: Id, principal: Manager) -> SecondFactorBody:
    """What a user has set up for signing in in two steps."""
    status = await accounts.get_second_factor(get_state(request).services.accounts, principal, user_id)
    return SecondFactorBody(
        on_since=status.since,
        has_app=status.has_app,
        passkeys=len(status.passkeys),
        recovery_codes_left=status.codes_left,
        required=status.required,
    )


@router.delete("/second-factor", status_code=204, responses=documented_problems(409))
async def reset_user_second_factor(request: Request, user_id: Id, principal: Manager) -> None:
    """Remove a user's app, recovery codes and passkeys, and end their sessions. They are told by mail."""
    await accounts.reset_second_factor(get_state(request).services.accounts, principal, user_id)
