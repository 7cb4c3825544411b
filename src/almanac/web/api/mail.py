"""API: outgoing mail, the suppression list, and incoming delivery events."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Header, Query, Request
from pydantic import Field

from almanac.accounts.model import Principal
from almanac.errors import SignInNeeded
from almanac.http.api_models import API_PREFIX, ApiModel, Id, Listed, Text
from almanac.http.app_state import get_state
from almanac.http.auth import public, require
from almanac.http.idempotency.route import AtomicRoute
from almanac.http.paging import Cursor, Limit
from almanac.http.problems import documented_problems
from almanac.http.visibility import get_visible_mail, hidden_areas
from almanac.kit.messages import gettext
from almanac.mail.deliveries import SIGNATURE_HEADER, parse_bounce_mail, parse_webhook, verify_webhook
from almanac.mail.model import MailEvent, MailFailure, MailOutcome, MailSettlement, MessageFilter, SuppressionSource
from almanac.web import operator_actions

router = APIRouter(prefix=f"{API_PREFIX}/mail", tags=["mail"], route_class=AtomicRoute)

Reader = Annotated[Principal, require("mail.read")]
Settler = Annotated[Principal, require("mail.settle")]


class MessageBody(ApiModel):
    """A message in a list."""

    id: str
    status: MailOutcome = Field(
        validation_alias="outcome", description="`kept` instead of `sent` where mail isn't set up: it reached nobody."
    )
    topic: str
    sender: str
    recipients: list[str]
    subject: str
    attempts: int
    failure: MailFailure | None
    reason: str | None
    queued_at: datetime
    due_at: datetime
    finished_at: datetime | None


class MessageDetailBody(MessageBody):
    """A message with its text and history."""

    message_id: str | None
    transport: str | None
    text: str
    html: str | None
    events: list[MailEvent]


class SettleMailRequest(ApiModel):
    """Whether a message with an unknown outcome was sent, and how you know."""

    outcome: MailSettlement
    why: Text = Field(min_length=1)


class SuppressionBody(ApiModel):
    """An address that gets no mail, or no bulk mail of a topic."""

    email: str
    topic: str
    source: SuppressionSource
    reason: str
    added_at: datetime


class SuppressionRequest(ApiModel):
    """An address to suppress."""

    email: Text
    reason: Text = Field(min_length=1)


class EventsTaken(ApiModel):
    """How many events were new, already known, or not about our mail."""

    new: int
    repeated: int
    unmatched: int


@router.get("")
async def list_messages(
    request: Request,
    principal: Reader,
    status: MailOutcome | None = None,
    topic: Annotated[Text | None, Query()] = None,
    q: Annotated[Text | None, Query(description="Part of the subject or of a recipient's address.")] = None,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Listed[MessageBody]:
    """List messages, newest first."""
    filters = MessageFilter(outcome=status, topic=topic, text=q, hidden=hidden_areas(principal))
    page = await get_state(request).services.mailbox.list(filters, cursor=cursor, limit=limit)
    return Listed[MessageBody].model_validate(page)


@router.get("/suppressions")
async def list_suppressions(
    request: Request,
    _principal: Reader,
    q: Annotated[Text | None, Query(description="Part of the address.")] = None,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Listed[SuppressionBody]:
    """List suppressed addresses, newest first."""
    page = await get_state(request).services.suppressions.list(text=q, cursor=cursor, limit=limit)
    return Listed[SuppressionBody].model_validate(page)


@router.post("/suppressions", status_code=204)
async def suppress(request: Request, body: SuppressionRequest, principal: Settler) -> None:
    """Add an address to the suppression list. Repeating it changes nothing."""
    await operator_actions.suppress_address(get_state(request).services, principal, body.email, body.reason)


@router.post("/events", responses=documented_problems(409))
async def take_events(
    request: Request,
    principal: Annotated[Principal | None, public()],
    signature: Annotated[str, Header(alias=SIGNATURE_HEADER, description="`t=<seconds>,v1=<hex HMAC-SHA256>`")] = "",
) -> EventsTaken:
    """Take in delivery events as JSON, or a bounce mail as `message/rfc822`: with an API token that may resolve
    mail, or signed with the webhook key.
    """
    services = get_state(request).services
    body = await request.body()
    if principal is None or not principal.may("mail.settle"):
        if not signature:
            raise SignInNeeded(
                gettext(
                    "Send an API token with the scope admin, or sign the body in %(signature_header)s.",
                    signature_header=SIGNATURE_HEADER,
                )
            )
        verify_webhook(body, signature, key=services.mail_webhook_key.encode(), now=services.clock.now())
    is_mail = request.headers.get("content-type", "").startswith("message/rfc822")
    events = parse_bounce_mail(body, services.clock.now()) if is_mail else parse_webhook(body)
    taken = await services.deliveries.record(*events)
    return EventsTaken.model_validate(taken)


@router.post("/events/ses")
async def take_ses_events(request: Request, _principal: Annotated[Principal | None, public()]) -> EventsTaken:
    """Record SES events that Amazon SNS posts and signs, from the topics named in the mail setting."""
    services = get_state(request).services
    taken = await services.deliveries.record(*await services.sns.receive(await request.body()))
    return EventsTaken.model_validate(taken)


@router.get("/{mail_id}")
async def get_message(request: Request, mail_id: Id, principal: Reader) -> MessageDetailBody:
    """Get a message with its text and history."""
    detail = await get_visible_mail(get_state(request).services, principal, mail_id)
    line = MessageBody.model_validate(detail.line)
    return MessageDetailBody.model_validate(
        {
            **line.model_dump(exclude={"status"}),
            "outcome": line.status,
            "message_id": detail.message_id,
            "transport": detail.line.transport,
            "text": detail.content.text,
            "html": detail.content.html,
            "events": detail.events,
        }
    )


@router.post("/{mail_id}/settle", status_code=204, responses=documented_problems(409))
async def settle(request: Request, mail_id: Id, body: SettleMailRequest, principal: Settler) -> None:
    """Record whether a mail in doubt was sent."""
    await operator_actions.settle_mail(get_state(request).services, principal, mail_id, body.outcome, body.why)


@router.post("/{mail_id}/retry", status_code=204, responses=documented_problems(409))
async def retry(request: Request, mail_id: Id, principal: Settler) -> None:
    """Queue a failed message again."""
    await operator_actions.retry_mail(get_state(request).services, principal, mail_id)
