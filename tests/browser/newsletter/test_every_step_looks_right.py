"""Each page of the wizard in light and dark, on a desk and on a phone."""

import os

import pytest

from almanac.accounts.permissions import Role
from almanac.desks.newsletter import service
from almanac.desks.newsletter.model.configuration import ConfigurationEdit

LOOKS = [("light", "desktop"), ("dark", "phone")]
if os.environ.get("SCREENSHOTS"):
    LOOKS += [("dark", "desktop"), ("light", "phone")]
SIZES = {"desktop": {"width": 1280, "height": 860}, "phone": {"width": 320, "height": 640}}


async def with_findings(site, prepared):
    """A person's sentences that no source supports, a proposal beside a text, and a change before the draft."""
    services, author, code = site.services, prepared.author, prepared.code
    full = await service.open_newsletter(services, author, code)
    first = full.draft.draft.sections[1]
    text = f"{first.text}\n\nPrices rose by 912 percent in Marsabit. " + "The minister resigned.[@chunk-nowhere]"
    await service.edit_section(services, author, code, first.id, text, expected=full.draft.draft.version)
    full = await service.open_newsletter(services, author, code)
    await service.edit_configuration(
        services, author, code, ConfigurationEdit(length_preference="quick_read"), expected=full.newsletter.version
    )
    return first.id


@pytest.mark.parametrize(("theme", "size"), LOOKS)
async def test_the_pages_of_a_newsletter(site, enter, prepare, look, theme, size):
    prepared = await prepare()
    page = await enter(Role.ADMIN, color_scheme=theme, viewport=SIZES[size])
    await page.goto(f"{prepared.base}/draft")
    await page.locator("a[data-reference]").nth(3).click()
    await page.locator("#source-panel mark").wait_for()
    await look(page, f"source-{theme}-{size}")
    for preview in ("desktop", "phone", "text"):
        await page.goto(f"{prepared.base}/preview?look={preview}")
        await look(page, f"preview-{preview}-{theme}-{size}")
    section = await with_findings(site, prepared)
    full = await service.open_newsletter(site.services, prepared.author, prepared.code)
    item = full.outline.outline.sections[1].items[0].id
    paths = {
        "configuration": "configuration", "topics": "topics", "outline": "outline",
        "outline-edit": f"outline?edit={item}", "draft": "draft",
        "draft-edit": f"draft?edit={section}", "revisions": "revisions", "revision": "revisions/1",
        "preview-refused": "preview", "source-alone": "source?chunk=" + full.topics.chunks[0].id,
        "export": "export",
    }  # fmt: skip
    for name, path in paths.items():
        await page.goto(f"{prepared.base}/{path}")
        await look(page, f"{name}-{theme}-{size}")


@pytest.mark.parametrize(("theme", "size"), LOOKS)
async def test_the_list_and_the_beginnings(site, enter, prepare, look, theme, size):
    prepared = await prepare(upto="")
    page = await enter(Role.ADMIN, color_scheme=theme, viewport=SIZES[size])
    await page.goto("/newsletter")
    await look(page, f"list-empty-{theme}-{size}")
    await page.goto("/newsletter/new")
    await look(page, f"new-{theme}-{size}")
    for title in ("Horn of Africa weekly", "Livestock markets, monthly", "For our partners"):
        await page.goto("/newsletter/new")
        await page.get_by_label("Title").fill(title)
        await page.get_by_role("button", name="Begin").click()
        await page.wait_for_url("**/configuration")
    await page.goto("/newsletter")
    await look(page, f"list-{theme}-{size}")
    for path in ("topics", "outline", "draft", "revisions", "preview", "export"):
        await page.goto(f"{prepared.base}/{path}")
        await look(page, f"{path}-empty-{theme}-{size}")
