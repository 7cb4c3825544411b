"""Charts have 13-px text at any width, whole labels that never touch, and open at their latest figure."""

import pytest

from almanac.accounts.permissions import Role

WIDTHS = (320, 390, 768, 1280, 1440)
MEASURE = """() => [...document.querySelectorAll('.chart')].map((chart) => {
  const box = (element) => { const r = element.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]; };
  const shown = (selector) => [...chart.querySelectorAll(selector)].filter((element) => element.checkVisibility());
  const scale = (element) => element.getScreenCTM ? element.getScreenCTM().a : 1;
  return {
    title: chart.querySelector('.chart-title').textContent,
    box: box(chart),
    drawn: box(chart.querySelector('.chart-drawn')),
    sizes: shown('.chart-drawn text, .chart-drawn li, .chart-drawn th, .chart-drawn td, figcaption span')
      .map((element) => parseFloat(getComputedStyle(element).fontSize) * scale(element)),
    labels: shown('text.plot-label, .plot-scale li, .point-value, .bars-name, .bars-figure').map(box),
    ticks: shown('text.plot-label').map((element) => element.textContent),
    cut: shown('.bars-name, .bars-figure, .plot-scale li').filter((e) => e.scrollWidth > e.clientWidth + 1).length,
  };
})"""


def overlaps(a, b):
    return a[0] < b[2] - 0.5 and b[0] < a[2] - 0.5 and a[1] < b[3] - 0.5 and b[1] < a[3] - 0.5


@pytest.mark.parametrize("language", ["en", "ja", "de"])
async def test_text_has_13_px_and_labels_are_whole_at_any_width(enter, language):
    page = await enter(Role.MEMBER, locale=language)
    await page.goto("/styleguide")
    for width in WIDTHS:
        await page.set_viewport_size({"width": width, "height": 800})
        charts = await page.evaluate(MEASURE)
        assert len(charts) == 8
        for chart in charts:
            where = f"{chart['title']} at {width}"
            _, top, _, bottom = chart["drawn"]
            assert bottom - top <= 220, where
            assert min(chart["sizes"]) >= 12.99, where
            assert chart["cut"] == 0, where
            labels = chart["labels"]
            assert not [(a, b) for i, a in enumerate(labels) for b in labels[:i] if overlaps(a, b)], where
            assert all(box[0] >= chart["box"][0] and box[2] <= chart["box"][2] for box in labels), where
        long = next(chart for chart in charts if "each week" in chart["title"])
        assert 2 <= len(long["ticks"]) <= 8
        assert len(long["ticks"]) >= 5 or width < 768


async def test_a_chart_with_its_title_is_at_most_220_px_high(enter):
    page = await enter(Role.MEMBER)
    await page.goto("/styleguide")
    charts = [chart for chart in await page.evaluate(MEASURE) if chart["title"] != "Articles by hour"]
    heights = {chart["title"]: chart["box"][3] - chart["box"][1] for chart in charts}
    assert max(heights.values()) <= 220, heights


async def test_a_single_figure_is_a_point_with_its_value(enter):
    page = await enter(Role.MEMBER)
    await page.goto("/styleguide")
    chart = page.locator(".chart", has_text="Readers since the first day")
    assert await chart.locator("path").count() == 0
    point, value = [await chart.locator(name).bounding_box() for name in (".point", ".point-value")]
    assert await chart.locator(".point-value").text_content() == "3,000,000"
    assert point["x"] + point["width"] <= value["x"] <= point["x"] + point["width"] + 12


async def test_currencies_are_side_by_side_and_below_each_other_on_a_phone(enter):
    page = await enter(Role.MEMBER)
    await page.goto("/styleguide")
    charts = page.locator(".chart", has_text="Open by age")
    euros, dollars = [await chart.bounding_box() for chart in await charts.all()]
    assert euros["y"] == dollars["y"]
    assert euros["x"] + euros["width"] < dollars["x"]
    await page.set_viewport_size({"width": 320, "height": 640})
    euros, dollars = [await chart.bounding_box() for chart in await charts.all()]
    assert euros["x"] == dollars["x"]
    assert euros["y"] + euros["height"] < dollars["y"]


async def test_a_wide_heat_map_opens_at_its_end_on_a_phone_and_keeps_its_names_in_view(enter):
    page = await enter(Role.MEMBER, viewport={"width": 390, "height": 800}, java_script_enabled=False)
    await page.goto("/styleguide")
    heat = page.locator(".chart", has_text="Articles by hour")
    last, name, place = [
        await heat.locator(selector).bounding_box()
        for selector in ("thead th:last-child", "tbody tr:last-child th", ".opens-at-end")
    ]
    assert place["x"] <= last["x"]
    assert last["x"] + last["width"] <= place["x"] + place["width"] + 4
    assert abs(name["x"] - place["x"]) <= 4


async def test_the_table_behind_a_chart_opens_by_keyboard(enter):
    page = await enter(Role.MEMBER)
    await page.goto("/styleguide")
    chart = page.locator(".chart", has_text="Articles a day").first
    assert not await chart.locator("table").is_visible()
    await chart.locator("summary").press("Enter")
    assert await chart.locator("tbody tr").all_inner_texts() == [
        "Mon\t12",
        "Tue\t18",
        "Wed\t9",
        "Thu\t24",
        "Fri\t31",
        "Sat\t6",
        "Sun\t3",
    ]
