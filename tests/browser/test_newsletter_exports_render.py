"""HTML exports in a browser: they fit any width, in light and dark, and are accessible."""

import datetime as dt

import pytest

from almanac.desks.newsletter.formats.export_file import ExportFormat
from almanac.desks.newsletter.formats.exporter import export_issue
from almanac.desks.newsletter.formats.publication import CitedSource, FrontMatter, MarkdownSection
from almanac.desks.newsletter.formats.publication_builder import build_publication

LONG = "Donaudampfschifffahrtsgesellschaft" * 12
TEXT = f"""Rain came **early** to the [highlands](https://example.org). [@a] The governor of مدينة جيبوتي agreed. [@b]

مدينة جيبوتي وقّعت اتفاقاً. [@b]

### Odds, not promises

- {LONG}
  1. One
  2. Two

> Those who sold early were wrong.

| Market | Goat | Camel | Sheep | Donkey | Remark |
|---|---|---|---|---|---|
| Garissa | 8,400 | 96,000 | 7,100 | 12,000 | {LONG[:70]} |

<script>document.title = "taken over"</script>
"""

BEYOND = """[...document.querySelectorAll(".sheet *")]
    .filter(element => element.getBoundingClientRect().right > innerWidth).length"""
COLOURS = """[getComputedStyle(document.querySelector(".sheet")).backgroundColor,
    getComputedStyle(document.querySelector("h1")).color]"""


@pytest.fixture(scope="module")
def publication():
    sources = {
        "a": CitedSource("Seasonal outlook", "Climate Centre", f"https://example.org/{LONG}", dt.date(2026, 1, 14)),
        "b": CitedSource("Food security bulletin"),
    }
    front = FrontMatter("Rain and goats", "NL-20260126-A1B2", dt.date(2026, 1, 26), "en", "Desk", "all", "A preview")
    return build_publication(
        front, [MarkdownSection("1", "Introduction", TEXT), MarkdownSection("2", LONG[:90], "End.")], sources
    )


@pytest.fixture
async def opened(chromium, publication, tmp_path):
    """Opens an export in a window of some width and scheme, and closes it in the end."""
    pages = []

    async def open_export(wanted: ExportFormat, width: int, scheme: str = "light"):
        file = tmp_path / f"{wanted}.html"
        file.write_bytes(export_issue(publication, wanted).content)
        page = await chromium.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        pages.append(page)
        await page.goto(file.as_uri())
        return page

    yield open_export
    for page in pages:
        await page.close()


@pytest.mark.parametrize("wanted", [ExportFormat.HTML, ExportFormat.WEB])
@pytest.mark.parametrize("width", [320, 360, 768, 1200])
async def test_nothing_is_wider_than_the_window(opened, screenshots, wanted, width):
    page = await opened(wanted, width)
    assert await page.evaluate("document.documentElement.scrollWidth") == width
    assert await page.evaluate(BEYOND) == 0
    if screenshots:
        await page.screenshot(path=screenshots / f"newsletter-{wanted}-{width}.png", full_page=True)


@pytest.mark.parametrize("wanted", [ExportFormat.HTML, ExportFormat.WEB])
@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_anybody_can_read_it(opened, axe, wanted, scheme):
    page = await opened(wanted, 360, scheme)
    violations = await axe(page)
    # A mail has no landmarks of its own: the mailbox around it has.
    accepted = {"region", "landmark-one-main"} if wanted is ExportFormat.HTML else set()
    assert not [(v["id"], [n["html"][:120] for n in v["nodes"]]) for v in violations if v["id"] not in accepted]


@pytest.mark.parametrize("wanted", [ExportFormat.HTML, ExportFormat.WEB])
async def test_markup_in_a_draft_does_nothing(opened, wanted):
    page = await opened(wanted, 1200)
    assert await page.title() == "Rain and goats"
    assert await page.get_by_text("taken over").is_visible()


async def test_the_preview_text_is_not_seen(opened):
    page = await opened(ExportFormat.HTML, 1200)
    assert not await page.locator(".preheader").is_visible()


async def test_a_number_leads_to_its_reference(opened):
    page = await opened(ExportFormat.WEB, 1200)
    await page.locator("sup a").first.click()
    assert page.url.endswith("#reference-1")
    assert await page.locator("#reference-1").is_visible()


async def test_the_dark_is_dark(opened):
    page = await opened(ExportFormat.HTML, 360, "dark")
    assert (
        await page.evaluate("getComputedStyle(document.querySelector('.sheet')).backgroundColor") == "rgb(24, 28, 31)"
    )
    assert await page.evaluate(COLOURS) == ["rgb(24, 28, 31)", "rgb(241, 243, 244)"]
