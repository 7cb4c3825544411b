"""API: pending approvals, decisions and their history."""

from datetime import datetime
from typing import Annotated, Self

from fastapi import APIRouter, Query, Request
from pydantic import Field

from almanac.accounts.model import Principal
from almanac.accounts.permissions import desk_permission
from almanac.approvals import Approval, ApprovalState, ApprovalSubject
from almanac.approvals.model import ApprovalPerson
from almanac.approvals.service import get_approval as approval_for
from almanac.http.api_models import API_PREFIX, ApiModel, Id, Listed, Text
from almanac.http.app_state import get_state
from almanac.http.auth import signed_in
from almanac.http.idempotency.route import REPEATABLE, IdempotentRoute
from almanac.http.paging import Cursor, Limit
from almanac.http.problems import documented_problems

router = APIRouter(prefix=f"{API_PREFIX}/approvals", tags=["approvals"], route_class=IdempotentRoute)

Somebody = Annotated[Principal, signed_in()]


class ApprovalBody(ApiModel):
    """An approval request and its decision, bound to the hash of the content."""

    id: str
    kind: str = Field(examples=["newsletter.draft"])
    subject_id: str
    content_hash: str = Field(description="Send it back with the decision to confirm what you reviewed.")
    state: ApprovalState
    title: str
    link: str
    asked_by: ApprovalPerson
    asked_at: datetime
    decided_by: ApprovalPerson | None
    decided_at: datetime | None
    note: str
    ended_at: datetime | None
    ended_why: str

    @classmethod
    def from_model(cls, approval: Approval) -> Self:
        fields = {name: getattr(approval, name) for name in cls.model_fields if hasattr(approval, name)}
        return cls(**fields, kind=approval.subject.kind, subject_id=approval.subject.id)


class DecisionRequest(ApiModel):
    """A decision, with the hash of the content that was reviewed."""

    content_hash: Text
    note: Text = Field("", description="For the author; a rejection needs one.")


@router.get("")
async def list_waiting(
    request: Request, principal: Somebody, cursor: Cursor = None, limit: Limit = 50
) -> Listed[ApprovalBody]:
    """List approvals that wait for you, oldest first."""
    services = get_state(request).services
    async with services.database.unit() as unit:
        page = await services.approvals.waiting(unit, principal, cursor=cursor, limit=limit)
    return Listed(items=[ApprovalBody.from_model(approval) for approval in page.items], next_cursor=page.next_cursor)


@router.get("/history")
async def list_history(
    request: Request,
    principal: Somebody,
    kind: Annotated[Text, Query(examples=["newsletter.draft"])],
    subject_id: Annotated[Text, Query()],
) -> Listed[ApprovalBody]:
    """List every approval of one object, newest first."""
    services = get_state(request).services
    subject = ApprovalSubject(kind, subject_id)
    principal.require(desk_permission(subject.desk, "read"))
    async with services.database.unit() as unit:
        approvals = await services.approvals.history(unit, subject)
    return Listed(items=[ApprovalBody.from_model(approval) for approval in approvals], next_cursor=None)


@router.get("/{approval_id}")
async def get_approval(request: Request, approval_id: Id, principal: Somebody) -> ApprovalBody:
    """Get an approval."""
    services = get_state(request).services
    async with services.database.unit() as unit:
        return ApprovalBody.from_model(await approval_for(unit, services.approvals, principal, approval_id))


@router.post("/{approval_id}/approve", responses=documented_problems(409), openapi_extra=REPEATABLE)
async def approve(request: Request, approval_id: Id, body: DecisionRequest, principal: Somebody) -> ApprovalBody:
    """Approve the content with this hash. Repeating it is fine; 409 if somebody else decided first."""
    services = get_state(request).services
    async with services.database.unit() as unit:
        current = await approval_for(unit, services.approvals, principal, approval_id)
        approval = await services.approvals.approve(unit, current.subject, body.content_hash, principal, note=body.note)
    return ApprovalBody.from_model(approval)


@router.post("/{approval_id}/reject", responses=documented_problems(409), openapi_extra=REPEATABLE)
async def reject(request: Request, approval_id: Id, body: DecisionRequest, principal: Somebody) -> ApprovalBody:
    """Reject the content with this hash, with a note to its author."""
    services = get_state(request).services
    async with services.database.unit() as unit:
        current = await approval_for(unit, services.approvals, principal, approval_id)
        approval = await services.approvals.reject(unit, current.subject, body.content_hash, principal, note=body.note)
    return ApprovalBody.from_model(approval)
