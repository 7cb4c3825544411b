"""API: what people decide about a draft. The approver is whoever is signed in, never a parameter."""

from datetime import timedelta
from typing import Annotated, Literal

from fastapi import Body, Request, Response
from pydantic import Field

from almanac.accounts.model import Principal
from almanac.desks.reminders import service
from almanac.desks.reminders.api.dependencies import Approver, DraftId, Moment, Sender, new_router
from almanac.desks.reminders.api.drafts import answered
from almanac.desks.reminders.api.schemas import DraftBody
from almanac.desks.reminders.model.ladder import DraftState
from almanac.desks.reminders.permissions import SEND
from almanac.desks.reminders.pipeline.dispatch import ReminderStatus
from almanac.desks.reminders.pipeline.drafts import MAX_BATCH_SIZE
from almanac.desks.reminders.service.batches import DecisionOutcome, SeenDraft
from almanac.http.api_models import ApiModel, Text
from almanac.http.app_state import get_state
from almanac.http.problems import documented_problems

router = new_router()

LONGEST_WAIT_SECONDS = 24 * 3600
ContentHash = Annotated[str, Field(max_length=100, description="`content_hash` of what was seen.")]


class ApprovalTerms(ApiModel):
    """What goes with an approval."""

    note: Text = ""
    send: bool | None = Field(default=None, description="Send it; unless said, if you have the right to send.")
    after_seconds: int = Field(
        default=0, ge=0, le=LONGEST_WAIT_SECONDS, description="A while in which it can be taken back."
    )

    def send_after(self, by: Principal) -> timedelta | None:
        """How long after the approval it goes out; None where the sending is left to somebody."""
        goes = by.may(SEND) if self.send is None else self.send
        return timedelta(seconds=self.after_seconds) if goes else None


class ApproveWish(ApprovalTerms):
    """What was seen; another content is refused. Without a hash, what the draft says at this moment is approved."""

    content_hash: ContentHash | None = None


class RejectWish(ApiModel):
    """Why it is not to be sent like this."""

    note: Text = Field(min_length=1)
    content_hash: ContentHash | None = None


class SnoozeWish(ApiModel):
    """Until when it is out of the queue."""

    until: Moment


class Seen(ApiModel):
    """A draft and what was seen of it."""

    id: Annotated[str, Field(min_length=1, max_length=200)]
    content_hash: ContentHash


class ManyWish(ApiModel):
    """Drafts to decide about, each as it was seen."""

    drafts: Annotated[list[Seen], Field(min_length=1, max_length=MAX_BATCH_SIZE)]

    @property
    def chosen(self) -> list[SeenDraft]:
        return [SeenDraft(one.id, one.content_hash) for one in self.drafts]


class ApproveManyWish(ManyWish, ApprovalTerms):
    """Drafts to approve."""


class RejectManyWish(ManyWish):
    """Drafts to reject, and why; one note for all."""

    note: Text = Field(min_length=1)


class SnoozeManyWish(ManyWish):
    """Drafts to take out of the queue, and until when."""

    until: Moment


class VerdictBody(ApiModel):
    """What became of one of many: how it stands, and the reason where it was left as it was."""

    id: str
    decided: bool = Field(description="Whether this request decided about it.")
    approved: bool
    status: DraftState | None = Field(description="None where there is no such draft, or no more.")
    reason: str

    @classmethod
    def of(cls, verdict: DecisionOutcome) -> "VerdictBody":
        approved = verdict.decided and verdict.state == "approved"
        return cls(
            id=verdict.draft_id, decided=verdict.decided, approved=approved, status=verdict.state, reason=verdict.reason
        )


class SettleWish(ApiModel):
    """What became of a reminder in doubt, and how one knows."""

    outcome: Literal["sent", "not_sent"]
    why: Text = Field(min_length=1)


class StandingBody(ApiModel):
    """How a reminder stands; `sent` and `gone` ones are not drafts any more."""

    id: str
    status: str
    reason: str

    @classmethod
    def of(cls, standing: ReminderStatus) -> "StandingBody":
        return cls(id=standing.draft_id, status=standing.state, reason=standing.reason)


@router.post("/drafts/approve", responses=documented_problems(409))
async def approve_many(request: Request, wish: ApproveManyWish, principal: Approver) -> list[VerdictBody]:
    """Approve up to a hundred drafts, each as it was seen; an obstacle to one is no obstacle to the others."""
    verdicts = await service.approve_many(
        get_state(request).services, principal, wish.chosen, note=wish.note, send_after=wish.send_after(principal)
    )
    return [VerdictBody.of(one) for one in verdicts]


@router.post("/drafts/reject")
async def reject_many(request: Request, wish: RejectManyWish, principal: Approver) -> list[VerdictBody]:
    """Reject up to a hundred drafts with one note. Those that changed or were decided on meanwhile stay as they are."""
    verdicts = await service.reject_many(get_state(request).services, principal, wish.chosen, note=wish.note)
    return [VerdictBody.of(one) for one in verdicts]


@router.post("/drafts/snooze")
async def snooze_many(request: Request, wish: SnoozeManyWish, principal: Approver) -> list[VerdictBody]:
    """Snooze up to a hundred drafts until one moment. Those that changed or were decided on meanwhile stay."""
    verdicts = await service.snooze_many(get_state(request).services, principal, wish.chosen, until=wish.until)
    return [VerdictBody.of(one) for one in verdicts]


@router.post("/drafts/{draft_id}/approve", responses=documented_problems(409))
async def approve_draft(
    request: Request,
    response: Response,
    draft_id: DraftId,
    principal: Approver,
    wish: Annotated[ApproveWish | None, Body()] = None,
) -> DraftBody:
    """Approve exactly what was seen, and send it once. A second click changes nothing."""
    services, wish = get_state(request).services, wish or ApproveWish()
    seen = wish.content_hash or (await service.get_draft(services, principal, draft_id)).content_hash
    approved = await service.approve_draft(
        services, principal, draft_id, seen=seen, note=wish.note, send_after=wish.send_after(principal)
    )
    return answered(response, approved)


@router.post("/drafts/{draft_id}/reject", responses=documented_problems(409))
async def reject_draft(
    request: Request, response: Response, draft_id: DraftId, wish: RejectWish, principal: Approver
) -> DraftBody:
    """Reject with a note for its author; its level is free again."""
    services = get_state(request).services
    known = await service.get_draft(services, principal, draft_id)
    seen = wish.content_hash or known.content_hash
    return answered(response, await service.reject_draft(services, principal, draft_id, seen=seen, note=wish.note))


@router.post("/drafts/{draft_id}/snooze", responses=documented_problems(409))
async def snooze_draft(
    request: Request, response: Response, draft_id: DraftId, wish: SnoozeWish, principal: Approver
) -> DraftBody:
    """Out of the queue until a moment; an approval doesn't outlast it."""
    services = get_state(request).services
    return answered(response, await service.snooze_draft(services, principal, draft_id, until=wish.until))


@router.post("/drafts/{draft_id}/reopen", responses=documented_problems(409))
async def reopen_draft(request: Request, response: Response, draft_id: DraftId, principal: Approver) -> DraftBody:
    """Undo an approval, a rejection or a snooze, as long as nothing is being sent."""
    return answered(response, await service.reopen_draft(get_state(request).services, principal, draft_id))


@router.post("/drafts/{draft_id}/send", responses=documented_problems(409))
async def send_draft(request: Request, draft_id: DraftId, principal: Sender) -> StandingBody:
    """Send an approved draft now, and say how it stands then. One that is under way already is followed."""
    standing = await service.send_draft(get_state(request).services, principal, draft_id)
    return StandingBody.of(standing)


@router.post("/drafts/{draft_id}/settle", responses=documented_problems(409))
async def settle_draft(request: Request, draft_id: DraftId, wish: SettleWish, principal: Sender) -> StandingBody:
    """Say what became of a reminder of which nobody knows whether it left."""
    services = get_state(request).services
    standing = await service.settle_draft(services, principal, draft_id, wish.outcome, why=wish.why)
    return StandingBody.of(standing)
