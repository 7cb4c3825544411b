"""One customer for each story of the demo behind the browser, and a look at pages that complains."""

from dataclasses import dataclass, replace

import pytest
from axe_playwright_python.async_playwright import Axe

from almanac.accounts.model import CONSOLE
from almanac.demo import DemoRun, Loaded
from almanac.desks.reminders.demo.cast import cast
from almanac.desks.reminders.demo.telling import tell
from almanac.desks.reminders.service.replies import IncomingReply, receive_reply

STORIES = (
    "overdue", "paid", "recovered", "partly_paid", "disputed", "promised", "never", "no_address", "draft",
    "second_draft", "final_draft", "reminded", "approved", "snoozed", "rejected", "failed", "unknown",
)  # fmt: skip


@dataclass
class Unwatched:
    """The marks of a run that nobody watches."""

    services: object

    async def progress(self, done, total, doing):
        return None

    def unit(self):
        return self.services.database.unit()


@pytest.fixture(scope="session")
async def told(site):
    """A customer for each story, by the story; three of them are drafts to decide."""
    services = site.services
    day = services.clock.now().date()
    loaded = Loaded(owner_id=CONSOLE.user_id, day=day)
    run = DemoRun(services=services, desk="reminders", owner=CONSOLE, loaded=loaded, ledger=Unwatched(services))
    roles = {}
    for role in cast(day):
        if role.story in STORIES and role.story not in roles:
            roles[role.story] = replace(role, customer=replace(role.customer, language="en"))
            await tell(run, roles[role.story])
    quoted = "Thank you for the note. We pay next Friday.\n\n> Please pay D-0120."
    reply = IncomingReply(id="reply-1", text=quoted, customer_id=roles["reminded"].customer.id)
    await receive_reply(services, reply)
    return {story: role.customer for story, role in roles.items()}


@pytest.fixture
def look(screenshots):
    """Looks at a page as it stands: axe-core has nothing to say, and nothing is wider than the screen."""
    found = []

    async def check(page, name):
        violations = (await Axe().run(page)).response["violations"]
        found.extend(f"{name}: {v['id']} {[n['html'][:200] for n in v['nodes']]}" for v in violations)
        wider = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if wider > 0:
            found.append(f"{name} is {wider} px wider than the screen")
        if screenshots:
            await page.screenshot(path=screenshots / f"{name}.png", full_page=True)

    yield check
    assert not found, "\n".join(found)
