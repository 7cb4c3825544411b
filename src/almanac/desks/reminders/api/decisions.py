"""API: decisions about drafts. The approver is the signed-in user, never a parameter."""

from datetime import timedelta
from typing import Annotated, Literal

from fastapi import Body, Request, Response
from pydantic import Field

from almanac.accounts.model import Principal
from almanac.desks.reminders import service
from almanac.desks.reminders.api.dependencies import Approver, DraftId, Moment, Sender, new_router
from almanac.desks.reminders.api.drafts import respond_with_draft
from almanac.desks.reminders.api.schemas import ReminderDraftBody
from almanac.desks.reminders.model.ladder import DraftState
from almanac.desks.reminders.permissions import SEND
from almanac.desks.reminders.pipeline.dispatch import ReminderStatus
from almanac.desks.reminders.pipeline.drafts import MAX_BATCH_SIZE
from almanac.desks.reminders.service.batches import DecisionOutcome, SeenDraft
from almanac.http.api_models import ApiModel, Text
from almanac.http.app_state import get_state
from almanac.http.idempotency.route import REPEATABLE
from almanac.http.problems import documented_problems

router = new_router()

MAX_WAIT_SECONDS = 24 * 3600
ContentHash = Annotated[str, Field(max_length=100, description="The `content_hash` of the reviewed content.")]


class ApprovalTerms(ApiModel):
    """Options of an approval."""

    note: Text = ""
    send: bool | None = Field(default=None, description="Whether to send it; by default if you may send.")
    after_seconds: int = Field(
        default=0, ge=0, le=MAX_WAIT_SECONDS, description="How long the approval can be undone before it is sent."
    )

    def send_after(self, by: Principal) -> timedelta | None:
        """How long after the approval the reminder is sent; None leaves sending to a person."""
        sends = by.may(SEND) if self.send is None else self.send
        return timedelta(seconds=self.after_seconds) if sends else None


class ApproveRequest(ApprovalTerms):
    """The hash of the reviewed content; if the draft differs, 409. Without a hash the current content is approved."""

    content_hash: ContentHash | None = None


class RejectRequest(ApiModel):
    """Why the draft is rejected."""

    note: Text = Field(min_length=1)
    content_hash: ContentHash | None = None


class SnoozeRequest(ApiModel):
    """How long to keep the draft out of the queue."""

    until: Moment


class SeenDraftBody(ApiModel):
    """A draft's id and the hash of its reviewed content."""

    id: Annotated[str, Field(min_length=1, max_length=200)]
    content_hash: ContentHash


class BatchDecisionRequest(ApiModel):
    """Drafts to decide on, each with the reviewed content."""

    drafts: Annotated[list[SeenDraftBody], Field(min_length=1, max_length=MAX_BATCH_SIZE)]

    @property
    def chosen(self) -> list[SeenDraft]:
        return [SeenDraft(draft.id, draft.content_hash) for draft in self.drafts]


class ApproveManyRequest(BatchDecisionRequest, ApprovalTerms):
    """Drafts to approve."""


class RejectManyRequest(BatchDecisionRequest):
    """Drafts to reject, with one note for all."""

    note: Text = Field(min_length=1)


class SnoozeManyRequest(BatchDecisionRequest):
    """Drafts to snooze, and until when."""

    until: Moment


class DecisionOutcomeBody(ApiModel):
    """The result for one of many drafts: its status, and the reason if it was not decided."""

    id: str
    decided: bool = Field(description="Whether this request decided it.")
    approved: bool
    status: DraftState | None = Field(description="Null if the draft doesn't exist any more.")
    reason: str

    @classmethod
    def from_model(cls, verdict: DecisionOutcome) -> "DecisionOutcomeBody":
        approved = verdict.decided and verdict.state == "approved"
        return cls(
            id=verdict.draft_id, decided=verdict.decided, approved=approved, status=verdict.state, reason=verdict.reason
        )


class SettleReminderRequest(ApiModel):
    """Whether a reminder in doubt was sent, and how you know."""

    outcome: Literal["sent", "not_sent"]
    why: Text = Field(min_length=1)


class ReminderStatusBody(ApiModel):
    """The status of a reminder; `sent`, `kept` (mail isn't set up) and `gone` ones are no longer drafts."""

    id: str
    status: str
    reason: str

    @classmethod
    def from_model(cls, status: ReminderStatus) -> "ReminderStatusBody":
        return cls(id=status.draft_id, status=status.state, reason=status.reason)


@router.post("/drafts/approve", responses=documented_problems(409), openapi_extra=REPEATABLE)
async def approve_many(request: Request, body: ApproveManyRequest, principal: Approver) -> list[DecisionOutcomeBody]:
    """Approve up to a hundred unchanged drafts; an error in one doesn't stop the others."""
    verdicts = await service.approve_many(
        get_state(request).services, principal, body.chosen, note=body.note, send_after=body.send_after(principal)
    )
    return [DecisionOutcomeBody.from_model(verdict) for verdict in verdicts]


@router.post("/drafts/reject", openapi_extra=REPEATABLE)
async def reject_many(request: Request, body: RejectManyRequest, principal: Approver) -> list[DecisionOutcomeBody]:
    """Reject up to a hundred drafts with one note. Drafts that were changed or decided in the meantime are skipped."""
    verdicts = await service.reject_many(get_state(request).services, principal, body.chosen, note=body.note)
    return [DecisionOutcomeBody.from_model(verdict) for verdict in verdicts]


@router.post("/drafts/snooze", openapi_extra=REPEATABLE)
async def snooze_many(request: Request, body: SnoozeManyRequest, principal: Approver) -> list[DecisionOutcomeBody]:
    """Snooze up to a hundred drafts until one time. Drafts changed or decided meanwhile are skipped."""
    verdicts = await service.snooze_many(get_state(request).services, principal, body.chosen, until=body.until)
    return [DecisionOutcomeBody.from_model(verdict) for verdict in verdicts]


@router.post("/drafts/{draft_id}/approve", responses=documented_problems(409), openapi_extra=REPEATABLE)
async def approve_draft(
    request: Request,
    response: Response,
    draft_id: DraftId,
    principal: Approver,
    body: Annotated[ApproveRequest | None, Body()] = None,
) -> ReminderDraftBody:
    """Approve the reviewed content and send it once. Repeating it changes nothing."""
    services, body = get_state(request).services, body or ApproveRequest()
    seen = body.content_hash or (await service.get_draft(services, principal, draft_id)).content_hash
    approved = await service.approve_draft(
        services, principal, draft_id, seen=seen, note=body.note, send_after=body.send_after(principal)
    )
    return respond_with_draft(response, approved)


@router.post("/drafts/{draft_id}/reject", responses=documented_problems(409), openapi_extra=REPEATABLE)
async def reject_draft(
    request: Request, response: Response, draft_id: DraftId, body: RejectRequest, principal: Approver
) -> ReminderDraftBody:
    """Reject a draft with a note for its author; its level can be drafted again."""
    services = get_state(request).services
    draft = await service.get_draft(services, principal, draft_id)
    seen = body.content_hash or draft.content_hash
    return respond_with_draft(
        response, await service.reject_draft(services, principal, draft_id, seen=seen, note=body.note)
    )


@router.post("/drafts/{draft_id}/snooze", responses=documented_problems(409), openapi_extra=REPEATABLE)
async def snooze_draft(
    request: Request, response: Response, draft_id: DraftId, body: SnoozeRequest, principal: Approver
) -> ReminderDraftBody:
    """Take a draft out of the queue until a given time; an approval is withdrawn."""
    services = get_state(request).services
    return respond_with_draft(response, await service.snooze_draft(services, principal, draft_id, until=body.until))


@router.post("/drafts/{draft_id}/reopen", responses=documented_problems(409), openapi_extra=REPEATABLE)
async def reopen_draft(
    request: Request, response: Response, draft_id: DraftId, principal: Approver
) -> ReminderDraftBody:
    """Undo an approval, a rejection or a snooze while nothing is being sent."""
    return respond_with_draft(response, await service.reopen_draft(get_state(request).services, principal, draft_id))


@router.post("/drafts/{draft_id}/send", responses=documented_problems(409), openapi_extra=REPEATABLE)
async def send_draft(request: Request, draft_id: DraftId, principal: Sender) -> ReminderStatusBody:
    """Send an approved draft now and return its status. One that is already being sent is followed up."""
    status = await service.send_draft(get_state(request).services, principal, draft_id)
    return ReminderStatusBody.from_model(status)


@router.post("/drafts/{draft_id}/settle", responses=documented_problems(409), openapi_extra=REPEATABLE)
async def settle_draft(
    request: Request, draft_id: DraftId, body: SettleReminderRequest, principal: Sender
) -> ReminderStatusBody:
    """Record whether a reminder in doubt was sent."""
    services = get_state(request).services
    status = await service.settle_draft(services, principal, draft_id, body.outcome, why=body.why)
    return ReminderStatusBody.from_model(status)
