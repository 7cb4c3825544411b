"""One customer per scenario of the demo, behind the browser."""

from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import Decimal

import pytest

from almanac.accounts.model import AUTOMATION, CONSOLE
from almanac.demo import DemoRecord, DemoRun
from almanac.desks.reminders import service
from almanac.desks.reminders.demo.customers import list_demo_customers
from almanac.desks.reminders.demo.scenarios import create_records
from almanac.desks.reminders.model.draft import DebtFacts
from almanac.desks.reminders.service.holds import IncomingReply, receive_reply
from almanac.desks.reminders.store import table
from almanac.desks.reminders.store.drafts import iterate_drafts
from almanac.kit.ids import new_id
from almanac.kit.money import Money

SCENARIOS = (
    "overdue",
    "paid",
    "recovered",
    "partly_paid",
    "disputed",
    "promised",
    "never",
    "no_address",
    "draft",
    "second_draft",
    "final_draft",
    "reminded",
    "approved",
    "snoozed",
    "rejected",
    "failed",
    "unknown",
)


@dataclass
class Unwatched:
    """The marks of a run that nobody watches."""

    services: object

    async def progress(self, done, total, doing):
        return None

    def unit(self):
        return self.services.database.unit()


@pytest.fixture(scope="session")
async def demo_customers(site):
    """A customer for each story, by the story; three of them are drafts to decide."""
    services = site.services
    day = services.clock.now().date()
    loaded = DemoRecord(owner_id=CONSOLE.user_id, day=day)
    run = DemoRun(services=services, desk="reminders", owner=CONSOLE, loaded=loaded, ledger=Unwatched(services))
    roles = {}
    for role in list_demo_customers(day):
        if role.scenario in SCENARIOS and role.scenario not in roles:
            roles[role.scenario] = replace(role, customer=replace(role.customer, language="en"))
            await create_records(run, roles[role.scenario])
    quoted = "Thank you for the note. We pay next Friday.\n\n> Please pay D-0120."
    reply = IncomingReply(id="reply-1", text=quoted, customer_id=roles["reminded"].customer.id)
    await receive_reply(services, reply)
    return {story: role.customer for story, role in roles.items()}


@pytest.fixture
def drafted(site):
    """Drafts of customers who are new; whatever else waits is given up before."""

    async def make(*names):
        services = site.services
        for old in [draft async for draft in iterate_drafts(services.tables, "draft")]:
            await service.cancel_draft(services, CONSOLE, old.id, why="Not of this test.")
        return [await _draft(services, name) for name in names]

    return make


async def _draft(services, name):
    customer_id = f"c-{new_id()[-12:]}"
    edit = service.CustomerEdit(name=name, email=f"{customer_id}@example.org")
    await service.add_customer(services, AUTOMATION, customer_id, edit)
    due = services.clock.now().date() - timedelta(days=20)
    invoice = service.NewInvoice(
        customer_id=customer_id, number=f"I-{customer_id}", amount=Money(Decimal("120.00"), "EUR"), due=due
    )
    await service.add_invoice(services, AUTOMATION, invoice)
    return await service.draft_reminder(services, AUTOMATION, customer_id)


@pytest.fixture
async def a_long_queue(site, drafted):
    """More drafts than one page shows; they need no customers to be read."""
    await drafted()
    now, facts = site.services.clock.now(), DebtFacts("EUR", Decimal("5.00"), (), "0" * 64)
    items = [
        table.EmailDraft(
            customer_id=f"long-{number:02}",
            customer_name=f"Long {number:02}",
            reminder_type="first",
            timestamp=now + timedelta(seconds=number),
            created_date=now + timedelta(seconds=number),
            cycle=1,
            email_subject="Reminder",
            email_content="Please pay.\n" * 60,
            currency="EUR",
            recipients=["a@example.org"],
            facts=facts,
            revision=1,
        )
        for number in range(30)
    ]
    await site.services.tables.put_many(items)
    yield
    await site.services.tables.delete_many(items)
