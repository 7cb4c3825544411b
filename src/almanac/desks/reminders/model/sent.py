"""A reminder that went out, as history shows it: what was sent, who approved it, and what became of each recipient."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class SentReminder:
    """One mail that was handed over. `delivery` is the latest news by recipient, `delivery_status` the worst of it."""

    id: str
    customer_id: str
    level: str
    subject: str
    text: str
    status: str
    sent_at: datetime
    approved_by: str | None
    message_id: str | None
    delivery_status: str | None
    delivery: Mapping[str, str]
    currency: str | None = None
    cycle: int | None = None
    draft_id: str | None = None
    mail_id: str | None = None
    template_id: str | None = None
    template_version: int | None = None
    amount: Decimal | None = None
    invoices: tuple[str, ...] = ()


_WORST_FIRST = ("complained", "bounced", "failed", "refused", "suppressed", "delayed", "sent", "delivered")


def overall(delivery: Mapping[str, str]) -> str | None:
    """One word for all recipients: the worst that happened to any of them."""
    found = set(delivery.values())
    return next((word for word in _WORST_FIRST if word in found), None)
