"""axe-core finds nothing to complain about on any page, in light and dark, and nothing is wider than the screen."""

import re

import pytest

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.knowledge import KnowledgeViewer, Visibility
from almanac.llm.sources import StepSource
from almanac.llm.steps.summaries import SUMMARY, SummaryInput
from almanac.mail.message import Address, Message

PUBLIC = ["/sign-in", "/sign-in/forgotten", "/api/docs", "/offline"]
SIGNED_IN = [
    "/",
    "/news",
    "/recap",
    "/newsletter",
    "/reminders",
    "/habits",
    "/jobs",
    "/jobs?status=failed",
    "/failures",
    "/failures?dismissed=yes",
    "/jobs/schedules",
    "/mail",
    "/mail/suppressions",
    "/people",
    "/people/invite",
    "/models",
    "/audit",
    "/audit/check",
    "/account",
    "/account/password",
    "/account/sessions",
    "/account/tokens",
    "/account/notifications",
    "/approvals",
    "/saved",
    "/saved/new",
    "/webhooks",
    "/organisation",
    "/setup/you",
    "/setup/mail",
    "/setup/model",
    "/setup/desks",
    "/setup/end",
    "/search",
    "/search?q=mail",
    "/search?q=zzzzz",
    "/styleguide",
    "/palette?q=new",
    "/shortcuts",
    "/why",
    "/why?about=https://example.org/x",
    "/why?about=zzzzz",
    "/help",
    "/help?q=backup",
    "/help/how-to/search",
    "/help/reference/settings",
    "/knowledge",
    "/knowledge/add",
]


@pytest.fixture(scope="module")
async def content(site):
    """Something to see on each page: a failed job, a finished one, a person, a mail, a suppressed address."""
    services = site.services
    failed = await services.jobs.defer(site.failing_task)
    invitation = await accounts.invite_user(
        services.accounts, CONSOLE, email="grace@example.org", name="Grace Hopper", role=Role.EDITOR
    )
    user = invitation.user
    await services.suppressions.add("gone@example.org", source="bounce", reason="The mailbox does not exist.")
    message = Message(
        to=(Address.parse("grace@example.org"),), subject="Test", text="Hello.", html="<p>Hello.</p>", topic="account"
    )
    async with services.database.unit() as unit:
        mail = await services.mailer.queue(message, key="axe", unit=unit)
    given = SummaryInput(sources=(StepSource(id="bridge", text="The bridge was mended on Monday."),))
    await services.writer.write(SUMMARY, given, desk="news")
    source = await services.knowledge.add_file(
        KnowledgeViewer(user.id), "bridge.md", b"# Bridge\n\nThe bridge was mended.", visibility=Visibility.EVERYONE
    )
    assert [job.status async for job in services.jobs.watch(failed)][-1] == "failed"
    assert [job.status async for job in services.jobs.watch(source.job_id)][-1] == "succeeded"
    return [
        f"/knowledge/{source.id}",
        f"/jobs/{failed}",
        f"/why?about=job:{failed}",
        "/why?about=gone@example.org",
        f"/why?about=person:{user.id}",
        f"/people/{user.id}",
        f"/mail/{mail.id}",
        f"/mail/{mail.id}?part=source",
    ]


async def visit(page, paths, look, prefix=""):
    for path in paths:
        await page.goto(path)
        await page.wait_for_load_state("load")
        await look(page, prefix + (re.sub(r"[^a-z]+", "_", path) or "home"))


async def test_every_page_for_an_administrator(enter, content, look_around):
    page = await enter(Role.ADMIN)
    await visit(page, [*SIGNED_IN, *content], look_around)


async def test_every_page_for_nobody(browse, look_around):
    page = await browse()
    await visit(page, PUBLIC, look_around, "nobody")


async def test_pages_at_twice_the_zoom(enter, look):
    page = await enter(Role.ADMIN, viewport={"width": 640, "height": 430}, device_scale_factor=2)
    await visit(page, ["/", "/jobs", "/people", "/account/tokens", "/styleguide"], look, "zoomed")
