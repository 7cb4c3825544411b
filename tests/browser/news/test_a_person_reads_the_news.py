"""Reading the news in a browser: a language that stays, points that lead to their sentence, and the desk's pages."""

import re

import pytest
from playwright.async_api import expect

from almanac.accounts.model import CONSOLE, Principal
from almanac.accounts.permissions import Role
from almanac.accounts.service import create_user
from almanac.demo import DemoRecord, DemoRun
from almanac.desks.news.demo import PART
from almanac.desks.news.model.rules import RuleAction, RuleFields
from almanac.desks.news.service import rules, sites, tasks
from almanac.jobs import InlineLedger
from page_measures import LAPTOP, count_longest_line, find_places, measure_overflow

SIZES = {"desktop": {"width": 1280, "height": 860}, "phone": {"width": 320, "height": 640}}
ROWS = "main .rows > [data-row]"
FIRST_CONTENT = "main :is(.rows, .table-scroll, .figure-row, .empty, .people-list, form.panel, .news-fate)"
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
    await page.get_by_text("Read in English").click()
    await page.get_by_role("link", name="中文", exact=True).click()
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


@pytest.mark.parametrize("query", ["", "?lang=zh"])
async def test_nine_stories_are_in_view_on_a_laptop(stories, enter, query):
    page = await enter(Role.MEMBER, viewport=LAPTOP, locale="en-GB")
    await page.goto(f"/news{query}")
    rows = await find_places(page, ROWS)
    assert rows[0][0] <= 200
    assert sum(bottom <= LAPTOP["height"] for _, bottom in rows) >= 9
    first = page.locator(ROWS).first
    await expect(first).to_contain_text("today")
    await expect(first).to_contain_text("Singapore")
    await expect(first).to_contain_text("2 sources")
    title, time = await find_places(page, f"{ROWS}:first-child :is(.story-title, time)")
    assert abs(sum(title) - sum(time)) / 2 < 4


async def test_countries_and_days_are_in_the_readers_language(stories, enter):
    page = await enter(Role.MEMBER, viewport=LAPTOP, locale="de-DE")
    await page.goto("/news?country=PH")
    await expect(page.locator(ROWS).first).to_contain_text("Philippinen")
    await expect(page.locator(ROWS).first.locator("time")).to_have_text(re.compile("gestern|vor"))
    await expect(page.get_by_role("link", name=re.compile("Land: Philippinen"))).to_be_visible()


async def test_on_a_phone_headlines_take_two_lines_at_most(stories, enter):
    page = await enter(Role.MEMBER, viewport=SIZES["phone"], locale="en-GB")
    await page.goto("/news")
    assert max(bottom - top for top, bottom in await find_places(page, ".story-title")) <= 46
    assert await measure_overflow(page) == 0
    assert (await find_places(page, ROWS))[0][0] < 320


async def test_further_filters_are_folded_until_one_is_set(stories, enter):
    page = await enter(Role.MEMBER, viewport=LAPTOP, locale="en-GB")
    await page.goto("/news")
    await expect(page.get_by_label("From")).to_be_hidden()
    bar = await find_places(page, ".list-head > .filters, .list-count")
    assert bar[0][0] == bar[1][0]
    assert bar[0][1] - bar[0][0] <= 40
    folded = await find_places(page, ".more-filters > summary")
    await page.get_by_text("Filters", exact=True).click()
    assert await find_places(page, ".more-filters > summary") == folded
    await page.get_by_label("From").fill("2000-01-01")
    await expect(page.get_by_role("link", name="From: 1 January 2000")).to_be_visible()
    await page.reload()
    await expect(page.get_by_label("From")).to_be_visible()


async def test_the_language_is_chosen_in_one_menu_without_scripts(stories, enter):
    page = await enter(Role.MEMBER, viewport=LAPTOP, locale="en-GB", java_script_enabled=False)
    await page.goto("/news")
    menu = page.locator("details.read-in")
    await expect(menu.get_by_role("link", name="Bahasa Melayu", exact=True)).to_be_hidden()
    await menu.get_by_text("Read in").click()
    await menu.get_by_role("link", name="With 中文").click()
    await expect(page.locator(f"{ROWS}:first-child .story-title")).to_have_count(2)
    await menu.get_by_text("Read in").click()
    await menu.get_by_role("link", name="Bahasa Melayu", exact=True).click()
    await page.goto("/news")
    await expect(menu.locator("summary")).to_contain_text("Read in Bahasa Melayu")


@pytest.mark.parametrize("path", ["/tasks", "/queue", "/fate", "/sites", "/rules", "/statistics"])
async def test_every_page_of_the_desk_begins_near_the_top(stories, enter, path):
    page = await enter(Role.EDITOR, viewport=LAPTOP, locale="en-GB")
    await page.goto(f"/news{path}")
    assert (await find_places(page, FIRST_CONTENT))[0][0] <= 200


async def test_rows_are_walked_and_opened_by_keys(stories, enter):
    page = await enter(Role.EDITOR, viewport=LAPTOP, locale="en-GB")
    await page.goto("/news")
    await page.keyboard.press("j")
    await page.keyboard.press("j")
    title = await page.locator(ROWS).nth(1).get_by_role("heading").inner_text()
    await expect(page.locator(ROWS).nth(1)).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", level=1)).to_have_text(title)
    await page.goto("/news/queue")
    await page.keyboard.press("j")
    await expect(page.locator("main tbody tr").first).to_be_focused()


async def test_only_what_needs_a_person_is_red(stories, site, enter):
    """A page that failed is tried again; a site that blocks itself waits for somebody, one that was blocked doesn't."""
    page = await enter(Role.EDITOR, viewport=LAPTOP, locale="en-GB")
    await page.goto("/news/queue?status=failed")
    await expect(page.locator("main .badge").first).to_have_text("Failed")
    await expect(page.locator("main .badge-failed")).to_have_count(0)
    await sites.block_site(site.services, stories.owner, "kualagrid.example", reason="Advertisements")
    await page.goto("/news/sites")
    await expect(page.locator("main .badge", has_text="Blocked")).to_have_count(2)
    await expect(page.locator("main .badge-failed")).to_have_count(0)
    await sites.unblock_site(site.services, stories.owner, "kualagrid.example")


async def test_a_story_grows_with_the_screen_but_its_lines_do_not(stories, enter):
    page = await enter(Role.MEMBER, viewport={"width": 1720, "height": 900}, locale="en-GB")
    first = stories.made("link")["https://selatpost.example/news/kedah-floating-solar"]
    await page.goto(f"/news/stories/{first}?lang=en")
    width = await page.evaluate("document.querySelector('main').getBoundingClientRect().width")
    assert width == 1440
    assert await count_longest_line(page, ".news-article [lang] > p, .news-points li") <= 70
