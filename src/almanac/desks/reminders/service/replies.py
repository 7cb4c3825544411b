"""Replies of customers: each pauses the ladder until a person has read it and says what it means."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from almanac.accounts.model import AUTOMATION, Principal
from almanac.audit.model import Deed, Subject
from almanac.desks.reminders import store
from almanac.desks.reminders.events import REPLIED
from almanac.desks.reminders.model.draft import split_draft_id
from almanac.desks.reminders.model.ledger import Hold
from almanac.desks.reminders.sending.deciding import READ, WRITE
from almanac.desks.reminders.sending.following import TOPIC, draft_of_mail
from almanac.desks.reminders.service.holds import NewHold, keep_hold, lift_hold, place_hold
from almanac.errors import Conflict, NotFound
from almanac.mail.address import Address
from almanac.mail.model import MessageFilter
from almanac.services import Services

LONGEST_QUOTE = 5000
ReplyMeaning = Literal["nothing", "promise", "dispute", "pause", "never"]


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply that waits for a person; its id is that of the hold that it caused."""

    id: str
    customer_id: str
    customer_name: str
    quoted: str
    received_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingReply:
    """A mail that came in. It is told to a customer by the Message-ID that it answers, by an id, or by its sender."""

    id: str
    text: str
    sender: str = ""
    in_reply_to: str | None = None
    customer_id: str | None = None


async def receive_reply(services: Services, incoming: IncomingReply) -> Hold:
    """Pause the ladder of whoever replied until a person confirms; the same reply again changes nothing."""
    customer_id = incoming.customer_id or await _customer_who_replied(services, incoming)
    await store.get_customer(services.tables, customer_id)
    reply_id = f"reply-{hashlib.sha256(incoming.id.encode()).hexdigest()[:24]}"
    known = next((hold for hold in await store.holds_of(services.tables, customer_id) if hold.id == reply_id), None)
    if known is not None:
        return known
    quoted = incoming.text.replace("\x00", "").strip()[:LONGEST_QUOTE] or "(no text)"
    hold = Hold(customer_id=customer_id, id=reply_id, kind="reply", note=quoted, by=AUTOMATION.user_id)
    replied = Deed(AUTOMATION.actor, REPLIED, Subject("reminders.customer", customer_id), "", {"reply": reply_id})
    return await keep_hold(services, AUTOMATION, hold, replied)


async def _customer_who_replied(services: Services, incoming: IncomingReply) -> str:
    """The customer of the reminder that it answers, or else of the latest one to the sender's address."""
    answered = await services.mailbox.find(incoming.in_reply_to) if incoming.in_reply_to else None
    draft_id = draft_of_mail(answered) if answered else None
    if draft_id is None and incoming.sender:
        draft_id = await _latest_to(services, Address.parse(incoming.sender).key)
    if draft_id is None:
        raise NotFound("No reminder is known that this answers; name the customer_id.")
    return split_draft_id(draft_id)[1]


async def _latest_to(services: Services, address: str) -> str | None:
    page = await services.mailbox.list(MessageFilter(topic=TOPIC, text=address), limit=20)
    mine = next((line for line in page.items if address in line.recipients), None)
    return draft_of_mail(await services.mailbox.get(mine.id)) if mine else None


async def list_replies(services: Services, by: Principal) -> Sequence[Reply]:
    """Replies that nobody has confirmed yet, the oldest first."""
    by.require(READ)
    holds, now = await store.standing_replies(services.tables), services.clock.now()
    customers = await store.customers_among(services.tables, [hold.customer_id for hold in holds])
    return [
        Reply(hold.id, hold.customer_id, customers[hold.customer_id].name, hold.note, hold.created_at or now)
        for hold in holds
        if hold.customer_id in customers
    ]


async def confirm_reply(
    services: Services,
    by: Principal,
    customer_id: str,
    reply_id: str,
    meaning: ReplyMeaning,
    *,
    until: date | None = None,
    invoice: str | None = None,
    note: str = "",
) -> Hold:
    """Say what a reply means: `nothing` lets the ladder go on, anything else places that hold in its stead.

    The new hold stands before the reply's is lifted, so that no reminder goes out in between. Returns the hold that
    stands now, or the lifted one of the reply.
    """
    by.require(WRITE)
    await _require_open(services, customer_id, reply_id)
    if meaning == "nothing":
        return await lift_hold(services, by, customer_id, reply_id)
    new = NewHold(customer_id=customer_id, kind=meaning, invoice=invoice, until=until, note=note)
    placed = await place_hold(services, by, new, hold_id=f"{reply_id}-{meaning}")
    await lift_hold(services, by, customer_id, reply_id)
    return placed


async def _require_open(services: Services, customer_id: str, reply_id: str) -> None:
    await store.get_customer(services.tables, customer_id)
    found = next((hold for hold in await store.holds_of(services.tables, customer_id) if hold.id == reply_id), None)
    if found is None or found.kind != "reply":
        raise NotFound("There is no such reply; somebody may have erased the customer.")
    if found.lifted_at is not None:
        raise Conflict("Somebody has confirmed this reply already.")
