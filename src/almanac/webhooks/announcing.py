"""Tells other programs of approvals: where approvals meet webhooks, in the transaction that changed the approval."""

from almanac.approvals import Approval, Approvals, ApprovalState
from almanac.relational import Unit
from almanac.webhooks.service import Webhooks

EVENT_OF = {
    ApprovalState.WAITING: "approval.asked",
    ApprovalState.APPROVED: "approval.approved",
    ApprovalState.REJECTED: "approval.rejected",
}


def announce_approvals(approvals: Approvals, webhooks: Webhooks) -> None:
    """Publish an event whenever an approval is asked for or decided."""

    async def announce(unit: Unit, approval: Approval) -> None:
        if event := EVENT_OF.get(approval.state):
            await webhooks.publish(unit, event, _told(approval))

    approvals.add_listener(announce)


def _told(approval: Approval) -> dict[str, object]:
    return {
        "approval_id": approval.id,
        "kind": approval.subject.kind,
        "subject_id": approval.subject.id,
        "content_hash": approval.content_hash,
        "state": approval.state.value,
        "title": approval.title,
        "by": approval.by.id,
        "note": approval.note,
    }
