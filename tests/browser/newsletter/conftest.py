"""A small knowledge base behind the browser, and newsletters at different steps."""

import asyncio
import datetime as dt
import re
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path

import pytest

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE, Principal
from almanac.accounts.permissions import Role
from almanac.desks.newsletter.model.configuration import ConfigurationEdit
from almanac.desks.newsletter.model.outline import ItemEdit, edit_item
from almanac.desks.newsletter.service import newsletters as newsletter_service
from almanac.desks.newsletter.service import steps as step_service
from almanac.desks.newsletter.service import topics as topic_service
from almanac.desks.newsletter.service.access import open_newsletter
from almanac.desks.newsletter.service.outlines import change_outline
from almanac.kit.ids import new_id
from almanac.knowledge.model import KnowledgeViewer, Visibility

DEADLINE = 60
ARTICLES = Path(__file__).parents[2] / "functional" / "web" / "newsletter" / "articles"
TOPICS = ("food_security", "livestock", "climate_smart", "funding", "events", "publications", "policy_updates")
STEPS = ("retrieval", "outline", "draft")


@pytest.fixture(scope="session")
async def knowledge(site):
    """The articles of a newspaper, each from one of the last days."""
    jobs = []
    for age, path in enumerate(sorted(ARTICLES.glob("*.md"))):
        if path.stem == "old":
            continue
        day = dt.datetime.now(dt.UTC).date() - dt.timedelta(days=age)
        text = re.sub(r"(?m)^date: .*$", f"date: {day}", path.read_text("utf-8"), count=1)
        viewer = KnowledgeViewer("librarian")
        title = re.search(r"(?m)^title: (.*)$", text)[1]
        source = await site.services.knowledge.add_file(
            viewer, path.name, text.encode(), title=title, visibility=Visibility.EVERYONE
        )
        jobs.append(source.job_id)
    async with asyncio.timeout(DEADLINE):
        for job in jobs:
            async with aclosing(site.services.jobs.watch(job)) as changes:
                async for _ in changes:
                    pass


@dataclass
class Prepared:
    """A newsletter and its author."""

    code: str
    author: Principal

    @property
    def base(self):
        return f"/newsletter/{self.code}"


async def run(site, author, code, step):
    """Do a step and wait for it."""
    started = await step_service.start_step(site.services, author, code, step)
    async with asyncio.timeout(DEADLINE), aclosing(site.services.jobs.watch(started.job_id)) as changes:
        assert [job.status async for job in changes][-1] == "succeeded"


@pytest.fixture
def prepare(site, knowledge):
    """Newsletters done up to a step; administrators may open them."""

    async def make(upto="draft", title="Horn of Africa weekly"):
        user = await accounts.create_user(
            site.services.accounts, CONSOLE, email=f"{new_id()}@example.org", name="Grace Hopper", role=Role.EDITOR
        )
        author = user.as_principal("session")
        edit = ConfigurationEdit(
            title=title,
            target_audience=("development_partners", "policy_makers"),
            tone_preset="industry_insight",
            geographic_focus="Kenya, Ethiopia and Somalia",
        )
        made = await newsletter_service.create_newsletter(site.services, author, edit)
        if upto:
            await topic_service.choose_topics(site.services, author, made.code, TOPICS, expected=0)
            for step in STEPS[: STEPS.index(upto) + 1]:
                await run(site, author, made.code, step)
        return Prepared(made.code, author)

    return make


@pytest.fixture
def leave_item_out(site):
    """Excludes the first item of the second section from the outline, so that a rewriting has something to change."""

    async def leave_out(prepared):
        full = await open_newsletter(site.services, prepared.author, prepared.code)
        item = full.outline.outline.sections[1].items[0].id
        await change_outline(
            site.services,
            prepared.author,
            prepared.code,
            lambda outline: edit_item(outline, item, ItemEdit(included=False)),
            expected=full.outline.version,
        )

    return leave_out
