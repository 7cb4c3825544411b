"""The email tracking table: drafts and sent mails by customer, and the templates they are written from.

Whether a reminder may be written or sent is left to the desk's model.
"""

from datetime import datetime
from decimal import Decimal
from typing import Literal

from tablature import Attr, Entity, Index, Table, attr, auto_now_add, expires, index, pattern, primary
from tablature.design import accepted, action

STATUS_SHARDS = 4
DRAFTS_KEPT_DAYS = 30
SENT_KEPT_DAYS = 365

# Programs that share the table mark a draft as sent or failed; Almanac removes it and keeps the record of the sending.
DraftStatus = Literal["draft", "approved", "sending", "unknown", "rejected", "snoozed", "cancelled", "sent", "failed"]
SentStatus = Literal["sent", "failed"]

email_tracking = Table(
    "email_tracking", pk="PK", sk="SK",
    indexes=[Index("GSI1", "GSI1PK", "GSI1SK", doc="Drafts, sent mails and templates by status and time.")],
    ttl="expires_at",
    doc="Every reminder from draft to delivery.",
)  # fmt: skip


class EmailDraft(Entity, table=email_tracking):
    """A reminder that a person has yet to decide about, or that is on its way."""

    customer_id: Attr[str]
    timestamp: Attr[datetime] = attr(in_key=True, precision="seconds", doc="When it was drafted, as its key says it.")
    customer_name: Attr[str | None] = attr(default=None)
    customer_email: Attr[str | None] = attr(default=None)
    reminder_type: Attr[str]
    email_subject: Attr[str]
    email_content: Attr[str] = attr(longest=100_000)
    status: Attr[DraftStatus] = attr(default="draft")
    created_date: Attr[datetime] = auto_now_add()
    created_by: Attr[str | None] = attr(default=None)
    overdue_amount: Attr[Decimal | None] = attr(default=None)
    overdue_invoices: Attr[list[str]] = attr(default_factory=list, absent=[], longest=500)
    expires_at: Attr[datetime | None] = expires(days=DRAFTS_KEPT_DAYS)

    key = primary("CUSTOMER#{customer_id:raw}", "DRAFT#{timestamp:%Y%m%d_%H%M%S}_{customer_id:raw}")
    by_status = index(
        "GSI1", "STATUS#{status}", "{created_date:iso}",
        shards=STATUS_SHARDS, by="customer_id", include_unsharded=True,
    )  # fmt: skip

    with_status = pattern(by_status, page=25, doc="Drafts in one status, such as those pending approval, oldest first.")
    of_customer = pattern(key, order="descending", page=25, doc="A customer's drafts, the latest first.")


class SentEmail(Entity, table=email_tracking):
    """A reminder that was handed to the mail service."""

    customer_id: Attr[str]
    timestamp: Attr[datetime] = attr(in_key=True, precision="seconds", doc="When it was sent, as its key says it.")
    reminder_type: Attr[str]
    email_subject: Attr[str]
    email_content: Attr[str] = attr(longest=100_000)
    status: Attr[SentStatus] = attr(default="sent")
    sent_date: Attr[datetime] = auto_now_add()
    approved_by: Attr[str | None] = attr(default=None)
    ses_message_id: Attr[str | None] = attr(default=None)
    delivery_status: Attr[str | None] = attr(default=None)
    expires_at: Attr[datetime | None] = expires(days=SENT_KEPT_DAYS)

    key = primary("CUSTOMER#{customer_id:raw}", "SENT#{timestamp:%Y%m%d_%H%M%S}_{reminder_type:raw}")
    by_status = index(
        "GSI1", "STATUS#{status}", "{sent_date:iso}",
        shards=STATUS_SHARDS, by="customer_id", include_unsharded=True,
    )  # fmt: skip

    history = pattern(key, order="descending", page=25, doc="Everything sent to a customer, the latest first.")
    recent_by_type = pattern(
        key, order="descending", page=25, filters=("reminder_type", "sent_date"),
        doc="What a customer was sent of one type since a date; `timestamp` narrows what is read.",
    )  # fmt: skip
    with_status = pattern(by_status, page=25, doc="Sent mails in a range of dates, oldest first.")


class EmailTemplate(Entity, table=email_tracking):
    """One version of a template; versions are never changed, a new one is added."""

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

    versions = pattern(key, page=100, doc="All versions of a template; their numbers tell the order, not the keys.")
    with_status = pattern(by_status, page=25, doc="Templates in one status, such as those in use.")


_AS_IT_IS = "Programs that share the table write ids into keys as they are; the field is the last part of its key."
_ONE_INDEX = "One index groups every kind by status; the kinds seldom share one, and others are dropped when read."
ACCEPTED = [
    accepted("TAB001", "EmailDraft.customer_id", _AS_IT_IS),
    accepted("TAB001", "EmailTemplate.template_id", _AS_IT_IS),
    accepted("TAB001", "SentEmail.customer_id", _AS_IT_IS),
    accepted("TAB001", "SentEmail.reminder_type", _AS_IT_IS),
    accepted(
        "TAB004", "EmailTemplate.key", "Programs that share the table write plain numbers; readers sort versions."
    ),
    accepted("TAB201", "SentEmail.recent_by_type", "A customer has a few sent mails, and a time narrows what is read."),
    accepted("TAB202", "SentEmail.recent_by_type", "The type ends the key, so it can't narrow it without a time."),
    accepted("TAB205", "EmailDraft.with_status", _ONE_INDEX),
    accepted("TAB205", "EmailTemplate.with_status", _ONE_INDEX),
    accepted("TAB205", "SentEmail.with_status", _ONE_INDEX),
]
ACTIONS = [
    action("See what waits for approval", "EmailDraft.with_status"),
    action("Draft a reminder", "EmailDraft.create"),
    action("Approve a reminder", "EmailDraft.patch"),
    action("Record a sent reminder", "SentEmail.create", "EmailDraft.delete"),
    action("Read a customer's history", "SentEmail.history"),
]
