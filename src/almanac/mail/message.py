"""A mail as its author means it: who writes to whom about what. The wire form is for mime, the sending for Mailer."""

import re
from dataclasses import dataclass, field

from almanac.errors import InputError
from almanac.mail.address import Address, is_text

RECIPIENTS = 50
SUBJECT_CHARACTERS = 500
_CONTROL = re.compile(r"[\x00-\x1f\x7f\u0085\u2028\u2029]")
_TOPIC = re.compile(r"[a-z][a-z0-9:._-]{0,99}")
_CONTENT_TYPE = re.compile(r"[a-z0-9][a-z0-9.+-]*/[a-z0-9][a-z0-9.+-]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that travels with a mail."""

    name: str
    content_type: str
    content: bytes

    def __post_init__(self) -> None:
        if not self.name or _CONTROL.search(self.name) or "/" in self.name or "\\" in self.name:
            raise InputError(f"{self.name!r} is no file name for an attachment.")
        if not _CONTENT_TYPE.fullmatch(self.content_type):
            raise InputError(f"{self.content_type!r} is no content type; write it like application/pdf.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """What is to be sent. `topic` names its purpose, and for bulk mail what a reader unsubscribes from.

    A bulk message goes to one recipient and carries one-click unsubscription of its own. Any other may name a page on
    which its readers opt out, where a POST does so at once. A failure of a final message stands: whoever queued it
    decides about another mail, under another key, so nobody may send this one again.
    """

    to: tuple[Address, ...]
    subject: str
    text: str
    topic: str
    html: str | None = None
    cc: tuple[Address, ...] = ()
    reply_to: Address | None = None
    sender: Address | None = None
    bulk: bool = False
    attachments: tuple[Attachment, ...] = field(default=())
    final: bool = False
    opt_out: str | None = None

    def __post_init__(self) -> None:
        if not 1 <= len(self.recipients) <= RECIPIENTS:
            raise InputError(f"A mail has 1 to {RECIPIENTS} recipients; this one has {len(self.recipients)}.")
        if self.bulk and len(self.recipients) != 1:
            raise InputError("Bulk mail goes to one recipient each, so that everybody can unsubscribe alone.")
        if not self.subject.strip() or _CONTROL.search(self.subject) or len(self.subject) > SUBJECT_CHARACTERS:
            raise InputError(f"A subject is one line of 1 to {SUBJECT_CHARACTERS} characters without line breaks.")
        if not is_text(self.subject, self.text, self.html or ""):
            raise InputError("A mail holds valid Unicode text only; half of a character is in this one.")
        if not self.text.strip():
            raise InputError("A mail needs a plain-text body, also beside an HTML one.")
        if not _TOPIC.fullmatch(self.topic):
            raise InputError(f"{self.topic!r} is no topic; use lower-case words such as newsletter or account.")

    @property
    def recipients(self) -> tuple[Address, ...]:
        """Everybody who is to get it, each address once."""
        return tuple({address.key: address for address in (*self.to, *self.cc)}.values())
