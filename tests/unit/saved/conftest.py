"""Saved queries on a real database, with documents in memory, mail kept in memory, and people with accounts."""

from dataclasses import dataclass
from datetime import datetime, timedelta

import pytest
from argon2 import PasswordHasher

from almanac.accounts import service as accounts_service
from almanac.accounts.memory import MemoryLinkSender
from almanac.accounts.model import CONSOLE, Principal
from almanac.accounts.passwords import PasswordHashes
from almanac.accounts.permissions import Role
from almanac.accounts.port import Accounts
from almanac.jobs import JobRegistry
from almanac.jobs.fake import FakeJobs
from almanac.kit.clock import FixedClock
from almanac.mail import Address, Mailbox, Mailer, Suppressions, UnsubscribeLinks
from almanac.mail.mail_templates import MailTemplates
from almanac.mail.outbox import MemoryTransport
from almanac.relational import Database
from almanac.saved import Alerts, SavedFeeds, SavedQueries
from almanac.saved.alerts import TEMPLATES
from almanac.saved.feeds import FeedTokens
from almanac.saved.jobs import RUN_ALERT, START_DUE_ALERTS
from almanac.search import DocumentKind, SearchDocument
from almanac.search.memory import MemoryIndex

KEY, URL = b"a key of the tests", "https://almanac.example.org"


@dataclass
class Library:
    """Everything about saved queries, and the documents they find."""

    database: Database
    clock: FixedClock
    index: MemoryIndex
    accounts: Accounts
    jobs: FakeJobs
    transport: MemoryTransport
    mailer: Mailer
    mailbox: Mailbox
    suppressions: Suppressions
    links: UnsubscribeLinks
    alerts: Alerts
    saved: SavedQueries
    feeds: SavedFeeds

    async def put(self, name: str, title: str = "", *, days: float = 0, date: datetime | None = None, **rest) -> None:
        """Index a document dated some days from now."""
        document = SearchDocument(
            kind="news.link",
            id=name,
            title=title or f"Water {name}",
            path=f"/news/{name}",
            body="About water.",
            date=date or self.clock.now() + timedelta(days=days),
            **rest,
        )
        async with self.database.unit() as unit:
            await self.index.put(unit, document)

    async def remove(self, *names: str) -> None:
        async with self.database.unit() as unit:
            await self.index.remove(unit, "news.link", names)

    async def pass_time(self, **amount: float) -> None:
        """Let time go by, with everything that is due in it done."""
        self.clock.advance(**amount)
        await self.jobs.run_schedule(START_DUE_ALERTS.name)
        await self.jobs.drain()
        await self.mailer.deliver_due()

    @property
    def mails(self) -> list[str]:
        """The text of what was sent."""
        return [envelope.raw.decode() for envelope in self.transport.sent]


class WantsEverything:
    """Everybody wants mail; the other channels are silent here."""

    async def is_wanted(self, _user_id, _kind, _channel):
        return True

    async def tell_matches(self, _unit, _owner_id, _saved_id, *, name, matches, path):
        assert (bool(name), matches > 0, path.startswith("/")) == (True, True, True)


@pytest.fixture
def library(database: Database, clock: FixedClock) -> Library:
    index, transport, links = MemoryIndex(), MemoryTransport(), UnsubscribeLinks(KEY, URL)
    index.add_kinds(DocumentKind("news.link", "Link", "Links", {"tag": "Tag"}))
    mailer = Mailer(database, transport, clock=clock, sender=Address("almanac@example.org", "Almanac"), links=links)
    suppressions = Suppressions(database, clock, links, KEY)
    passwords = PasswordHashes(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    accounts = Accounts(
        database=database,
        clock=clock,
        link_sender=MemoryLinkSender(),
        base_url=URL,
        cursor_key=KEY,
        passwords=passwords,
    )

    @dataclass
    class Held:
        alerts: Alerts | None = None

    held = Held()
    jobs = FakeJobs(JobRegistry([RUN_ALERT], [START_DUE_ALERTS]), clock, held, database)
    held.alerts = alerts = Alerts(
        database=database,
        clock=clock,
        index=index,
        accounts=accounts,
        jobs=jobs,
        mailer=mailer,
        suppressions=suppressions,
        links=links,
        public_url=URL,
        templates=MailTemplates(TEMPLATES),
        notifications=WantsEverything(),
    )
    return Library(
        database=database,
        clock=clock,
        index=index,
        accounts=accounts,
        jobs=jobs,
        transport=transport,
        mailer=mailer,
        mailbox=Mailbox(database, KEY),
        suppressions=suppressions,
        links=links,
        alerts=alerts,
        saved=SavedQueries(database, clock, index, alerts),
        feeds=SavedFeeds(database=database, index=index, accounts=accounts, tokens=FeedTokens(KEY), public_url=URL),
    )


@pytest.fixture
def make_person(library: Library):
    async def make(name: str = "Ada", role: Role = Role.MEMBER) -> Principal:
        email = f"{name.lower()}@example.org"
        user = await accounts_service.create_user(library.accounts, CONSOLE, email=email, name=name, role=role)
        return Principal(user_id=user.id, name=user.name, email=email, role=role, via="session")

    return make


@pytest.fixture
async def ada(make_person) -> Principal:
    return await make_person()
