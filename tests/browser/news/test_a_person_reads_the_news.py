"""Reading the news in a browser: a language that stays, points that lead to their sentence, and the desk's pages."""

import pytest
from playwright.async_api import expect

from almanac.accounts.model import CONSOLE, Principal
from almanac.accounts.permissions import Role
from almanac.accounts.service import create_user
from almanac.demo import DemoRecord, DemoRun
from almanac.desks.news.demo import PART
from almanac.desks.news.model.rules import RuleAction, RuleFields
from almanac.desks.news.service import rules, tasks
from almanac.jobs import InlineLedger

SIZES = {"desktop": {"width": 1280, "height": 860}, "phone": {"width": 320, "height": 640}}
PAGES = [
    "",
    "?lang=zh&beside=en",
    "?q=nothing-like-it",
    "/tasks",
    "/tasks/new",
    "/queue",
    "/queue?status=failed",
    "/fate?url=https://selatpost.example/news/kedah-floating-solar?utm_source=x",
    "/sites",
    "/rules",
    "/statistics",
]


@pytest.fixture(scope="module")
async def stories(site):
    """Two weeks of stories, gone again after these tests."""
    services = site.services
    user = await create_user(services.accounts, CONSOLE, email="news@example.org", name="Noor", role=Role.ADMIN)
    owner = Principal(user_id=user.id, name=user.name, email=user.email, role=user.role, via="automation")
    loaded = DemoRecord(owner_id=user.id, day=services.clock.now().date())
    run = DemoRun(services=services, desk="news", owner=owner, loaded=loaded, ledger=InlineLedger(services.database))
    await PART.steps[0](run)
    yield run
    await PART.remove(run)


async def test_a_story_is_found_and_read_in_a_language_that_stays(stories, enter):
    page = await enter(Role.MEMBER, locale="en-GB")
    await page.goto("/news")
    await page.get_by_label("Search in all three languages").fill("suria terapung")
    await expect(page.get_by_role("status").get_by_text("1 story")).to_be_visible()
    await page.get_by_role("link", name="Kedah reservoir gets floating solar farm").click()
    await page.get_by_role("link", name="Source sentence 2").click()
    await expect(page.locator("#sentence-2:target")).to_be_in_viewport()
    await page.get_by_role("link", name="中文").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("吉打水库兴建浮动太阳能电站")
    await page.goto("/news?q=floating")
    await expect(page.get_by_role("heading", name="吉打水库兴建浮动太阳能电站")).to_be_visible()


async def test_a_run_is_followed_to_its_end(stories, site, enter):
    page = await enter(Role.EDITOR)
    await page.goto("/news/tasks/new")
    await page.get_by_label("Name").fill("Nobody answers")
    await page.get_by_label("What to look for").fill("solar")
    await page.get_by_label("Sources").fill("search")
    await page.get_by_role("button", name="Preview").click()
    await expect(page.get_by_text("0 links; nothing was saved.")).to_be_visible()
    await page.get_by_role("button", name="Add task").click()
    await page.get_by_role("button", name="Run now").click()
    await expect(page.get_by_role("group", name="Runs").get_by_text("Failed")).to_be_visible()
    # The page follows the task, and would rightly complain that there is none any more.
    await page.close()
    await tasks.delete_task(site.services, stories.owner, "Nobody answers")


@pytest.mark.parametrize(("theme", "size", "paths"), [("light", "desktop", PAGES[:2]), ("dark", "phone", PAGES)])
async def test_the_pages_look_right(stories, site, enter, look, theme, size, paths):
    page = await enter(Role.EDITOR, color_scheme=theme, viewport=SIZES[size], locale="en-GB")
    (task,) = await tasks.list_tasks(site.services)
    first = stories.made("link")["https://selatpost.example/news/kedah-floating-solar"]
    wanted = RuleFields(name="Floating panels", action=RuleAction.TAG, query="floating country:MY", tag="Floating")
    rule = await rules.add_rule(site.services, stories.owner, wanted)
    places = [
        f"/stories/{first}?lang=en&beside=zh",
        f"/tasks/{task.id}",
        f"/tasks/{task.id}/edit",
        f"/rules/{rule.id}/edit",
    ]
    for number, path in enumerate([*paths, *places]):
        await page.goto(f"/news{path}")
        await look(page, f"news-{number:02}-{theme}-{size}")
    await rules.delete_rule(site.services, stories.owner, rule.id)
