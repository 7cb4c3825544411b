"""Holds stop reminders of a customer or an invoice; a customer's reply is a hold until a person has read it."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal

from almanac.accounts.model import AUTOMATION, Principal
from almanac.audit.model import AuditAction, AuditSubject, DetailValue
from almanac.desks.reminders import store
from almanac.desks.reminders.events import CUSTOMER_REPLIED, publish_events
from almanac.desks.reminders.model.draft import split_draft_id
from almanac.desks.reminders.model.ledger import Customer, Hold, HoldKind
from almanac.desks.reminders.model.outbox import OutboxEntry, make_outbox_entry
from almanac.desks.reminders.permissions import READ, WRITE
from almanac.desks.reminders.pipeline.context import load_rules
from almanac.desks.reminders.pipeline.dispatch import MAIL_TOPIC, draft_id_of_mail, withdraw_blocked_mails
from almanac.errors import Conflict, FieldErrors, NotFound
from almanac.kit.ids import new_id
from almanac.kit.messages import gettext
from almanac.kit.paging import Page
from almanac.mail.message import Address
from almanac.mail.model import MessageFilter
from almanac.services import Services

PlacedKind = Literal["promise", "dispute", "pause", "never"]
MAX_HOLD = timedelta(days=3650)
MAX_HOLD_NOTE = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class NewHold:
    """A hold to be placed on one invoice, or without `invoice` on everything of the customer.

    A promise needs the day until which to pay; `never` has no end; a dispute and a pause may have one.
    """

    customer_id: str
    kind: PlacedKind
    invoice: str | None = None
    until: date | None = None
    note: str = ""


async def list_holds(services: Services, by: Principal, *, limit: int = 50, cursor: str | None = None) -> Page[Hold]:
    """Everybody's holds that were not lifted, the oldest first."""
    by.require(READ)
    return await store.list_holds(services.tables, limit=limit, cursor=cursor)


async def list_customer_holds(services: Services, by: Principal, customer_id: str) -> list[Hold]:
    """A customer's holds, the latest first; expired and lifted ones too."""
    by.require(READ)
    await store.get_customer(services.tables, customer_id)
    return sort_holds(await store.list_customer_holds(services.tables, customer_id))


def sort_holds(holds: Iterable[Hold]) -> list[Hold]:
    """The latest first."""
    return sorted(holds, key=lambda hold: (hold.created_at is not None, hold.created_at, hold.id), reverse=True)


async def place_hold(services: Services, by: Principal, new: NewHold, *, hold_id: str | None = None) -> Hold:
    """Stop reminders of a customer or an invoice: unsent drafts are updated and waiting mails withdrawn.

    The same `hold_id` again is the same hold.
    """
    by.require(WRITE)
    customer = await store.get_customer(services.tables, new.customer_id)
    await _check_hold(services, customer, new)
    return await save_hold(services, by, _new_hold(new, by, hold_id or new_id()))


async def lift_hold(services: Services, by: Principal, customer_id: str, hold_id: str) -> Hold:
    """End a hold early; who lifted it and when is kept. Lifting it twice changes nothing."""
    by.require(WRITE)
    rules, now = await load_rules(services), services.clock.now()
    lifted, entry = await store.lift_hold(
        services.tables,
        customer_id,
        hold_id,
        by=by.user_id,
        rules=rules,
        now=now,
        record_event=lambda hold: make_outbox_entry(now, _describe_hold(by, "hold.lifted", hold)),
    )
    await publish_events(services, entry)
    return lifted


async def save_hold(services: Services, by: Principal, hold: Hold, *besides: AuditAction) -> Hold:
    """Store a checked hold with its events, and withdraw mails that may no longer be sent."""
    rules, now = await load_rules(services), services.clock.now()
    entry = OutboxEntry(f"hold-{hold.customer_id}-{hold.id}", now, (_describe_hold(by, "hold.placed", hold), *besides))
    placed = await store.add_hold(services.tables, hold, rules=rules, now=now, entry=entry)
    await withdraw_blocked_mails(services, hold.customer_id)
    await publish_events(services, entry)
    return placed


def _describe_hold(by: Principal, action: str, hold: Hold) -> AuditAction:
    detail: dict[str, DetailValue] = {"customer": hold.customer_id, "held_for": hold.kind}
    return AuditAction(by.actor, action, AuditSubject("reminders.hold", hold.id), "", detail)


def _new_hold(new: NewHold, by: Principal, hold_id: str) -> Hold:
    kind: HoldKind = new.kind
    return Hold(
        customer_id=new.customer_id,
        id=hold_id,
        kind=kind,
        invoice=new.invoice,
        until=new.until,
        note=new.note.strip(),
        by=by.user_id,
    )


async def _check_hold(services: Services, customer: Customer, new: NewHold) -> None:
    if customer.erased_at is not None:
        raise Conflict(gettext("The customer's data was erased; they are never reminded again."))
    today = services.clock.now().astimezone((await load_rules(services)).zone(customer.time_zone)).date()
    errors = {}
    if len(new.note) > MAX_HOLD_NOTE:
        errors["note"] = gettext("A note has at most %(limit)s characters.", limit=f"{MAX_HOLD_NOTE:,}")
    if new.kind == "promise" and new.until is None:
        errors["until"] = gettext("Enter the day by which they promised to pay.")
    if new.kind == "never" and new.until is not None:
        errors["until"] = gettext("Never has no end; leave the day empty, or choose a pause.")
    if new.until is not None and not today <= new.until <= today + MAX_HOLD:
        errors["until"] = gettext("Choose today or a later day, within ten years.")
    if errors:
        raise FieldErrors(errors)
    if new.invoice is not None:
        await store.get_invoice(services.tables, new.customer_id, new.invoice)


MAX_QUOTE = 5000
ReplyMeaning = Literal["nothing", "promise", "dispute", "pause", "never"]


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply that waits for a person; its id is that of its hold."""

    id: str
    customer_id: str
    customer_name: str
    quoted: str
    received_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingReply:
    """A received mail. Its customer is found by `in_reply_to`, by `customer_id`, or by `sender`."""

    id: str
    text: str
    sender: str = ""
    in_reply_to: str | None = None
    customer_id: str | None = None


async def receive_reply(services: Services, incoming: IncomingReply) -> Hold:
    """Pause the reminders of the customer who replied until a person confirms. The same reply again changes nothing."""
    customer_id = incoming.customer_id or await _find_replying_customer(services, incoming)
    await store.get_customer(services.tables, customer_id)
    reply_id = f"reply-{hashlib.sha256(incoming.id.encode()).hexdigest()[:24]}"
    existing = next(
        (hold for hold in await store.list_customer_holds(services.tables, customer_id) if hold.id == reply_id), None
    )
    if existing is not None:
        return existing
    quoted = incoming.text.replace("\x00", "").strip()[:MAX_QUOTE] or "(no text)"
    hold = Hold(customer_id=customer_id, id=reply_id, kind="reply", note=quoted, by=AUTOMATION.user_id)
    replied = AuditAction(
        AUTOMATION.actor, CUSTOMER_REPLIED, AuditSubject("reminders.customer", customer_id), "", {"reply": reply_id}
    )
    return await save_hold(services, AUTOMATION, hold, replied)


async def _find_replying_customer(services: Services, incoming: IncomingReply) -> str:
    """The customer of the answered reminder, else of the latest reminder to the sender's address."""
    answered = await services.mailbox.find(incoming.in_reply_to) if incoming.in_reply_to else None
    draft_id = draft_id_of_mail(answered) if answered else None
    if draft_id is None and incoming.sender:
        draft_id = await _find_latest_draft_to(services, Address.parse(incoming.sender).key)
    if draft_id is None:
        raise NotFound(gettext("No matching reminder was found; send the customer_id."))
    return split_draft_id(draft_id)[1]


async def _find_latest_draft_to(services: Services, address: str) -> str | None:
    page = await services.mailbox.list(MessageFilter(topic=MAIL_TOPIC, text=address), limit=20)
    message = next((line for line in page.items if address in line.recipients), None)
    return draft_id_of_mail(await services.mailbox.get(message.id)) if message else None


async def list_replies(services: Services, by: Principal) -> Sequence[Reply]:
    """Unconfirmed replies, the oldest first."""
    by.require(READ)
    holds, now = await store.list_replies(services.tables), services.clock.now()
    customers = await store.find_customers(services.tables, [hold.customer_id for hold in holds])
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
    """Record what a reply means: `nothing` resumes reminders, anything else replaces it by that hold.

    The new hold is placed before the reply's is lifted, so that no reminder goes out in between. Returns the new hold,
    or the lifted one.
    """
    by.require(WRITE)
    await _require_open_reply(services, customer_id, reply_id)
    if meaning == "nothing":
        return await lift_hold(services, by, customer_id, reply_id)
    new = NewHold(customer_id=customer_id, kind=meaning, invoice=invoice, until=until, note=note)
    placed = await place_hold(services, by, new, hold_id=f"{reply_id}-{meaning}")
    await lift_hold(services, by, customer_id, reply_id)
    return placed


async def _require_open_reply(services: Services, customer_id: str, reply_id: str) -> None:
    await store.get_customer(services.tables, customer_id)
    reply = next(
        (hold for hold in await store.list_customer_holds(services.tables, customer_id) if hold.id == reply_id), None
    )
    if reply is None or reply.kind != "reply":
        raise NotFound(gettext("This reply doesn't exist; the customer may have been erased."))
    if reply.lifted_at is not None:
        raise Conflict(gettext("Somebody confirmed this reply already."))
