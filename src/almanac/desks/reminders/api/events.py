"""API: delivery events, replies and payments from other programs, authenticated by a signature or a token."""

from typing import Annotated

from fastapi import Header, Request
from pydantic import Field

from almanac.accounts.model import AUTOMATION, Principal
from almanac.desks.reminders import service
from almanac.desks.reminders.api.dependencies import new_router
from almanac.desks.reminders.api.invoices import PaymentRequest, PaymentResult, book_payment
from almanac.desks.reminders.api.schemas import HoldBody
from almanac.desks.reminders.permissions import WRITE
from almanac.desks.reminders.pipeline.dispatch import update_from_mail
from almanac.errors import SignInNeeded
from almanac.http.api_models import ApiModel, Text
from almanac.http.app_state import get_state
from almanac.http.auth import public
from almanac.http.idempotency.route import REPEATABLE
from almanac.http.problems import documented_problems
from almanac.kit.messages import gettext
from almanac.mail.deliveries import SIGNATURE_HEADER, parse_webhook, verify_webhook
from almanac.mail.model import DeliveryEvent
from almanac.services import Services

router = new_router()

Anybody = Annotated[Principal | None, public()]
Signature = Annotated[str, Header(alias=SIGNATURE_HEADER, description="`t=<seconds>,v1=<hex HMAC-SHA256>`")]


class DeliveryEventsResult(ApiModel):
    """How many events were new, already known, or not about our mail."""

    new: int
    repeated: int
    unmatched: int


class ReplyEvent(ApiModel):
    """A received mail. The same `reply_id` again changes nothing."""

    reply_id: Annotated[str, Field(min_length=1, max_length=500, description="Such as its Message-ID.")]
    text: Annotated[str, Field(max_length=100_000)]
    sender: Text = ""
    in_reply_to: Text | None = Field(None, description="The Message-ID of the answered reminder.")
    customer_id: Text | None = None


def get_webhook_key(services: Services) -> str:
    """The key for signing replies and payments; text, so that it can be pasted into a form."""
    return services.key("reminders-webhook").hex()


async def _authenticate(
    request: Request, principal: Principal | None, permission: str, signature: str, key: str
) -> Principal:
    """The principal if they have the permission, or AUTOMATION if the body is signed with the key."""
    if principal is not None and principal.may(permission):
        return principal
    if not signature:
        raise SignInNeeded(
            gettext(
                "Send an API token that may do this, or sign the body in %(signature_header)s.",
                signature_header=SIGNATURE_HEADER,
            )
        )
    verify_webhook(await request.body(), signature, key=key.encode(), now=get_state(request).services.clock.now())
    return AUTOMATION


@router.post("/events/mail", responses=documented_problems(409), openapi_extra=REPEATABLE)
async def take_mail_events(request: Request, principal: Anybody, signature: Signature = "") -> DeliveryEventsResult:
    """Take in delivery events: with a token that may resolve mail, or signed with the mail's webhook key."""
    services = get_state(request).services
    await _authenticate(request, principal, "mail.settle", signature, services.mail_webhook_key)
    return await _record_events(services, parse_webhook(await request.body()))


@router.post("/events/ses", openapi_extra=REPEATABLE)
async def take_ses_events(request: Request, _principal: Anybody) -> DeliveryEventsResult:
    """Record SES events that Amazon SNS posts and signs, from the topics named in the mail setting."""
    services = get_state(request).services
    return await _record_events(services, await services.sns.receive(await request.body()))


async def _record_events(services: Services, events: list[DeliveryEvent]) -> DeliveryEventsResult:
    """Record events and update each reminder at once instead of waiting for the job."""
    taken = await services.deliveries.record(*events)
    for mail_id in taken.mail_ids:
        await update_from_mail(services, mail_id)
    return DeliveryEventsResult(new=taken.new, repeated=taken.repeated, unmatched=taken.unmatched)


@router.post("/events/reply", responses=documented_problems(409), openapi_extra=REPEATABLE)
async def take_reply(request: Request, news: ReplyEvent, principal: Anybody, signature: Signature = "") -> HoldBody:
    """Record a reply: the customer's reminders are paused until a person confirms what it means."""
    services = get_state(request).services
    await _authenticate(request, principal, WRITE, signature, get_webhook_key(services))
    incoming = service.IncomingReply(
        id=news.reply_id, text=news.text, sender=news.sender, in_reply_to=news.in_reply_to, customer_id=news.customer_id
    )
    return HoldBody.from_model(await service.receive_reply(services, incoming))


@router.post("/events/payment", responses=documented_problems(409), openapi_extra=REPEATABLE)
async def take_payment_event(
    request: Request, body: PaymentRequest, principal: Anybody, signature: Signature = ""
) -> PaymentResult:
    """Record a payment, once per payer's reference. Needs a token that may write, or a signature."""
    services = get_state(request).services
    by = await _authenticate(request, principal, WRITE, signature, get_webhook_key(services))
    return await book_payment(services, by, body)
