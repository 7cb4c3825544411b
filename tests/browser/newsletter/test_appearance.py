"""Screenshots of each page of the wizard, light and dark, on desktop and phone."""

import re

from playwright.async_api import expect

from almanac.accounts.permissions import Role
from almanac.desks.newsletter.model.configuration import ConfigurationEdit
from almanac.desks.newsletter.service import drafts as draft_service
from almanac.desks.newsletter.service import newsletters as newsletter_service
from almanac.desks.newsletter.service.access import open_newsletter
from page_measures import LAPTOP, find_places


async def with_findings(site, prepared):
    """A person's sentences that no source supports, a proposal beside a text, and a change before the draft."""
    services, author, code = site.services, prepared.author, prepared.code
    full = await open_newsletter(services, author, code)
    first = full.draft.draft.sections[1]
    text = f"{first.text}\n\nPrices rose by 912 percent in Marsabit. " + "The minister resigned.[@chunk-nowhere]"
    await draft_service.edit_section(services, author, code, first.id, text, expected=full.draft.draft.version)
    full = await open_newsletter(services, author, code)
    await newsletter_service.edit_configuration(
        services, author, code, ConfigurationEdit(length_preference="quick_read"), expected=full.newsletter.version
    )
    return first.id


async def test_the_draft_begins_near_the_top(enter, prepare):
    prepared = await prepare()
    page = await enter(Role.ADMIN, viewport=LAPTOP)
    await page.goto(f"{prepared.base}/draft")
    assert (await page.locator(".draft-line").bounding_box())["y"] <= 200
    assert (await page.locator(".draft-section").first.bounding_box())["y"] <= 250


async def test_the_pages_of_a_newsletter(site, enter, prepare, look_around):
    prepared = await prepare()
    page = await enter(Role.ADMIN)
    await page.goto(f"{prepared.base}/draft")
    await page.locator("a[data-reference]").nth(3).click()
    await page.locator("#reader-source mark").wait_for()
    await look_around(page, "source")
    for preview in ("desktop", "phone", "text"):
        await page.goto(f"{prepared.base}/preview?look={preview}")
        await look_around(page, f"preview-{preview}")
    section = await with_findings(site, prepared)
    full = await open_newsletter(site.services, prepared.author, prepared.code)
    item = full.outline.outline.sections[1].items[0].id
    paths = {
        "configuration": "configuration",
        "topics": "topics",
        "outline": "outline",
        "outline-edit": f"outline?edit={item}",
        "draft": "draft",
        "draft-edit": f"draft?edit={section}",
        "revisions": "revisions",
        "revision": "revisions/1",
        "preview-refused": "preview",
        "reader": "read?sentence=2",
        "export": "export",
    }
    for name, path in paths.items():
        await page.goto(f"{prepared.base}/{path}")
        await look_around(page, name)


async def test_the_list_and_the_beginnings(site, enter, prepare, look_around):
    prepared = await prepare(upto="")
    page = await enter(Role.ADMIN)
    await page.goto("/newsletter")
    await look_around(page, "list-empty")
    await page.goto("/newsletter/new")
    await look_around(page, "new")
    for title in ("Horn of Africa weekly", "Livestock markets, monthly", "For our partners"):
        await page.goto("/newsletter/new")
        await page.get_by_label("Title").fill(title)
        await page.get_by_role("button", name="Create newsletter").click()
        await page.wait_for_url("**/configuration")
    await page.goto("/newsletter")
    await look_around(page, "list")
    for path in ("topics", "outline", "draft", "revisions", "preview", "export"):
        await page.goto(f"{prepared.base}/{path}")
        await look_around(page, f"{path}-empty")


async def test_the_list_begins_near_the_top_and_is_walked_by_keys(enter):
    page = await enter(Role.ADMIN, viewport=LAPTOP)
    await page.goto("/newsletter/new")
    await page.get_by_label("Title").fill("Horn of Africa monthly")
    await page.get_by_label("Title").press("Enter")
    await expect(page).to_have_url(re.compile("/configuration$"))
    await page.goto("/newsletter")
    ((top, _),) = await find_places(page, "main tbody tr")
    assert top <= 200
    await page.keyboard.press("j")
    await page.keyboard.press("Enter")
    await expect(page).to_have_url(re.compile("/configuration$"))
