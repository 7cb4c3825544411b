"""Where things stand on a page in a browser: places in pixels, and how many characters a line takes."""

from playwright.async_api import Page

LAPTOP = {"width": 1280, "height": 800}
_PLACES = "all => all.map(each => { const box = each.getBoundingClientRect(); return [box.top, box.bottom] })"
# Each text is replaced by usual words of its language, whose first line is counted.
_LINE = """all => Math.max(...all.map(each => {
  const isHan = /^(ja|zh)/.test(each.closest("[lang]").lang);
  each.textContent = (isHan ? "国会の会議の記録を読みます" : "several words of the usual length in a text ").repeat(20);
  const range = document.createRange(), text = each.firstChild;
  const top = (at) => { range.setStart(text, at); range.setEnd(text, at + 1); return range.getClientRects()[0].top };
  let at = 1;
  while (Math.abs(top(at) - top(0)) < 3) at += 1;
  return at;
}))"""


async def find_places(page: Page, selector: str) -> list[tuple[float, float]]:
    """Top and bottom of every match, in pixels from the top of the window."""
    places: list[list[float]] = await page.eval_on_selector_all(selector, _PLACES)
    return [(top, bottom) for top, bottom in places]


async def count_longest_line(page: Page, selector: str) -> int:
    """How many characters fit the widest line of these elements; their texts are lost."""
    return int(await page.eval_on_selector_all(selector, _LINE))


async def measure_overflow(page: Page) -> int:
    """By how many pixels the page is wider than the window."""
    return int(await page.evaluate("document.documentElement.scrollWidth - innerWidth"))
