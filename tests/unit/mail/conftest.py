"""A mailer on a real database with mail kept in memory, and message factories."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from almanac.kit.clock import FixedClock
from almanac.mail import (
    Address,
    Deliveries,
    Mailbox,
    Mailer,
    Message,
    SendPolicy,
    Suppressions,
    UnsubscribeLinks,
)
from almanac.mail.outbox import MemoryTransport
from almanac.relational import Database

KEY = b"a key for tests only"


@dataclass
class Mailroom:
    """Everything about mail on one database."""

    database: Database
    clock: FixedClock
    transport: MemoryTransport
    mailer: Mailer
    mailbox: Mailbox
    suppressions: Suppressions
    deliveries: Deliveries
    links: UnsubscribeLinks

    async def queue(self, message: Message, key: str = "key") -> str:
        async with self.database.unit() as unit:
            return (await self.mailer.queue(message, key=key, unit=unit)).id

    async def kinds(self, mail_id: str) -> list[str]:
        """What happened to a message, as a list of words."""
        return [event.kind for event in (await self.mailbox.get(mail_id)).events]


@pytest.fixture
def mailroom(database: Database, clock: FixedClock) -> Mailroom:
    transport, links = MemoryTransport(), UnsubscribeLinks(KEY, "https://almanac.example.org")
    sender = Address("almanac@example.org", "Almanac")
    return Mailroom(
        database=database,
        clock=clock,
        transport=transport,
        mailer=Mailer(database, transport, clock=clock, sender=sender, links=links, policy=SendPolicy(attempts=3)),
        mailbox=Mailbox(database, KEY),
        suppressions=Suppressions(database, clock, links, KEY),
        deliveries=Deliveries(database, clock),
        links=links,
    )


@pytest.fixture
def message() -> Callable[..., Message]:
    """A message that states only what a test is about."""

    def make(*to: str, **changes: Any) -> Message:
        people = tuple(Address.parse(text) for text in to or ("anna@example.com",))
        return Message(**({"to": people, "subject": "Hello", "text": "Hi\n", "topic": "test"} | changes))

    return make
