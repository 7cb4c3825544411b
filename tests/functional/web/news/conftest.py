"""A desk with two weeks of stories, as the demo brings them."""

import pytest

from almanac.accounts.model import Principal
from almanac.accounts.permissions import Role
from almanac.demo import DemoRecord, DemoRun
from almanac.desks.news.demo import PART
from almanac.jobs import InlineLedger


@pytest.fixture
async def demo(services, person):
    """The stories of the demo; `demo` itself is what they were made by."""
    user = await person(Role.ADMIN, email="owner@example.org")
    owner = Principal(user_id=user.id, name=user.name, email=user.email, role=user.role, via="automation")
    loaded = DemoRecord(owner_id=user.id, day=services.clock.now().date())
    run = DemoRun(services=services, desk="news", owner=owner, loaded=loaded, ledger=InlineLedger(services.database))
    for step in PART.steps:
        await step(run)
    return run
