"""API: handover of a user's work to another."""

from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import Field

from almanac.accounts.model import Principal
from almanac.http.api_models import API_PREFIX, ApiModel, Id, Text
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.http.handover import hand_over, plan_handover
from almanac.http.idempotency.route import REPEATABLE, IdempotentRoute

router = APIRouter(prefix=f"{API_PREFIX}/users/{{user_id}}/handover", tags=["users"], route_class=IdempotentRoute)

Manager = Annotated[Principal, require("users.manage")]


class HandoverPlanBody(ApiModel):
    """What a user has to hand over, by kind; API tokens are revoked instead."""

    work: dict[str, int]
    tokens: list[str]


class HandoverRequest(ApiModel):
    """Who takes the work over."""

    to: Text = Field(description="E-mail address of the user who gets everything.")
    why: Text = Field("", description="Kept in the audit log.")


class HandoverBody(ApiModel):
    """What was handed over, by kind, and how many API tokens were revoked."""

    heir: str
    moved: dict[str, int]
    revoked_tokens: int


@router.get("")
async def get_handover(request: Request, user_id: Id, principal: Manager) -> HandoverPlanBody:
    """Get what a user has to hand over."""
    state = get_state(request)
    plan = await plan_handover(state.services, state.desks, principal, user_id)
    return HandoverPlanBody(work={row.part.name: row.count for row in plan.work}, tokens=list(plan.tokens))


@router.post("", openapi_extra=REPEATABLE)
async def start_handover(request: Request, user_id: Id, body: HandoverRequest, principal: Manager) -> HandoverBody:
    """Give all work of a user to another and revoke their API tokens. Repeating it moves what is left."""
    state = get_state(request)
    result = await hand_over(state.services, state.desks, principal, user_id, body.to, why=body.why)
    return HandoverBody(heir=result.heir.id, moved=result.moved, revoked_tokens=result.revoked_tokens)
