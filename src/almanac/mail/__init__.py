"""Outgoing mail: queued in the caller's transaction, claimed before it leaves, sent once, followed to its end."""

from almanac.mail.claims import SendPolicy
from almanac.mail.deliveries import Deliveries
from almanac.mail.mailbox import Mailbox
from almanac.mail.message import Address, Attachment, Message, address_key
from almanac.mail.model import DeliveryEvent, MessageDetail, MessageFilter, MessageSummary, QueuedMail, Suppression
from almanac.mail.port import Envelope, Lookup, MailDeferred, MailRefused, MailTransport, OutcomeUnknown, Receipt
from almanac.mail.service import Mailer
from almanac.mail.suppression import Suppressions, UnsubscribeLinks

__all__ = [
    "Address",
    "Attachment",
    "Deliveries",
    "DeliveryEvent",
    "Envelope",
    "Lookup",
    "MailDeferred",
    "MailRefused",
    "MailTransport",
    "Mailbox",
    "Mailer",
    "Message",
    "MessageDetail",
    "MessageFilter",
    "MessageSummary",
    "OutcomeUnknown",
    "QueuedMail",
    "Receipt",
    "SendPolicy",
    "Suppression",
    "Suppressions",
    "UnsubscribeLinks",
    "address_key",
]
