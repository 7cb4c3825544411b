"""Mail addresses: read strictly, with names and domains of every script, and never able to carry a second header."""

import re
from dataclasses import dataclass
from email.headerregistry import Address as HeaderAddress
from typing import Self

from almanac.errors import InputError

_LOCAL = re.compile(r"[^\s\x00-\x20\x7f()<>\[\]:;@\\,\"]{1,64}", re.UNICODE)
_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", re.IGNORECASE)
_NAMED = re.compile(r"\s*(?P<name>.*?)\s*<(?P<email>[^<>]*)>\s*", re.DOTALL)
_CONTROL = re.compile(r"[\x00-\x1f\x7f\u0085\u2028\u2029]")

_SURROGATE = re.compile(r"[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Address:
    """One mailbox. The domain is kept in its ASCII form, in which servers exchange it."""

    email: str
    name: str = ""

    def __post_init__(self) -> None:
        local, at, domain = self.email.strip().rpartition("@")
        if not at or not _LOCAL.fullmatch(local) or local.startswith(".") or local.endswith(".") or ".." in local:
            raise InputError(f"{self.email!r} is no mail address; write it like name@example.org.")
        if _CONTROL.search(self.name) or not is_text(self.name, local):
            raise InputError("A name in a mail address can't contain line breaks or control characters.")
        object.__setattr__(self, "email", f"{local}@{_ascii_domain(domain, self.email)}")
        object.__setattr__(self, "name", self.name.strip())

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `name@example.org` or `A Name <name@example.org>`."""
        if (found := _NAMED.fullmatch(text)) is None:
            return cls(text.strip())
        name = found["name"]
        if len(name) > 1 and name[0] == name[-1] == '"':
            name = name[1:-1].replace('\\"', '"').replace("\\\\", "\\")
        return cls(found["email"], name)

    @property
    def key(self) -> str:
        """The form in which addresses are compared: nearly every mailbox ignores case."""
        return self.email.lower()

    @property
    def needs_utf8(self) -> bool:
        """Whether only servers with SMTPUTF8 can take it: the part before the @ has no ASCII form."""
        return not self.email.isascii()

    @property
    def header(self) -> HeaderAddress:
        """The address as the standard library writes it into a header."""
        local, _, domain = self.email.rpartition("@")
        return HeaderAddress(self.name, local, domain)

    def __str__(self) -> str:
        return f"{self.name} <{self.email}>" if self.name else self.email


def address_key(email: str) -> str:
    """The compared form of an address given as text."""
    return Address.parse(email).key


def is_text(*texts: str) -> bool:
    """Whether each is whole Unicode text; a lone surrogate can't be written into any mail."""
    return not any(_SURROGATE.search(text) for text in texts)


def _ascii_domain(domain: str, whole: str) -> str:
    try:
        plain = domain.encode("idna").decode("ascii").lower()
    except UnicodeError as error:
        raise InputError(f"{whole!r} has no valid domain after the @.") from error
    labels = plain.split(".")
    if len(plain) > 253 or len(whole) > 254 or not all(_LABEL.fullmatch(label) for label in labels):
        raise InputError(f"{whole!r} has no valid domain after the @.")
    return plain
