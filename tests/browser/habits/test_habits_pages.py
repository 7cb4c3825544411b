"""A habit from its form to its year: one tap, undo, an amount, a day of last week, a note, and the reasons."""

import re
from datetime import timedelta

from playwright.async_api import expect

from almanac.accounts.permissions import Role

PAGES = [
    "",
    "/badges",
    "/points",
    "/report",
    "/report?week=2026-01-06",
    "/leaderboard",
    "/leaderboard?period=all",
    "/files",
    "/settings",
    "/new",
]
TEXT = b"habit,date\nChess,2026-01-05\nChess,2026-01-06\nChess,soon\n"
FILE = {"name": "habits.csv", "mimeType": "text/csv", "buffer": TEXT}


async def add(page, name, **choices):
    await page.goto("/habits/new")
    await page.get_by_label("Name").fill(name)
    for label, choice in choices.items():
        await page.get_by_label(label).select_option(label=choice)
    await page.get_by_role("button", name="Add habit").click()
    await expect(page.get_by_role("link", name=name)).to_be_visible()


async def test_one_tap_counts_and_a_second_takes_it_back(enter):
    page = await enter(Role.MEMBER)
    await add(page, "Stretch")
    await expect(page.get_by_text("at risk")).to_have_count(0)  # no streak yet, so none that could end
    await page.get_by_role("button", name="Stretch: done", exact=True).click()
    done = page.get_by_role("button", name="Stretch: done, undo")
    await expect(done).to_be_focused()
    await expect(page.get_by_text("1 day", exact=True)).to_be_visible()
    await page.reload()
    await done.press("Enter")
    await expect(page.get_by_role("button", name="Stretch: done", exact=True)).to_have_attribute(
        "aria-pressed", "false"
    )
    await expect(page.get_by_text("No streak")).to_be_visible()
    await page.get_by_text("More").click()
    await page.get_by_role("button", name="Skip today").click()
    await expect(page.get_by_text("Skipped", exact=True)).to_be_visible()


async def test_a_tap_changes_the_line_of_sums_and_keeps_the_focus(enter):
    page = await enter(Role.MEMBER)
    for name in ("Early", "Late"):
        await add(page, name)
    summary = page.locator("#habit-summary")
    await expect(summary).to_contain_text(re.compile(r"2 habits to do today\s+0 points"))
    for key, left, points in (("Space", 1, 10), ("Enter", 2, 0), ("Space", 1, 10)):
        await page.locator("[data-habit]", has_text="Late").locator(".tap").press(key)
        await expect(summary).to_contain_text(re.compile(rf"{left} habits? to do today\s+{points} points"))
        label = await page.evaluate("document.activeElement.matches('.tap') && document.activeElement.ariaLabel")
        assert str(label).startswith("Late:")
    await expect(summary).to_contain_text("longest streak: 1 day")
    await page.locator("[data-habit]", has_text="Early").locator(".tap").click()
    await expect(summary).to_contain_text("Nothing left to do today")


async def test_keys_walk_the_habits_and_tick_them(enter):
    page = await enter(Role.MEMBER)
    for name in ("Early", "Late"):
        await add(page, name)
    focused = "document.activeElement.querySelector('.habit-name')?.textContent"
    await page.keyboard.press("j")
    assert await page.evaluate(focused) == "Early"
    await page.keyboard.press("j")
    await page.keyboard.press("x")
    await expect(page.get_by_role("button", name="Late: done, undo")).to_be_visible()
    assert await page.evaluate(focused) == "Late"
    await page.keyboard.press("k")
    assert await page.evaluate(focused) == "Early"
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", level=1, name="Early")).to_be_visible()


async def test_habits_begin_near_the_top_and_five_are_in_view_on_a_phone(enter):
    page = await enter(Role.MEMBER)
    for number in range(6):
        await add(page, f"Habit {number}")
    rows = page.locator("[data-habit]")
    first = await rows.first.bounding_box()
    assert first["y"] <= 200
    assert first["height"] <= 56
    await page.set_viewport_size({"width": 390, "height": 844})
    places = [await row.bounding_box() for row in await rows.all()]
    taps = [await tap.bounding_box() for tap in await page.locator(".tap").all()]
    assert places[0]["y"] <= 200
    assert sum(place["y"] + place["height"] <= 844 - 57 for place in places) >= 5
    assert all(tap["width"] >= 44 and tap["height"] >= 44 for tap in taps)


async def test_more_opens_below_its_button_which_stays_in_its_place(enter):
    page = await enter(Role.MEMBER)
    await add(page, "Stretch")
    more = page.locator(".habit-more summary")
    before, row = await more.bounding_box(), await page.locator("[data-habit]").bounding_box()
    await more.click()
    assert await more.bounding_box() == before
    assert await page.locator("[data-habit]").bounding_box() == row
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("button", name="Skip today")).to_be_hidden()
    await expect(more).to_be_focused()


async def test_habits_change_places_in_the_list(enter):
    page = await enter(Role.MEMBER)
    for name in ("Early", "Late"):
        await add(page, name)
    names = page.locator(".habit-name")
    await page.get_by_text("More for Late").click()
    await page.locator("[data-habit]", has_text="Late").get_by_role("button", name="Move up").click()
    await expect(page.get_by_text("Late moved up.")).to_be_visible()
    await expect(names).to_have_text(["Late", "Early"])
    await page.get_by_text("More for Late").click()
    await page.locator("[data-habit]", has_text="Late").get_by_role("button", name="Move down").click()
    await expect(names).to_have_text(["Early", "Late"])


async def test_without_scripts_a_past_day_an_amount_and_a_note_are_entered(site, enter):
    page = await enter(Role.MEMBER, java_script_enabled=False)
    await page.goto("/habits/new")
    await page.get_by_label("Name").fill("Read")
    await page.get_by_label("Goal for a day").select_option(label="At least an amount")
    await page.get_by_label("Amount, or times a day").fill("20")
    await page.get_by_label("Unit").fill("pages")
    await page.get_by_role("button", name="Add habit").click()
    await page.get_by_role("link", name="Read", exact=True).click()
    before = site.services.clock.now().date() - timedelta(days=3)
    await page.get_by_label("Another day").fill(before.isoformat())
    await page.get_by_role("button", name="Open").click()
    await page.get_by_label("Total (pages)").fill("25")
    await page.get_by_role("button", name="Done on this day").click()
    await expect(page.get_by_role("link", name="25 pages: you kept the goal of at least 20 pages.")).to_be_visible()
    await expect(page.get_by_role("link", name="Nothing entered, so the streak ended.").first).to_be_visible()
    await page.get_by_label("Note").fill("On the train.")
    await page.get_by_role("button", name="Save note").click()
    await expect(page.get_by_role("definition").get_by_text("On the train.")).to_be_visible()
    await page.goto("/habits/points")
    await expect(page.get_by_role("cell", name=re.compile("Entered late: streak of 1, 10 points"))).to_be_visible()


async def test_the_year_opens_at_today_on_a_phone_and_a_missed_day_is_not_red(site, enter):
    page = await enter(Role.MEMBER, viewport={"width": 390, "height": 844})
    await add(page, "Read")
    await page.get_by_role("link", name="Read", exact=True).click()
    before = site.services.clock.now().date() - timedelta(days=3)
    await page.get_by_label("Another day").fill(before.isoformat())
    await page.get_by_role("button", name="Open").click()
    await page.get_by_role("button", name="Done on this day").click()
    today, name, panel = [
        await page.locator(selector).bounding_box()
        for selector in (".year [aria-current=date]", ".year tbody tr:last-child th", ".year-panel")
    ]
    assert panel["x"] < today["x"] < panel["x"] + panel["width"] - today["width"]
    assert panel["x"] <= name["x"] < panel["x"] + 4
    assert today["width"] >= 20
    red = await page.evaluate("""() => {
      const isRed = (colour) => { const [r, g] = colour.match(/\\d+/g).map(Number); return r > 150 && g < 80; };
      const missed = [...document.querySelectorAll(".year .is-breaks, .trace *")];
      const colours = missed.flatMap((e) => [getComputedStyle(e).color, getComputedStyle(e).borderTopColor]);
      return [missed.length, colours.filter(isRed).length];
    }""")
    assert red[0] > 2
    assert red[1] == 0


async def test_another_rule_is_tried_before_it_counts(enter):
    page = await enter(Role.MEMBER)
    await add(page, "Swim")
    await page.get_by_role("button", name="Swim: done", exact=True).click()
    await page.get_by_role("button", name="Swim: done, undo").wait_for()
    await page.get_by_role("link", name="Swim", exact=True).click()
    await page.get_by_role("link", name="Edit").click()
    await expect(page.get_by_label("How many")).to_be_hidden()
    await page.get_by_label("Schedule").select_option(label="Some days a week")
    await page.get_by_label("How many").fill("2")
    await page.get_by_role("button", name="Preview rule change").click()
    await expect(page.get_by_text("Effect of this rule")).to_be_visible()
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_text("2 times a week")).to_be_visible()


async def test_the_pages_look_right(enter, look_around):
    page = await enter(Role.MEMBER)
    await page.goto("/habits")
    await look_around(page, "habits-empty")
    await page.goto("/habits/files")
    await page.get_by_label("File", exact=True).set_input_files(FILE)
    await page.get_by_role("button", name="Preview import").click()
    await expect(page.get_by_text("nothing has changed yet")).to_be_visible()
    await expect(page.get_by_text("Not imported")).to_be_visible()
    await look_around(page, "habits-trial")
    await page.get_by_label("File", exact=True).set_input_files(FILE)
    await page.get_by_role("button", name="Import", exact=True).click()
    await expect(page.get_by_text("Import finished")).to_be_visible()
    for path in PAGES:
        await page.goto(f"/habits{path}")
        await look_around(page, f"habits{path.replace('/', '-').replace('?', '-')}")
    await page.goto("/habits")
    await page.get_by_role("link", name="Chess", exact=True).click()
    await look_around(page, "habits-one")
