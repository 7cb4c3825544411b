"""API: what people decide about a draft. The approver is whoever is signed in, never a parameter."""

from datetime import timedelta
from typing import Annotated, Literal

from fastapi import Body, Request, Response
from pydantic import Field

from almanac.accounts.model import Principal
from almanac.desks.reminders import sending, service
from almanac.desks.reminders.model.draft import Draft
from almanac.desks.reminders.model.ladder import DraftState
from almanac.desks.reminders.routes.bodies import DraftBody
from almanac.desks.reminders.routes.drafts import answered
from almanac.desks.reminders.routes.parts import Approver, DraftId, Moment, Sender, new_router
from almanac.desks.reminders.sending.deciding import SEND
from almanac.desks.reminders.sending.following import Standing
from almanac.desks.reminders.tasks import approve_and_send
from almanac.errors import AlmanacError, Retryable
from almanac.http.api_models import Model, Text
from almanac.http.problems import documented_problems
from almanac.http.surface import surface_of
from almanac.services import Services

router = new_router()

MOST_AT_ONCE = 100
LONGEST_WAIT_SECONDS = 24 * 3600
ContentHash = Annotated[str, Field(max_length=100, description="`content_hash` of what was seen.")]


class ApproveWish(Model):
    """What was seen; another content is refused. Without a hash, what the draft says at this moment is approved."""

    content_hash: ContentHash | None = None
    note: Text = ""
    send: bool | None = Field(default=None, description="Send it; unless said, if you have the right to send.")
    after_seconds: int = Field(
        default=0, ge=0, le=LONGEST_WAIT_SECONDS, description="A while in which it can be taken back."
    )


class RejectWish(Model):
    """Why it is not to be sent like this."""

    note: Text = Field(min_length=1)
    content_hash: ContentHash | None = None


class SnoozeWish(Model):
    """Until when it is out of the queue."""

    until: Moment


class Seen(Model):
    """A draft and what was seen of it."""

    id: Annotated[str, Field(min_length=1, max_length=200)]
    content_hash: ContentHash


class ApproveManyWish(Model):
    """Drafts to approve, each as it was seen."""

    drafts: Annotated[list[Seen], Field(min_length=1, max_length=MOST_AT_ONCE)]
    note: Text = ""
    send: bool | None = None
    after_seconds: int = Field(default=0, ge=0, le=LONGEST_WAIT_SECONDS)


class VerdictBody(Model):
    """What became of one of many: its status, or the reason why it was not approved."""

    id: str
    approved: bool
    status: DraftState | None
    reason: str


class SettleWish(Model):
    """What became of a reminder in doubt, and how one knows."""

    outcome: Literal["sent", "not_sent"]
    why: Text = Field(min_length=1)


class StandingBody(Model):
    """How a reminder stands; `sent` and `gone` ones are not drafts any more."""

    id: str
    status: str
    reason: str

    @classmethod
    def of(cls, standing: Standing) -> "StandingBody":
        return cls(id=standing.draft, status=standing.state, reason=standing.reason)


async def _approve(services: Services, by: Principal, draft_id: str, seen: str, wish: ApproveWish) -> Draft:
    goes = by.may(SEND) if wish.send is None else wish.send
    if not goes:
        return await sending.approve(services, by, draft_id, seen=seen, note=wish.note)
    after = timedelta(seconds=wish.after_seconds)
    return await approve_and_send(services, by, draft_id, seen=seen, note=wish.note, after=after)


@router.post("/drafts/approve", responses=documented_problems(409))
async def approve_many(request: Request, wish: ApproveManyWish, principal: Approver) -> list[VerdictBody]:
    """Approve up to a hundred drafts, each as it was seen; an obstacle to one is no obstacle to the others."""
    services = surface_of(request).services
    each = ApproveWish(note=wish.note, send=wish.send, after_seconds=wish.after_seconds)
    return [await _verdict(services, principal, seen, each) for seen in wish.drafts]


async def _verdict(services: Services, by: Principal, seen: Seen, wish: ApproveWish) -> VerdictBody:
    try:
        draft = await _approve(services, by, seen.id, seen.content_hash, wish)
    except Retryable:
        raise
    except AlmanacError as error:
        return VerdictBody(id=seen.id, approved=False, status=None, reason=error.sentence)
    return VerdictBody(id=seen.id, approved=True, status=draft.state, reason="")


@router.post("/drafts/{draft_id}/approve", responses=documented_problems(409))
async def approve_draft(
    request: Request, response: Response, draft_id: DraftId, principal: Approver,
    wish: Annotated[ApproveWish | None, Body()] = None,
) -> DraftBody:  # fmt: skip
    """Approve exactly what was seen, and send it once. A second click changes nothing."""
    services, wish = surface_of(request).services, wish or ApproveWish()
    known = await service.get_draft(services, principal, draft_id)
    return answered(
        response, await _approve(services, principal, draft_id, wish.content_hash or known.content_hash, wish)
    )


@router.post("/drafts/{draft_id}/reject", responses=documented_problems(409))
async def reject_draft(
    request: Request, response: Response, draft_id: DraftId, wish: RejectWish, principal: Approver
) -> DraftBody:
    """Reject with a note for its author; its level is free again."""
    services = surface_of(request).services
    known = await service.get_draft(services, principal, draft_id)
    seen = wish.content_hash or known.content_hash
    return answered(response, await sending.reject(services, principal, draft_id, seen=seen, note=wish.note))


@router.post("/drafts/{draft_id}/snooze", responses=documented_problems(409))
async def snooze_draft(
    request: Request, response: Response, draft_id: DraftId, wish: SnoozeWish, principal: Approver
) -> DraftBody:
    """Out of the queue until a moment; an approval doesn't outlast it."""
    services = surface_of(request).services
    return answered(response, await sending.snooze(services, principal, draft_id, until=wish.until))


@router.post("/drafts/{draft_id}/reopen", responses=documented_problems(409))
async def reopen_draft(request: Request, response: Response, draft_id: DraftId, principal: Approver) -> DraftBody:
    """Undo an approval, a rejection or a snooze, as long as nothing is being sent."""
    return answered(response, await sending.reopen(surface_of(request).services, principal, draft_id))


@router.post("/drafts/{draft_id}/send", responses=documented_problems(409))
async def send_draft(request: Request, draft_id: DraftId, principal: Sender) -> StandingBody:
    """Send an approved draft now, and say how it stands then. One that is under way already is followed."""
    standing = await sending.send(surface_of(request).services, principal, draft_id)
    return StandingBody.of(standing)


@router.post("/drafts/{draft_id}/settle", responses=documented_problems(409))
async def settle_draft(request: Request, draft_id: DraftId, wish: SettleWish, principal: Sender) -> StandingBody:
    """Say what became of a reminder of which nobody knows whether it left."""
    services = surface_of(request).services
    standing = await sending.settle(services, principal, draft_id, wish.outcome, why=wish.why)
    return StandingBody.of(standing)
