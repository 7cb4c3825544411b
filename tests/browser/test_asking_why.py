"""Asking why: from the palette by keyboard, on the page without scripts, and on a phone."""

import re
from datetime import timedelta
from decimal import Decimal

import pytest
from playwright.async_api import expect
from tests.page_measures import find_places, measure_overflow

from almanac.accounts.model import AUTOMATION
from almanac.accounts.permissions import Role
from almanac.desks.reminders import service
from almanac.desks.reminders.service import CustomerEdit, NewInvoice
from almanac.kit.money import Money

CUSTOMER, NAME = "saffron", "Saffron Bindery"
STATE = "The first reminder over 120.00 EUR may go out now."


@pytest.fixture(scope="module")
async def owing(site):
    """A customer who may be reminded."""
    services = site.services
    edit = CustomerEdit(name=NAME, email="billing@saffron.example")
    await service.add_customer(services, AUTOMATION, CUSTOMER, edit)
    due = services.clock.now().date() - timedelta(days=20)
    amount = Money(Decimal("120.00"), "EUR")
    new = NewInvoice(customer_id=CUSTOMER, number="S-1", amount=amount, due=due)
    await service.add_invoice(services, AUTOMATION, new)


async def test_a_question_in_the_palette_is_answered_there_and_opens_its_trace(enter, owing, look):
    page = await enter(Role.ADMIN)
    await page.keyboard.press("Control+k")
    await page.keyboard.type("why saffron")
    first = page.get_by_role("listbox").get_by_role("option").first
    await expect(first).to_contain_text(f"Why: {NAME}")
    await expect(first).to_contain_text(STATE)
    await expect(first).to_have_attribute("aria-selected", "true")
    assert await first.evaluate("each => each.scrollWidth <= each.clientWidth")
    await look(page, "palette_why")
    await page.keyboard.press("Enter")
    await expect(page).to_have_url(re.compile(r"/why\?about=customer%3Asaffron$"))
    await expect(page.get_by_role("heading", level=1)).to_have_text(f"Why: {NAME}")
    [(state, _)] = await find_places(page, ".why-state")
    assert state < 250
    [(action, _)] = await find_places(page, ".why form .button")
    assert abs(action - state) < 40
    await look(page, "why_trace")


async def test_a_name_in_the_palette_opens_the_thing_and_offers_why_below(enter, owing):
    page = await enter(Role.ADMIN)
    await page.keyboard.press("Control+k")
    await page.keyboard.type("saffron")
    options = page.get_by_role("listbox").get_by_role("option")
    await expect(options.first).to_have_text(NAME)
    await expect(options.filter(has_text=f"Why: {NAME}")).to_contain_text(STATE)
    await page.keyboard.press("Enter")
    await expect(page).to_have_url(re.compile(f"/reminders/customers/{CUSTOMER}$"))


async def test_without_scripts_one_asks_chooses_and_acts(enter, owing):
    page = await enter(Role.ADMIN, java_script_enabled=False)
    await page.goto("/why")
    await page.get_by_label("Name, address or sentence").fill("saffron")
    await page.get_by_role("main").get_by_role("button", name="Ask why").click()
    await expect(page.get_by_text(STATE)).to_be_visible()
    await expect(page.locator(".trace > li")).to_have_count(5)
    await page.get_by_role("button", name="Draft the first reminder").click()
    await expect(page).to_have_url(re.compile("/reminders"))
    await page.goto(f"/why?about=customer:{CUSTOMER}")
    await expect(page.locator(".why-state")).to_have_text("A first reminder is open: it is a draft.")


async def test_on_a_phone_the_answer_fits_and_comes_first(enter, owing, look):
    page = await enter(Role.ADMIN, viewport={"width": 390, "height": 844})
    await page.goto(f"/reminders/customers?q={NAME}")
    await page.get_by_role("link", name=f"Why: {NAME}").click()
    [(state, _)] = await find_places(page, ".why-state")
    [(field, _)] = await find_places(page, ".why-form")
    assert state < 250 < field
    assert await measure_overflow(page) <= 0
    await look(page, "why_phone")
