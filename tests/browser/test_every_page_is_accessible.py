"""axe-core finds nothing to complain about on any page, in light and dark, and nothing is wider than the screen."""

import os
import re

import pytest
from axe_playwright_python.async_playwright import Axe

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.knowledge import Viewer as KnowledgeViewer
from almanac.knowledge import Visibility
from almanac.llm.sources import Source
from almanac.llm.steps.summary import SUMMARY, SummaryInput
from almanac.mail.address import Address
from almanac.mail.message import Message

# Colours and widths each have their walk; the other two pairings are made when a person wants pictures of them.
LOOKS = [("light", "desktop"), ("dark", "phone")]
if os.environ.get("SCREENSHOTS"):
    LOOKS += [("dark", "desktop"), ("light", "phone")]
SIZES = {"desktop": {"width": 1280, "height": 860}, "phone": {"width": 320, "height": 640}}
PUBLIC = ["/sign-in", "/sign-in/forgotten", "/api/docs"]
SIGNED_IN = [
    "/", "/news", "/recap", "/newsletter", "/reminders", "/habits", "/jobs", "/jobs?status=failed", "/jobs/schedules",
    "/mail", "/mail/suppressions", "/people", "/people/invite", "/models", "/audit", "/audit/check", "/account",
    "/account/password", "/account/sessions", "/account/tokens", "/approvals", "/saved", "/saved/new", "/webhooks",
    "/search", "/search?q=mail", "/search?q=zzzzz", "/styleguide", "/api/docs", "/knowledge", "/knowledge/add",
]  # fmt: skip


@pytest.fixture(scope="module")
async def content(site):
    """Something to see on each page: a failed job, a finished one, a person, a mail, a suppressed address."""
    services = site.services
    failed = await services.jobs.defer(site.failing_task)
    user = await accounts.invite_user(
        services.accounts, CONSOLE, email="grace@example.org", name="Grace Hopper", role=Role.EDITOR
    )
    await services.suppressions.add("gone@example.org", source="bounce", reason="The mailbox does not exist.")
    message = Message(
        to=(Address.parse("grace@example.org"),), subject="Test", text="Hello.", html="<p>Hello.</p>", topic="account"
    )
    async with services.database.unit() as unit:
        mail = await services.mailer.queue(message, key="axe", unit=unit)
    given = SummaryInput(sources=(Source(id="bridge", text="The bridge was mended on Monday."),))
    await services.writer.write(SUMMARY, given, desk="news")
    source = await services.knowledge.add_file(
        KnowledgeViewer(user.id), "bridge.md", b"# Bridge\n\nThe bridge was mended.", visibility=Visibility.EVERYONE
    )
    assert [job.status async for job in services.jobs.watch(failed)][-1] == "failed"
    assert [job.status async for job in services.jobs.watch(source.job_id)][-1] == "succeeded"
    return [
        f"/knowledge/{source.id}",
        f"/jobs/{failed}",
        f"/people/{user.id}",
        f"/mail/{mail.id}",
        f"/mail/{mail.id}?part=source",
    ]


async def look(page, path, name, folder):
    """What is wrong with a page."""
    await page.goto(path)
    await page.wait_for_load_state("load")
    violations = (await Axe().run(page)).response["violations"]
    found = [f"{path}: {v['id']} {[n['html'][:160] for n in v['nodes']]}" for v in violations]
    wider = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    if wider > 0:
        found.append(f"{path} is {wider} px wider than the screen")
    if folder:
        await page.screenshot(path=folder / f"{re.sub(r'[^a-z]+', '_', path) or 'home'}-{name}.png", full_page=True)
    return found


@pytest.mark.parametrize(("theme", "size"), LOOKS)
async def test_every_page_for_an_administrator(enter, content, screenshots, theme, size):
    page = await enter(Role.ADMIN, color_scheme=theme, viewport=SIZES[size])
    paths = [*SIGNED_IN, *content]
    assert not [wrong for path in paths for wrong in await look(page, path, f"{theme}-{size}", screenshots)]


@pytest.mark.parametrize(("theme", "size"), LOOKS)
async def test_every_page_for_nobody(browse, screenshots, theme, size):
    page = await browse(color_scheme=theme, viewport=SIZES[size])
    name = f"nobody-{theme}-{size}"
    assert not [wrong for path in PUBLIC for wrong in await look(page, path, name, screenshots)]


async def test_pages_at_twice_the_zoom(enter):
    page = await enter(Role.ADMIN, viewport={"width": 640, "height": 430}, device_scale_factor=2)
    paths = ("/", "/jobs", "/people", "/account/tokens", "/styleguide")
    assert not [wrong for path in paths for wrong in await look(page, path, "zoomed", None)]
