"""Statuses, failures and events of mail, and the read models that pages and desks show."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from almanac.kit.messages import gettext
from almanac.mail.mime import ParsedMail

MailStatus = Literal["queued", "sending", "sent", "failed", "unknown"]
MailOutcome = Literal["queued", "sending", "sent", "kept", "failed", "unknown"]
MailFailure = Literal["refused", "exhausted", "suppressed", "cancelled", "not_sent"]
DeliveryKind = Literal["delivered", "delayed", "bounced", "complained", "failed"]
SuppressionSource = Literal["bounce", "complaint", "manual", "unsubscribe"]
MailSettlement = Literal["sent", "not_sent"]


# Transports that keep mail on this machine: it counts as sent, so that it isn't sent again, and reaches nobody.
KEEPING_TRANSPORTS = frozenset({"outbox"})
KEPT_HERE = gettext("Kept here; mail isn't set up.")


def mail_outcome(status: MailStatus, transport: str | None) -> MailOutcome:
    """What people are told about a message: `kept` instead of `sent` if it never left this machine."""
    return "kept" if status == "sent" and transport in KEEPING_TRANSPORTS else status


@dataclass(frozen=True, slots=True)
class QueuedMail:
    """The answer to queueing: a key that was used before gives the earlier message and `created` is false."""

    id: str
    created: bool


@dataclass(frozen=True, slots=True)
class DeliveryResult:
    """The status of a message after an attempt to send it. `attempted` is false if another process has it."""

    id: str
    status: MailStatus
    reason: str | None
    attempted: bool


@dataclass(frozen=True, slots=True)
class ReconcileResult:
    """What a reconciliation changed."""

    leases_lost: int
    found_sent: int
    queued_again: int
    still_unknown: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageSummary:
    """A message in a list."""

    id: str
    status: MailStatus
    topic: str
    sender: str
    recipients: Sequence[str]
    subject: str
    attempts: int
    failure: MailFailure | None
    reason: str | None
    transport: str | None
    queued_at: datetime
    due_at: datetime
    finished_at: datetime | None

    @property
    def outcome(self) -> MailOutcome:
        """The status as people are told it."""
        return mail_outcome(self.status, self.transport)


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedMail:
    """How many messages ended alike in a span of time, when the last did, and the last reason, if any. Mail in doubt
    may have no time."""

    outcome: MailOutcome
    number: int
    last_at: datetime | None
    reason: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MailEvent:
    """An event in a message's history; without a recipient it is about the message as a whole."""

    kind: str
    recipient: str | None
    permanent: bool
    detail: str
    source: str
    happened_at: datetime


@dataclass(frozen=True, slots=True)
class RecipientState:
    """The latest status of one recipient."""

    email: str
    state: str
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageDetail:
    """One message with everything a person may want to know. Before the first claim it has no bytes."""

    line: MessageSummary
    idempotency_key: str
    bulk: bool
    message_id: str | None
    provider_id: str | None
    raw: bytes | None
    content: ParsedMail
    recipients: Sequence[RecipientState]
    events: Sequence[MailEvent]


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageFilter:
    """Which messages to list. `text` matches a part of the subject or of a recipient's address; messages of the topics
    in `hidden` are left out.
    """

    outcome: MailOutcome | None = None
    topic: str | None = None
    text: str | None = None
    hidden: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Suppression:
    """An address that gets no mail at all, or with a topic no bulk mail of that topic."""

    id: str
    email: str
    topic: str
    source: SuppressionSource
    reason: str
    mail_id: str | None
    added_by: str | None
    added_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryEvent:
    """A delivery event from outside. `mail_id`, `message_id` or `provider_id` must identify one of our messages."""

    kind: DeliveryKind
    recipient: str
    happened_at: datetime
    source: str
    permanent: bool = False
    detail: str = ""
    source_id: str | None = None
    mail_id: str | None = None
    message_id: str | None = None
    provider_id: str | None = None


@dataclass(frozen=True, slots=True)
class RecordedEvents:
    """How many events were new, already known, or not about our mail; and which mails they are about."""

    new: int
    repeated: int
    unmatched: int
    mail_ids: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class MailRetention:
    """Which mails of a topic are past their retention: sent ones and failed ones."""

    topic: str
    sent_before: datetime
    failed_before: datetime
