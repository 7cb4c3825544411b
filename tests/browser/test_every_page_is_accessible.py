"""Every page of the list of routes: axe-core finds nothing, it fits a phone, works without scripts, and can be read.

The walk follows links from page to page. A new page that no link leads to needs content in `site`, or a line here.
"""

import asyncio
import re

import pytest

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.approvals import ApprovalSubject, content_hash
from almanac.bootstrap import DEMO
from almanac.desks.news.model.rules import RuleAction, RuleFields
from almanac.desks.news.service.rules import add_rule
from almanac.saved import SavedQueryInput
from page_walk import FAULTS, LINKS, PageWalk, list_page_routes

DEADLINE = 120
DESKTOP, NARROW = {"width": 1280, "height": 860}, {"width": 320, "height": 640}
# Other states of pages that the walk visits anyway.
MORE_STATES = (
    "/styleguide",
    "/jobs?status=failed",
    "/failures?dismissed=yes",
    "/search?q=zzzzz",
    "/palette?q=new",
    "/why?about=zzzzz",
    "/why?about=nobody@example.org",
    "/help?q=backup",
)
# Pages that no link leads to as they stand: a form about something, and links of mails that no longer work.
OTHER_STARTS = (
    "/public/en/recap/alerts/new?kind=words&target=water",
    "/public/en/recap/alerts/confirm/old",
    "/public/en/recap/alerts/mine/old",
)
# What other sites show in a frame: the same address with this at its end.
FRAMED = (
    "/public/{language}/recap/articles/{article_id}",
    "/public/{language}/recap/articles/{article_id}/speeches/{order}",
)
# Pages that lead elsewhere at once, or that only a secret of a mail, a certain newsletter or work of a moment opens.
NOT_WALKED = {
    "/habits/do/{token}",
    "/link/{token}",
    "/news/previews/{job}",
    "/newsletter/{code}/read",
    "/newsletter/{code}/revisions/{number}",
    "/public/{language}/newsletters/{code}",
    "/public/{language}/recap/agenda/{key}",
    "/public/{language}/recap/alerts/stop/{token}",
    "/recap/agenda/{key}",
    "/recap/articles/{article_id}/compare",
    "/reminders/drafted/{batch}",
    "/reminders/drafts/{draft_id}/writing/{writing_id}",
    "/reminders/import/{upload_id}",
    "/reminders/imported/{import_id}",
    "/reminders/opt-out/{token}",
    "/reminders/together/{batch}",
    "/sign-in/second",
    "/sign-in/single",
    "/sign-in/single/return",
    "/unsubscribe/{token}",
}


@pytest.fixture(scope="module")
async def site(databases, open_site):
    async with databases.lend() as address, open_site(address) as site:
        yield site


@pytest.fixture(scope="module")
async def owner(site):
    """The person whose content the demonstration is, with what it leaves out: a failure, an approval, a public feed."""
    services = site.services
    user = await accounts.create_user(
        services.accounts, CONSOLE, email="ada@example.org", name="Ada Lovelace", role=Role.ADMIN
    )
    await services.jobs.defer(site.failing_task)
    async with asyncio.timeout(DEADLINE):
        await DEMO.queue(services, user.id)
        while not await DEMO.is_complete(services):  # noqa: ASYNC110 - each step queues the next
            await asyncio.sleep(0.1)
    async with services.database.unit() as unit:
        subject = ApprovalSubject("newsletter.draft", "walk")
        await services.approvals.ask(unit, subject, content_hash("text"), CONSOLE, title="Issue 7", link="/newsletter")
    person = user.as_principal("session")
    await accounts.create_team(services.accounts, person, name="Editors")
    endpoint = await services.webhooks.register(
        person, url="https://hooks.example.invalid/", events=["approval.approved"]
    )
    await services.webhooks.ping(person, endpoint.endpoint.id)
    await add_rule(services, person, RuleFields(name="Panels", action=RuleAction.TAG, query="panels", tag="Panels"))
    saved = await services.saved.save(person, SavedQueryInput(name="Every meeting", kinds=["recap"]))
    await services.saved.publish(person, saved.id)
    return user


@pytest.fixture
def enter_as_owner(site, owner, browse):
    async def open_signed_in(**options):
        page = await browse(**options)
        link = await accounts.issue_sign_in_link(site.services.accounts, CONSOLE, owner.id)
        await page.context.request.post(link.path)
        return page

    return open_signed_in


async def walk_pages(page, plain, walk, axe, screenshots):
    """Visit every page twice: with scripts in both looks, and without scripts on a narrow screen."""
    faults = []
    for visit, address in enumerate(walk):
        name = re.sub(r"[^a-z]+", "_", address) or "home"
        await page.emulate_media(color_scheme="light", reduced_motion="reduce")
        answer = await page.goto(address)
        if not answer.headers["content-type"].startswith("text/html"):
            continue
        walk.add(await page.evaluate(LINKS))
        for look, size in (("light", DESKTOP), ("dark", NARROW)):
            await page.set_viewport_size(size)
            await page.emulate_media(color_scheme=look, reduced_motion="reduce")
            results = await page.evaluate(FAULTS)
            # Axe looks at every page once, by turns in light and dark; the tokens of both have a test of their own.
            if (visit % 2 == 0) is (look == "light"):
                results += [
                    f"{item['id']} {[node['html'][:200] for node in item['nodes']]}" for item in await axe(page)
                ]
            faults += [f"{address} ({look}): {result}" for result in results]
            if screenshots:
                await page.screenshot(path=screenshots / f"{name}-{look}.png", full_page=True)
        await page.set_viewport_size(DESKTOP)
        assert answer.status == 200, address
        await plain.goto(address)
        faults += [f"{address} (without scripts): {result}" for result in await plain.evaluate(FAULTS)]
    return faults


def begin_walk(*, signed_in):
    routes = [route for route in list_page_routes() if route.needs_person is signed_in and route.path not in NOT_WALKED]
    walk = PageWalk(routes)
    walk.add(OTHER_STARTS)
    plain = [route.path.replace("{language}", "en") for route in routes if route.path not in walk.examples]
    walk.add(path for path in plain if "{" not in path)
    return walk


@pytest.mark.timeout(600)
async def test_every_page_for_an_administrator(owner, enter_as_owner, axe, screenshots):
    page = await enter_as_owner()
    plain = await enter_as_owner(java_script_enabled=False, viewport=NARROW)
    walk = begin_walk(signed_in=True)
    walk.add_states((*MORE_STATES, f"/why?about=person:{owner.id}"))
    faults = await walk_pages(page, plain, walk, axe, screenshots)
    assert not faults, "\n".join(faults)
    assert walk.list_unvisited() == []


async def test_every_page_for_nobody(owner, browse, axe, screenshots):
    page, plain = await browse(), await browse(java_script_enabled=False, viewport=NARROW)
    walk = begin_walk(signed_in=False)
    faults = await walk_pages(page, plain, walk, axe, screenshots)
    walk.add(f"{walk.examples[path][0]}/embed" for path in FRAMED)
    faults += await walk_pages(page, plain, walk, axe, screenshots)
    assert not faults, "\n".join(faults)
    assert walk.list_unvisited() == []


async def test_error_pages(chromium, site, owner, axe):
    context = await chromium.new_context(base_url=site.address, viewport=NARROW)
    page = await context.new_page()
    link = await accounts.issue_sign_in_link(site.services.accounts, CONSOLE, owner.id)
    faults = []
    for address in ("/nothing-here", "/public/de/nothing", "/link/nothing"):
        assert (await page.goto(address)).status >= 400
        faults += [f"{address}: {fault}" for fault in (*await page.evaluate(FAULTS), *await axe(page))]
    await context.request.post(link.path)
    for address in ("/nothing-here", "/jobs/999999", "/news/stories/999999"):
        assert (await page.goto(address)).status == 404
        faults += [f"{address}: {fault}" for fault in (*await page.evaluate(FAULTS), *await axe(page))]
    await context.close()
    assert not faults, "\n".join(faults)
