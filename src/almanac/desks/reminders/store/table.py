"""The email tracking table: drafts, sent mails and templates as documented, with the ledger and its ladders."""

import re
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Literal

from almanac.desks.reminders.model.draft import DebtFacts, RecordedDecision
from almanac.desks.reminders.model.ladder import DeclinedDraft, LevelRule, OpenDraft, SentMark
from almanac.desks.reminders.model.ledger import MAX_INVOICES_PER_LETTER, HoldKind, InvoiceState
from tablature import (
    Attr,
    Entity,
    Index,
    Table,
    attr,
    auto_now,
    auto_now_add,
    blob,
    expires,
    index,
    pattern,
    primary,
    unique,
    version,
)
from tablature.design import accepted, action

STATUS_SHARDS = 4
DRAFT_RETENTION_DAYS = 30
SENT_RETENTION_DAYS = 365
# A mail is kept inside its item as long as it fits, so that it expires with it.
MAX_INLINE_MAIL = 250_000
CUSTOMER_ID = r"[A-Za-z0-9_.@+-]{1,100}"
CUSTOMER_ID_PATTERN = re.compile(CUSTOMER_ID)
CURRENCY = r"[A-Z]{3}"

# Programs that share the table mark a draft as sent or failed; Almanac removes it and keeps the record of the sending.
DraftStatus = Literal["draft", "approved", "sending", "unknown", "rejected", "snoozed", "cancelled", "sent", "failed"]
SentStatus = Literal["sent", "failed"]

email_tracking = Table(
    "email_tracking",
    pk="PK",
    sk="SK",
    indexes=[Index("GSI1", "GSI1PK", "GSI1SK", doc="Drafts, sent mails and templates by status and time.")],
    ttl="expires_at",
    recovery=True,
    doc="Every reminder from draft to delivery.",
)


class EmailDraft(Entity, table=email_tracking):
    """A reminder that waits for a decision or is being sent."""

    customer_id: Attr[str]
    timestamp: Attr[datetime] = attr(in_key=True, precision="seconds", doc="When it was drafted; part of its key.")
    customer_name: Attr[str | None] = attr(default=None)
    customer_email: Attr[str | None] = attr(default=None)
    reminder_type: Attr[str]
    email_subject: Attr[str]
    email_content: Attr[str] = attr(longest=100_000)
    status: Attr[DraftStatus] = attr(default="draft")
    created_date: Attr[datetime] = auto_now_add()
    created_by: Attr[str | None] = attr(default=None)
    overdue_amount: Attr[Decimal | None] = attr(default=None)
    overdue_invoices: Attr[list[str]] = attr(default_factory=list, absent=[], longest=MAX_INVOICES_PER_LETTER)
    expires_at: Attr[datetime | None] = expires(days=DRAFT_RETENTION_DAYS)
    email_html: Attr[str | None] = attr(default=None, longest=100_000)
    recipients: Attr[list[str] | None] = attr(default=None, longest=50)
    currency: Attr[str | None] = attr(default=None, pattern=CURRENCY)
    cycle: Attr[int | None] = attr(default=None)
    facts: Attr[DebtFacts | None] = attr(default=None, doc="What it may state, from the ledger.")
    template_id: Attr[str | None] = attr(default=None)
    template_version: Attr[int | None] = attr(default=None)
    written_by: Attr[str | None] = attr(default=None)
    created_by_name: Attr[str | None] = attr(default=None)
    authors: Attr[list[str] | None] = attr(default=None, longest=50)
    decided: Attr[RecordedDecision | None] = attr(default=None, doc="Who approved or rejected exactly which content.")
    reason: Attr[str | None] = attr(default=None, longest=2000)
    outdated: Attr[str | None] = attr(default=None, longest=2000)
    snoozed_until: Attr[datetime | None] = attr(default=None, precision="seconds")
    send_at: Attr[datetime | None] = attr(default=None, precision="seconds")
    mail_key: Attr[str | None] = attr(default=None)
    mail_id: Attr[str | None] = attr(default=None)
    revision: Attr[int | None] = attr(default=None, doc="Rises with each change.")

    key = primary("CUSTOMER#{customer_id:raw}", "DRAFT#{timestamp:%Y%m%d_%H%M%S}_{customer_id:raw}")
    by_status = index(
        "GSI1",
        "STATUS#{status}",
        "{created_date:iso}",
        shards=STATUS_SHARDS,
        by="customer_id",
        include_unsharded=True,
    )

    with_status = pattern(by_status, page=25, doc="Drafts in one status, such as those pending approval, oldest first.")
    of_customer = pattern(key, order="descending", page=25, doc="A customer's drafts, the latest first.")


class SentEmail(Entity, table=email_tracking):
    """A reminder that was handed to the mail service."""

    customer_id: Attr[str]
    timestamp: Attr[datetime] = attr(in_key=True, precision="seconds", doc="When it was sent; part of its key.")
    reminder_type: Attr[str]
    email_subject: Attr[str]
    email_content: Attr[str] = attr(longest=100_000)
    status: Attr[SentStatus] = attr(default="sent")
    sent_date: Attr[datetime] = auto_now_add()
    approved_by: Attr[str | None] = attr(default=None)
    ses_message_id: Attr[str | None] = attr(default=None)
    delivery_status: Attr[str | None] = attr(default=None)
    expires_at: Attr[datetime | None] = expires(days=SENT_RETENTION_DAYS)
    delivery: Attr[dict[str, str] | None] = attr(
        default=None, longest=50, doc="The latest delivery status by recipient."
    )
    currency: Attr[str | None] = attr(default=None, pattern=CURRENCY)
    cycle: Attr[int | None] = attr(default=None)
    draft_id: Attr[str | None] = attr(default=None)
    mail_id: Attr[str | None] = attr(default=None)
    template_id: Attr[str | None] = attr(default=None)
    template_version: Attr[int | None] = attr(default=None)
    overdue_amount: Attr[Decimal | None] = attr(default=None)
    overdue_invoices: Attr[list[str] | None] = attr(default=None, longest=MAX_INVOICES_PER_LETTER)

    key = primary("CUSTOMER#{customer_id:raw}", "SENT#{timestamp:%Y%m%d_%H%M%S}_{reminder_type:raw}")
    by_status = index(
        "GSI1",
        "STATUS#{status}",
        "{sent_date:iso}",
        shards=STATUS_SHARDS,
        by="customer_id",
        include_unsharded=True,
    )

    history = pattern(key, order="descending", page=25, doc="Everything sent to a customer, the latest first.")
    recent_by_type = pattern(
        key,
        order="descending",
        page=25,
        filters=("reminder_type", "sent_date"),
        doc="Reminders of one type sent to a customer since a date; `timestamp` limits what is read.",
    )
    with_status = pattern(by_status, page=25, doc="Sent mails in a range of dates, oldest first.")
    latest = pattern(by_status, order="descending", page=25, doc="Sent mails in a range of dates, the latest first.")


class EmailTemplate(Entity, table=email_tracking):
    """One version of a template; a change adds a version."""

    template_id: Attr[str]
    version: Attr[int] = attr(minimum=1)
    template_name: Attr[str | None] = attr(default=None)
    template_type: Attr[str | None] = attr(default=None)
    subject_template: Attr[str]
    body_template: Attr[str]
    status: Attr[str] = attr(default="active")
    created_date: Attr[datetime] = auto_now_add()
    branding: Attr[str | None] = attr(default=None)

    key = primary("TEMPLATE#{template_id:raw}", "VERSION#{version}")
    by_status = index("GSI1", "STATUS#{status}", "{created_date:iso}")

    versions = pattern(key, page=100, doc="All versions of a template; ordered by number, not by key.")
    with_status = pattern(by_status, page=25, doc="Templates in one status, such as those in use.")


class SentCopy(Entity, table=email_tracking):
    """The exact bytes of a sent mail; a separate item, so that lists of sent mails stay small."""

    customer_id: Attr[str] = attr(in_key=True, pattern=CUSTOMER_ID)
    timestamp: Attr[datetime] = attr(in_key=True, precision="seconds")
    reminder_type: Attr[str] = attr(in_key=True)
    mail: Attr[bytes] = blob(over=MAX_INLINE_MAIL)
    expires_at: Attr[datetime | None] = expires(days=SENT_RETENTION_DAYS)

    key = primary("CUSTOMER#{customer_id}", "COPY#{timestamp:%Y%m%d_%H%M%S}_{reminder_type}")


class CustomerItem(Entity, table=email_tracking):
    """A customer. Its version rises with holds too, so that one check covers both."""

    customer_id: Attr[str] = attr(pattern=CUSTOMER_ID)
    name: Attr[str] = attr(longest=300)
    sort_name: Attr[str] = attr(longest=200, doc="The name as lists sort it.")
    email: Attr[str | None] = attr(default=None, longest=254)
    more_recipients: Attr[list[str]] = attr(default_factory=list, absent=[], longest=20)
    language: Attr[str] = attr(default="en", absent="en")
    time_zone: Attr[str | None] = attr(default=None)
    opted_out: Attr[bool] = attr(default=False, absent=False)
    never_remind: Attr[bool] = attr(default=False, absent=False)
    notes: Attr[str | None] = attr(default=None, longest=10_000)
    created_at: Attr[datetime] = auto_now_add()
    erased_at: Attr[datetime | None] = attr(default=None, precision="seconds")
    version: Attr[int] = version()

    key = primary("CUSTOMER#{customer_id}", "PROFILE")
    by_name = index(
        "GSI1",
        "LIST#CUSTOMERS",
        "{sort_name}#{customer_id}",
        shards=STATUS_SHARDS,
        by="customer_id",
        include_unsharded=True,
    )

    everybody = pattern(by_name, page=100, doc="All customers by name, optionally only names with this beginning.")
    descending = pattern(by_name, order="descending", page=100, doc="All customers by name, descending.")


class Invoice(Entity, table=email_tracking):
    """An invoice of a customer."""

    customer_id: Attr[str] = attr(pattern=CUSTOMER_ID)
    number: Attr[str] = attr(longest=100)
    amount: Attr[Decimal]
    currency: Attr[str] = attr(pattern=CURRENCY)
    issued: Attr[date | None] = attr(default=None)
    due: Attr[date]
    paid: Attr[Decimal] = attr(default=Decimal(0))
    credited: Attr[Decimal] = attr(default=Decimal(0))
    disputed: Attr[bool] = attr(default=False, absent=False)
    dispute_note: Attr[str | None] = attr(default=None, longest=2000)
    state: Attr[InvoiceState] = attr(default="open")
    settled_at: Attr[datetime | None] = attr(default=None, precision="seconds")
    version: Attr[int] = version()

    key = primary("CUSTOMER#{customer_id}", "INVOICE#{number}")
    by_state = index(
        "GSI1",
        "INVOICE#{state}",
        "{due}#{customer_id}",
        shards=STATUS_SHARDS,
        by="customer_id",
        include_unsharded=True,
    )
    one_number = unique("number", doc="Invoice numbers are unique in the installation.")

    of_customer = pattern(key, page=1000, consistent=True, doc="A customer's invoices.")
    with_state = pattern(by_state, page=1000, doc="Open invoices, or settled ones, by due date.")
    latest_due = pattern(by_state, order="descending", page=100, doc="The same, the latest due date first.")


class PaymentItem(Entity, table=email_tracking):
    """A received payment, under the payer's reference."""

    customer_id: Attr[str] = attr(pattern=CUSTOMER_ID)
    payment_id: Attr[str] = attr(longest=200)
    amount: Attr[Decimal]
    currency: Attr[str] = attr(pattern=CURRENCY)
    received_at: Attr[datetime] = attr(precision="seconds")
    towards: Attr[dict[str, Decimal]] = attr(default_factory=dict, longest=500, doc="The amount for each invoice.")
    note: Attr[str | None] = attr(default=None, longest=2000)
    recorded_by: Attr[str | None] = attr(default=None)

    key = primary("CUSTOMER#{customer_id}", "PAYMENT#{payment_id}")

    of_customer = pattern(key, page=100, doc="A customer's payments.")


class HoldItem(Entity, table=email_tracking):
    """Stops reminders of a customer or of one invoice."""

    customer_id: Attr[str] = attr(pattern=CUSTOMER_ID)
    hold_id: Attr[str] = attr(longest=100)
    kind: Attr[HoldKind]
    invoice: Attr[str | None] = attr(default=None)
    until: Attr[date | None] = attr(default=None)
    note: Attr[str | None] = attr(default=None, longest=10_000)
    by: Attr[str | None] = attr(default=None)
    created_at: Attr[datetime] = auto_now_add()
    lifted_at: Attr[datetime | None] = attr(default=None, precision="seconds")
    lifted_by: Attr[str | None] = attr(default=None)
    state: Attr[Literal["standing", "lifted"]] = attr(default="standing")

    key = primary("CUSTOMER#{customer_id}", "HOLD#{hold_id}")
    by_state = index(
        "GSI1",
        "HOLD#{state}",
        "{created_at:iso}#{customer_id}",
        shards=STATUS_SHARDS,
        by="customer_id",
        include_unsharded=True,
    )

    of_customer = pattern(key, page=100, consistent=True, doc="A customer's holds.")
    with_state = pattern(by_state, page=1000, doc="All holds that were not lifted.")


class LadderItem(Entity, table=email_tracking):
    """Which level of which cycle is taken, by which draft. Every transition is written under its version."""

    customer_id: Attr[str] = attr(pattern=CUSTOMER_ID)
    currency: Attr[str] = attr(pattern=CURRENCY)
    cycle: Attr[int] = attr(default=1)
    open: Attr[OpenDraft | None] = attr(default=None)
    sent: Attr[dict[str, SentMark]] = attr(default_factory=dict, absent={}, longest=20)
    declined: Attr[DeclinedDraft | None] = attr(default=None)
    changed_at: Attr[datetime] = auto_now()
    version: Attr[int] = version()

    key = primary("CUSTOMER#{customer_id}", "LADDER#{currency}")
    listed = index(
        "GSI1",
        "LIST#LADDERS",
        "{customer_id}#{currency}",
        shards=STATUS_SHARDS,
        by="customer_id",
        include_unsharded=True,
    )

    of_customer = pattern(key, page=20, consistent=True, doc="A customer's ladders, one for each currency.")
    everybody = pattern(listed, page=1000, doc="All ladders, for the plan of a day.")


@dataclass(frozen=True, slots=True)
class OutboxDeed:
    """One audit deed of an outbox item; `detail` is JSON."""

    actor_id: str
    actor_via: str
    action: str
    of_kind: str
    of_id: str
    why: str
    detail: str


class OutboxItem(Entity, table=email_tracking):
    """Events of a change: written in its transaction, deleted when the audit log and webhooks have them."""

    notice_id: Attr[str]
    created_at: Attr[datetime] = auto_now_add()
    deeds: Attr[list[OutboxDeed]] = attr(longest=200)

    key = primary("NOTICE#{notice_id}", "UNTOLD")
    waiting = index(
        "GSI1",
        "LIST#NOTICES",
        "{created_at:iso}#{notice_id}",
        shards=STATUS_SHARDS,
        by="notice_id",
        include_unsharded=True,
    )

    untold = pattern(waiting, page=100, doc="Events that are not published yet, the oldest first; usually none.")


class LadderRulesItem(Entity, table=email_tracking):
    """The ladder's rules as the installation has chosen them."""

    name: Attr[str] = attr(in_key=True, default="ladder")
    levels: Attr[list[LevelRule]] = attr(longest=10)
    grace_days: Attr[int] = attr(default=0)
    business_days_only: Attr[bool] = attr(default=False)
    holidays: Attr[list[date]] = attr(default_factory=list, longest=1000)
    version: Attr[int] = version()

    key = primary("RULES#{name}", "CURRENT")


_RAW_KEYS = "Programs that share the table write ids into keys as they are; the field is the last part of its key."
_SHARED_INDEX = "One index groups every kind by status; the kinds seldom share one, and others are dropped when read."
_READS_ALL = "The plan of a day reads everything that is open, in as few requests as possible."
ACCEPTED = [
    accepted("TAB001", "EmailDraft.customer_id", _RAW_KEYS),
    accepted("TAB001", "EmailTemplate.template_id", _RAW_KEYS),
    accepted("TAB001", "SentEmail.customer_id", _RAW_KEYS),
    accepted("TAB001", "SentEmail.reminder_type", _RAW_KEYS),
    accepted(
        "TAB004", "EmailTemplate.key", "Programs that share the table write plain numbers; readers sort versions."
    ),
    accepted("TAB201", "SentEmail.recent_by_type", "A customer has a few sent mails, and a time narrows what is read."),
    accepted("TAB202", "SentEmail.recent_by_type", "The type ends the key, so it can't narrow it without a time."),
    accepted("TAB205", "EmailDraft.with_status", _SHARED_INDEX),
    accepted("TAB205", "EmailTemplate.with_status", _SHARED_INDEX),
    accepted("TAB205", "SentEmail.latest", _SHARED_INDEX),
    accepted("TAB205", "SentEmail.with_status", _SHARED_INDEX),
    accepted("TAB702", "HoldItem.with_state", _READS_ALL),
    accepted("TAB702", "Invoice.of_customer", "A decision needs all invoices of a customer; nearly all have a few."),
    accepted("TAB702", "Invoice.with_state", _READS_ALL),
    accepted("TAB702", "LadderItem.everybody", _READS_ALL),
]
ACTIONS = [
    action("See your list for approval", "EmailDraft.with_status"),
    action("Draft a reminder", "EmailDraft.create"),
    action("Approve a reminder", "EmailDraft.patch", "LadderItem.put", "OutboxItem.create", "OutboxItem.delete"),
    action("Record a sent reminder", "SentEmail.create", "SentCopy.create", "EmailDraft.delete", "LadderItem.put"),
    action("Read a customer's history", "SentEmail.history"),
    action("See a customer's account", "Invoice.of_customer", "HoldItem.of_customer", "LadderItem.of_customer"),
    action("Record a payment", "PaymentItem.of_customer", "PaymentItem.create", "Invoice.put", "LadderItem.put"),
    action(
        "Plan a day",
        "CustomerItem.everybody",
        "Invoice.with_state",
        "HoldItem.with_state",
        "LadderItem.everybody",
        "SentEmail.with_status",
    ),
]
