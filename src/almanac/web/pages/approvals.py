"""Approvals: what waits for the person at every desk, one request with its history, and the decision."""

from typing import Annotated

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.approvals import AlreadyDecided, Approval, ApprovalState, ContentChanged
from almanac.approvals.service import get_approval
from almanac.errors import InputError
from almanac.http.app_state import get_state
from almanac.http.auth import signed_in
from almanac.http.cookies import Flash
from almanac.http.pages import FormText, redirect, render_page
from almanac.http.paging import Cursor, first_url, next_url
from almanac.kit.messages import gettext
from almanac.web.labels import TimelineItem

pages = APIRouter(prefix="/approvals")
TONES = {
    ApprovalState.WAITING: "waiting",
    ApprovalState.APPROVED: "done",
    ApprovalState.REJECTED: "failed",
    ApprovalState.VOID: "plain",
    ApprovalState.WITHDRAWN: "plain",
}

Somebody = Annotated[Principal, signed_in()]


@pages.get("")
async def show_waiting(request: Request, principal: Somebody, cursor: Cursor = None) -> Response:
    """List approvals that wait for you, oldest first."""
    services = get_state(request).services
    async with services.database.unit() as unit:
        listed = await services.approvals.waiting(unit, principal, cursor=cursor)
    return await render_page(
        request,
        "approvals/list.html",
        approvals=listed.items,
        next_url=next_url(request.url, listed.next_cursor),
        first_url=first_url(request.url, cursor),
    )


@pages.get("/{approval_id}")
async def show_approval(request: Request, approval_id: str, principal: Somebody) -> Response:
    """Show a request with the history of the same object."""
    return await _render_approval(request, principal, approval_id)


@pages.post("/{approval_id}/approve")
async def approve(
    request: Request, approval_id: str, principal: Somebody, content_hash: FormText = "", note: FormText = ""
) -> Response:
    """Approve the content that the person reviewed."""
    services = get_state(request).services
    try:
        async with services.database.unit() as unit:
            approval = await get_approval(unit, services.approvals, principal, approval_id)
            await services.approvals.approve(unit, approval.subject, content_hash, principal, note=note)
    except (AlreadyDecided, ContentChanged) as error:
        return await _render_approval(request, principal, approval_id, error.sentence, 409)
    return redirect(request, "/approvals", Flash(f"{_name(approval)} is approved."))


@pages.post("/{approval_id}/reject")
async def reject(
    request: Request, approval_id: str, principal: Somebody, content_hash: FormText = "", note: FormText = ""
) -> Response:
    """Reject the content, with a note to its author."""
    services = get_state(request).services
    try:
        async with services.database.unit() as unit:
            approval = await get_approval(unit, services.approvals, principal, approval_id)
            await services.approvals.reject(unit, approval.subject, content_hash, principal, note=note)
    except (AlreadyDecided, ContentChanged, InputError) as error:
        return await _render_approval(request, principal, approval_id, error.sentence, error.status)
    return redirect(request, "/approvals", Flash(f"{_name(approval)} is rejected."))


async def _render_approval(
    request: Request, principal: Principal, approval_id: str, error: str = "", status: int = 200
) -> Response:
    services = get_state(request).services
    async with services.database.unit() as unit:
        approval = await get_approval(unit, services.approvals, principal, approval_id)
        history = await services.approvals.history(unit, approval.subject)
    return await render_page(
        request,
        "approvals/approval.html",
        status_code=status,
        approval=approval,
        name=_name(approval),
        error=error,
        timeline=[_approval_item(entry) for entry in history],
        tones=TONES,
        newest=history[0],
        may_decide=approval.state is ApprovalState.WAITING and principal.may(approval.subject.permission("approve")),
    )


def _name(approval: Approval) -> str:
    return approval.title or f"{approval.subject.kind} {approval.subject.id}"


def _approval_item(approval: Approval) -> TimelineItem:
    words = {
        ApprovalState.WAITING: gettext("%(name)s asked for approval", name=approval.asked_by.name),
        ApprovalState.APPROVED: gettext("Approved by %(name)s", name=approval.by.name),
        ApprovalState.REJECTED: gettext("Rejected by %(name)s", name=approval.by.name),
        ApprovalState.VOID: gettext("Void: asked for by %(name)s", name=approval.asked_by.name),
        ApprovalState.WITHDRAWN: gettext("Withdrawn: asked for by %(name)s", name=approval.asked_by.name),
    }
    title = words[approval.state]
    return TimelineItem(title, approval.at, approval.ended_why or approval.note, TONES[approval.state])
