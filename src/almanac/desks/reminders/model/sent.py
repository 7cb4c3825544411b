"""A reminder that was sent: its content, who approved it, and the delivery status of each recipient."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal

from almanac.errors import NotFound
from almanac.kit.messages import gettext


@dataclass(frozen=True, slots=True, kw_only=True)
class SentReminder:
    """One sent mail. `delivery` is the latest status by recipient, `delivery_status` the worst of them."""

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


def mark_kept(reminder: SentReminder) -> SentReminder:
    """The reminder as people are told it if its mail never left: each `sent` becomes `kept`."""
    delivery = {email: "kept" if status == "sent" else status for email, status in reminder.delivery.items()}
    return replace(reminder, delivery=delivery, delivery_status=worst_delivery_status(delivery) or "kept")


_WORST_FIRST = ("complained", "bounced", "failed", "refused", "suppressed", "delayed", "kept", "sent", "delivered")


def worst_delivery_status(delivery: Mapping[str, str]) -> str | None:
    """The worst status of any recipient; None without recipients."""
    statuses = set(delivery.values())
    return next((word for word in _WORST_FIRST if word in statuses), None)


_STAMP_LENGTH = 15


def split_sent_id(sent: str) -> tuple[str, datetime, str]:
    """The customer, time and level in the id of a sent reminder. NotFound if it isn't a valid id."""
    stamp, (level, _, customer) = sent[:_STAMP_LENGTH], sent[_STAMP_LENGTH + 1 :].partition("@")
    try:
        moment = datetime.strptime(stamp, TIMESTAMP).replace(tzinfo=UTC)
    except ValueError:
        raise NotFound(gettext("Sent reminder %(sent)s doesn't exist; check its id.", sent=sent[:60])) from None
    if not level or not customer:
        raise NotFound(gettext("Sent reminder %(sent)s doesn't exist; check its id.", sent=sent[:60]))
    return customer, moment, level


def make_sent_id(customer_id: str, moment: datetime, level: str) -> str:
    """The id of a sent reminder for people and programs."""
    return f"{moment:%Y%m%d_%H%M%S}_{level}@{customer_id}"


TIMESTAMP = "%Y%m%d_%H%M%S"
