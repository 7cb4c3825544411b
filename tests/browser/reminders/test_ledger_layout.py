"""The desk's tables: they begin near the top, a number on a phone has its label, and colours tell urgency."""

from datetime import timedelta
from decimal import Decimal

from playwright.async_api import expect

from almanac.accounts.model import AUTOMATION
from almanac.accounts.permissions import Role
from almanac.desks.reminders import service
from almanac.kit.ids import new_id
from almanac.kit.money import Money
from page_measures import LAPTOP, find_places, measure_overflow

LISTS = ("plan", "customers", "invoices", "sent?since=2020-01-01", "templates")
# Of the numbers in a table, those that stand without a label.
UNLABELLED = """all => all.filter((cell) => cell.textContent.trim() &&
  !getComputedStyle(cell, "::before").content.includes(cell.dataset.label || "?")).map((cell) => cell.outerHTML)"""
BROKEN = """all => all.filter((cell) => cell.textContent.trim() &&
  getComputedStyle(cell).whiteSpace !== "nowrap").map((cell) => cell.outerHTML)"""


async def test_lists_begin_near_the_top_in_low_rows(demo_customers, enter):
    page = await enter(Role.ADMIN, viewport=LAPTOP)
    for name in LISTS:
        await page.goto(f"/reminders/{name}")
        first = (await find_places(page, "#results .plan-sum, main .table-scroll"))[0]
        assert first[0] <= 200, name
        rows = await find_places(page, "tbody tr")
        assert min(bottom - top for top, bottom in rows) <= 45, name
        assert await measure_overflow(page) <= 0, name


async def test_a_number_on_a_phone_has_its_label_and_never_breaks(demo_customers, enter):
    page = await enter(Role.ADMIN, viewport={"width": 390, "height": 844})
    account = f"customers/{demo_customers['recovered'].id}"
    for name in (*LISTS, "reports", account):
        await page.goto(f"/reminders/{name}")
        assert await page.eval_on_selector_all(".table td.number", UNLABELLED) == [], name
        assert await page.eval_on_selector_all("td.number.nowrap", BROKEN) == [], name


async def test_overdue_is_plain_then_amber_then_red(site, enter):
    services, customer_id = site.services, f"late-{new_id()[-8:]}"
    await service.add_customer(services, AUTOMATION, customer_id, service.CustomerEdit(name="Late payers"))
    today = services.clock.now().date()
    for days in (20, 40, 70):
        due = today - timedelta(days=days)
        amount = Money(Decimal("10.00"), "EUR")
        new = service.NewInvoice(customer_id=customer_id, number=f"{customer_id}-{days}", amount=amount, due=due)
        await service.add_invoice(services, AUTOMATION, new)
    page = await enter(Role.ADMIN)
    await page.goto(f"/reminders/invoices?q={customer_id}")
    badges = page.locator("td [class*=late-]")
    assert [word.split()[0] for word in await badges.all_inner_texts()] == ["70", "40", "20"]
    colours = await badges.evaluate_all("all => all.map((badge) => getComputedStyle(badge).color)")
    red, amber, plain = await page.evaluate(
        """["failed", "waiting", "ink"].map((name) => {
          const probe = document.body.appendChild(document.createElement("p"));
          probe.style.color = `var(--${name})`;
          return getComputedStyle(probe).color;
        })"""
    )
    assert colours == [red, amber, plain]
    assert len(set(colours)) == 3


async def test_a_customer_is_suggested_by_name_and_chosen_without_scripts_too(site, enter):
    services, word = site.services, f"Zelkova{new_id()[-6:]}"
    for number in (1, 2):
        edit = service.CustomerEdit(name=f"{word} {number}")
        await service.add_customer(services, AUTOMATION, f"{word}-{number}", edit)
    page = await enter(Role.ADMIN)
    await page.goto("/reminders/invoices/new")
    await page.get_by_label("Customer").press_sequentially(word[:9])
    options = page.locator("datalist option")
    await expect(options).to_have_count(2)
    assert await options.first.get_attribute("value") == f"{word} 1 ({word}-1)"

    plain = await enter(Role.ADMIN, java_script_enabled=False)
    await plain.goto("/reminders/invoices/new")
    await plain.get_by_label("Customer").fill(word)
    await plain.get_by_label("Number").fill(f"{word}-9")
    await plain.get_by_label("Amount").fill("90.00")
    await plain.get_by_label("Due").fill("2026-02-01")
    await plain.get_by_role("button", name="Add invoice").click()
    await plain.get_by_label("Customer").select_option(f"{word}-2")
    await plain.get_by_role("button", name="Add invoice").click()
    await plain.wait_for_url(f"**/reminders/customers/{word}-2")
