"""The tutorial from news to newsletter, command by command, on the part of the demo that it needs."""

import asyncio
import importlib.util
import shlex
from pathlib import Path

from almanac.accounts.model import Principal
from almanac.accounts.service import first_run_link
from almanac.bootstrap import DEMO, running
from almanac.config import Settings
from almanac.demo import DemoRun, Loaded

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "tutorial" / "from-news-to-newsletter.md"


def load(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Quiet:
    """The marks of a demo that nobody watches."""

    def __init__(self, services):
        self.services = services

    def unit(self):
        return self.services.database.unit()

    async def progress(self, done, total, doing):
        return


async def load_news_and_sittings(folder):
    """What `almanac demo` does first; the desks after these two would only take time."""
    async with running(Settings(data=folder)) as services:
        user = (await first_run_link(services.accounts)).user
        owner = Principal(user_id=user.id, name=user.name, email=user.email, role=user.role, via="automation")
        for desk in ("news", "recap"):
            loaded = Loaded(owner_id=user.id, day=services.clock.now().date())
            run = DemoRun(services=services, desk=desk, owner=owner, loaded=loaded, ledger=Quiet(services))
            for step in DEMO.parts[desk].steps:
                await step(run)


def test_the_tutorial_runs(idle_machine):
    docs = load("docs_conftest", ROOT / "tests" / "functional" / "docs" / "conftest.py")
    commands = load("docs_commands", ROOT / "tests" / "functional" / "docs" / "test_every_command_in_the_docs_runs.py")
    steps = [step for block in docs.Page(PAGE).blocks("console") for step in commands.steps(block)]
    assert shlex.split(steps[0][0]) == ["almanac", "demo"]
    with idle_machine.database_kept_running():
        asyncio.run(load_news_and_sittings(idle_machine.folder / "data"))
        for command, shown in steps[1:]:
            printed = commands.run_step(idle_machine, command, ROOT)
            assert commands.shown_is_printed(shown, printed), f"{command} printed {printed!r}"
