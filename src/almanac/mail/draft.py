"""How a message is kept between queueing and sending: as data, with a digest that tells two messages apart."""

import hashlib
from dataclasses import replace

import msgspec

from almanac.mail.address import Address
from almanac.mail.message import Message

NOBODY = "erased@invalid"
ERASED = Message(to=(Address(NOBODY),), subject="Erased", text="Erased on request.\n", topic="erased")
"""What stands in for a message whose recipient asked to be forgotten."""


def storable(message: Message) -> object:
    """The message as plain data."""
    return msgspec.to_builtins(message)


def stored_message(content: object) -> Message:
    """The message that was stored."""
    return msgspec.convert(content, Message)


def digest_of(message: Message) -> str:
    """The same for the same message and for no other, so that a reused key can't hide a different mail.

    Where readers opt out doesn't count: it follows the address of the installation, which may change in between.
    """
    words = replace(message, opt_out=None)
    return hashlib.sha256(msgspec.json.encode(words, order="deterministic")).hexdigest()
