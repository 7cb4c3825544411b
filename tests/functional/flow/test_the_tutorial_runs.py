"""The tutorial from news to newsletter, command by command, on the part of the demo that it needs."""

import asyncio
import shlex
from pathlib import Path

from almanac.accounts.model import Principal
from almanac.accounts.service import first_run_link
from almanac.bootstrap import DEMO, open_services
from almanac.config import Settings
from almanac.demo import DemoRecord, DemoRun
from almanac.jobs import InlineLedger

ROOT = Path(__file__).resolve().parents[3]
DOCS = ROOT / "tests" / "functional" / "docs"
PAGE = ROOT / "docs" / "tutorial" / "from-news-to-newsletter.md"


async def load_news_and_sittings(folder):
    """What `almanac demo` does first; the desks after these two would only take time."""
    async with open_services(Settings(data=folder)) as services:
        user = (await first_run_link(services.accounts)).user
        owner = Principal(user_id=user.id, name=user.name, email=user.email, role=user.role, via="automation")
        for desk in ("news", "recap"):
            loaded = DemoRecord(owner_id=user.id, day=services.clock.now().date())
            run = DemoRun(
                services=services, desk=desk, owner=owner, loaded=loaded, ledger=InlineLedger(services.database)
            )
            for step in DEMO.parts[desk].steps:
                await step(run)


def test_the_tutorial_runs(idle_machine, module_at):
    docs = module_at(DOCS / "conftest.py")
    commands = module_at(DOCS / "test_every_command_in_the_docs_runs.py")
    steps = [step for block in docs.Page(PAGE).blocks("console") for step in commands.steps(block)]
    assert shlex.split(steps[0][0]) == ["almanac", "demo"]
    with idle_machine.database_kept_running():
        asyncio.run(load_news_and_sittings(idle_machine.folder / "data"))
        for command, shown in steps[1:]:
            printed = commands.run_step(idle_machine, command, ROOT)
            assert commands.shown_is_printed(shown, printed), f"{command} printed {printed!r}"
