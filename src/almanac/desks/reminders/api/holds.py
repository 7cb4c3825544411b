"""API: holds on reminders, and replies that wait for a person."""

from datetime import datetime

from fastapi import Request, Response

from almanac.desks.reminders import service
from almanac.desks.reminders.api.dependencies import (
    PREFIX,
    CustomerId,
    Day,
    HoldId,
    Name,
    Note,
    Reader,
    Writer,
    new_router,
)
from almanac.desks.reminders.api.schemas import HoldBody
from almanac.http.api_models import ApiModel, Listed
from almanac.http.app_state import get_state
from almanac.http.idempotency.route import REPEATABLE, get_seed
from almanac.http.paging import Cursor, Limit
from almanac.http.problems import documented_problems

router = new_router()


class NewHoldRequest(ApiModel):
    """A promise needs the last day to pay; `never` has no end; a dispute and a pause may have one."""

    customer_id: Name
    kind: service.PlacedKind
    invoice: Name | None = None
    until: Day | None = None
    note: Note = ""


class ReplyBody(ApiModel):
    """A reply that waits for a person; the customer's reminders are paused."""

    id: str
    customer_id: str
    customer_name: str
    quoted: str
    received_at: datetime


class ConfirmReplyRequest(ApiModel):
    """What a reply means: `nothing` resumes reminders, anything else places that hold."""

    meaning: service.ReplyMeaning
    invoice: Name | None = None
    until: Day | None = None
    note: Note = ""


@router.get("/holds")
async def list_holds(request: Request, principal: Reader, cursor: Cursor = None, limit: Limit = 50) -> Listed[HoldBody]:
    """List all holds that were not lifted, oldest first."""
    page = await service.list_holds(get_state(request).services, principal, limit=limit, cursor=cursor)
    return Listed(items=[HoldBody.from_model(hold) for hold in page.items], next_cursor=page.next_cursor)


@router.post("/holds", status_code=201, responses=documented_problems(409), openapi_extra=REPEATABLE)
async def place_hold(request: Request, response: Response, body: NewHoldRequest, principal: Writer) -> HoldBody:
    """Stop reminders of a customer or an invoice; unsent ones are withdrawn."""
    new = service.NewHold(**body.model_dump())
    seed = get_seed(request)
    hold_id = seed.id("hold") if seed else None
    placed = await service.place_hold(get_state(request).services, principal, new, hold_id=hold_id)
    response.headers["Location"] = f"{PREFIX}/customers/{placed.customer_id}/holds"
    return HoldBody.from_model(placed)


@router.delete("/customers/{customer_id}/holds/{hold_id}")
async def lift_hold(request: Request, customer_id: CustomerId, hold_id: HoldId, principal: Writer) -> HoldBody:
    """End a hold; who lifted it and when is kept."""
    return HoldBody.from_model(await service.lift_hold(get_state(request).services, principal, customer_id, hold_id))


@router.get("/replies")
async def list_replies(request: Request, principal: Reader) -> Listed[ReplyBody]:
    """List unconfirmed replies, oldest first."""
    replies = await service.list_replies(get_state(request).services, principal)
    return Listed(items=[ReplyBody.model_validate(reply) for reply in replies], next_cursor=None)


@router.post(
    "/customers/{customer_id}/replies/{reply_id}/confirm", responses=documented_problems(409), openapi_extra=REPEATABLE
)
async def confirm_reply(
    request: Request, customer_id: CustomerId, reply_id: HoldId, body: ConfirmReplyRequest, principal: Writer
) -> HoldBody:
    """Record what a reply means; returns the new hold, or the lifted one."""
    confirmed = await service.confirm_reply(
        get_state(request).services,
        principal,
        customer_id,
        reply_id,
        body.meaning,
        until=body.until,
        invoice=body.invoice,
        note=body.note,
    )
    return HoldBody.from_model(confirmed)
