"""The transport port of mail: each send ends in a receipt, a certain failure, or an unknown outcome.

MailRefused      refused for good: never retried
MailDeferred     certainly not sent: retried later
OutcomeUnknown   it may have been sent: never retried before somebody has checked
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from almanac.errors import AlmanacError, Unavailable


class MailRefused(AlmanacError):
    """The other side refused the mail for good."""

    code = "mail_refused"
    status = 502


class MailDeferred(Unavailable):
    """The mail was certainly not sent; a later try may succeed."""

    code = "mail_deferred"


class OutcomeUnknown(AlmanacError):
    """The connection ended after the mail was handed over and before the answer came."""

    code = "mail_outcome_unknown"
    status = 502


class Lookup(Enum):
    """Whether a transport has sent a message, as far as it can tell."""

    FOUND = "found"
    ABSENT = "absent"
    CANNOT_TELL = "cannot_tell"


@dataclass(frozen=True, slots=True)
class Envelope:
    """The exact bytes of one mail with its outer addresses. `mail_id` is our own id, for correlating events."""

    mail_id: str
    message_id: str
    sender: str
    recipients: tuple[str, ...]
    raw: bytes


@dataclass(frozen=True, slots=True)
class Receipt:
    """Confirms that the mail was taken over; `words` is the server's own text.

    `provider_id` is set if the provider gives each mail a unique id; `refused` are the recipients that were left out,
    each with the reason.
    """

    words: str
    provider_id: str | None = None
    refused: Mapping[str, str] = field(default_factory=dict)


class MailTransport(Protocol):
    """A way to send mail. Each adapter tells certain failures from unknown outcomes; none retries by itself."""

    @property
    def name(self) -> str:
        """A short name, stored with each message that was sent this way."""
        ...

    async def send(self, envelope: Envelope) -> Receipt:
        """Hand the mail over once, or raise MailRefused, MailDeferred or OutcomeUnknown."""
        ...

    async def find(self, message_id: str) -> Lookup:
        """Whether a mail with this Message-ID was taken over, if that can be known."""
        ...

    async def check(self) -> None:
        """Check that mail could be sent now, without sending any; raises Unavailable with the reason."""
        ...
