"""A mail as its author gives it: addresses, subject, text and attachments; and how it is stored until it is sent."""

import hashlib
import re
from dataclasses import dataclass, field, replace
from email.headerregistry import Address as HeaderAddress
from typing import Self

import msgspec

from almanac.errors import InputError
from almanac.kit.json_text import encode_json, to_builtins
from almanac.kit.messages import gettext

_LOCAL = re.compile(r"[^\s\x00-\x20\x7f()<>\[\]:;@\\,\"]{1,64}", re.UNICODE)
_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", re.IGNORECASE)
_NAMED = re.compile(r"\s*(?P<name>.*?)\s*<(?P<email>[^<>]*)>\s*", re.DOTALL)
_CONTROL = re.compile(r"[\x00-\x1f\x7f\u0085\u2028\u2029]")

_SURROGATE = re.compile(r"[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Address:
    """One mailbox. The domain is stored in its ASCII form."""

    email: str
    name: str = ""

    def __post_init__(self) -> None:
        local, at, domain = self.email.strip().rpartition("@")
        if not at or not _LOCAL.fullmatch(local) or local.startswith(".") or local.endswith(".") or ".." in local:
            raise InputError(
                gettext("%(email)s isn't a mail address; use the form name@example.org.", email=f"{self.email!r}")
            )
        if _CONTROL.search(self.name) or not is_valid_text(self.name, local):
            raise InputError(gettext("A name in a mail address can't contain line breaks or control characters."))
        object.__setattr__(self, "email", f"{local}@{_ascii_domain(domain, self.email)}")
        object.__setattr__(self, "name", self.name.strip())

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `name@example.org` or `A Name <name@example.org>`."""
        if (match := _NAMED.fullmatch(text)) is None:
            return cls(text.strip())
        name = match["name"]
        if len(name) > 1 and name[0] == name[-1] == '"':
            name = name[1:-1].replace('\\"', '"').replace("\\\\", "\\")
        return cls(match["email"], name)

    @property
    def key(self) -> str:
        """The form in which addresses are compared; nearly every mailbox ignores case."""
        return self.email.lower()

    @property
    def needs_utf8(self) -> bool:
        """Whether it needs a server with SMTPUTF8: the part before the @ has no ASCII form."""
        return not self.email.isascii()

    @property
    def header(self) -> HeaderAddress:
        """The address as the standard library writes it into a header."""
        local, _, domain = self.email.rpartition("@")
        return HeaderAddress(self.name, local, domain)

    def __str__(self) -> str:
        return f"{self.name} <{self.email}>" if self.name else self.email


def address_key(email: str) -> str:
    """The form in which an address given as text is compared."""
    return Address.parse(email).key


def is_valid_text(*texts: str) -> bool:
    """Whether each is valid Unicode text; a lone surrogate can't be written into any mail."""
    return not any(_SURROGATE.search(text) for text in texts)


def _ascii_domain(domain: str, email: str) -> str:
    try:
        plain = domain.encode("idna").decode("ascii").lower()
    except UnicodeError as error:
        raise InputError(gettext("%(email)s has no valid domain after the @.", email=f"{email!r}")) from error
    labels = plain.split(".")
    if len(plain) > 253 or len(email) > 254 or not all(_LABEL.fullmatch(label) for label in labels):
        raise InputError(gettext("%(email)s has no valid domain after the @.", email=f"{email!r}"))
    return plain


MAX_RECIPIENTS = 50
MAX_SUBJECT_LENGTH = 500
_TOPIC = re.compile(r"[a-z][a-z0-9:._-]{0,99}")
_CONTENT_TYPE = re.compile(r"[a-z0-9][a-z0-9.+-]*/[a-z0-9][a-z0-9.+-]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file attached to a mail."""

    name: str
    content_type: str
    content: bytes

    def __post_init__(self) -> None:
        if not self.name or _CONTROL.search(self.name) or "/" in self.name or "\\" in self.name:
            raise InputError(gettext("%(name)s isn't a valid file name for an attachment.", name=f"{self.name!r}"))
        if not _CONTENT_TYPE.fullmatch(self.content_type):
            raise InputError(
                gettext(
                    "%(content_type)s isn't a content type; use the form application/pdf.",
                    content_type=f"{self.content_type!r}",
                )
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """What to send. `topic` names its purpose, and for bulk mail what a reader unsubscribes from.

    A bulk message has one recipient and one-click unsubscription. Any other may have an opt-out page, where a POST opts
    out at once. A final message can't be retried after a failure: its author decides about another mail under another
    key.
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
        if not 1 <= len(self.recipients) <= MAX_RECIPIENTS:
            raise InputError(
                gettext(
                    "A mail has 1 to %(limit)s recipients; this one has %(count)s.",
                    limit=MAX_RECIPIENTS,
                    count=len(self.recipients),
                )
            )
        if self.bulk and len(self.recipients) != 1:
            raise InputError(gettext("Bulk mail goes to one recipient each, so that everybody can unsubscribe alone."))
        if not self.subject.strip() or _CONTROL.search(self.subject) or len(self.subject) > MAX_SUBJECT_LENGTH:
            raise InputError(
                gettext(
                    "A subject is one line of 1 to %(limit)s characters without line breaks.",
                    limit=MAX_SUBJECT_LENGTH,
                )
            )
        if not is_valid_text(self.subject, self.text, self.html or ""):
            raise InputError(gettext("This mail contains a lone surrogate; use valid Unicode text."))
        if not self.text.strip():
            raise InputError(gettext("A mail needs a plain-text body, also beside an HTML one."))
        if not _TOPIC.fullmatch(self.topic):
            raise InputError(
                gettext(
                    "%(topic)s isn't a topic; use lower-case words such as newsletter or account.",
                    topic=f"{self.topic!r}",
                )
            )

    @property
    def recipients(self) -> tuple[Address, ...]:
        """All recipients, each address once."""
        return tuple({address.key: address for address in (*self.to, *self.cc)}.values())


ERASED_ADDRESS = "erased@invalid"
ERASED_MESSAGE = Message(to=(Address(ERASED_ADDRESS),), subject="Erased", text="Erased on request.\n", topic="erased")
"""The placeholder for a message whose recipient asked to be erased."""


def message_to_data(message: Message) -> object:
    """The message as plain data."""
    return to_builtins(message)


def message_from_data(content: object) -> Message:
    """The message that was stored."""
    return msgspec.convert(content, Message)


def message_digest(message: Message) -> str:
    """Equal for equal messages only, so that a reused key can't hide a different mail.

    The opt-out URL doesn't count: it contains the address of the installation, which may change in between.
    """
    words = replace(message, opt_out=None)
    return hashlib.sha256(encode_json(words, order="deterministic")).hexdigest()
