"""One customer per scenario of the demo, behind the browser."""

from dataclasses import dataclass, replace

import pytest

from almanac.accounts.model import CONSOLE
from almanac.demo import DemoRecord, DemoRun
from almanac.desks.reminders.demo.customers import list_demo_customers
from almanac.desks.reminders.demo.scenarios import create_records
from almanac.desks.reminders.service.holds import IncomingReply, receive_reply

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
