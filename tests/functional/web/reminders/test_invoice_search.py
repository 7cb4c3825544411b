"""The table of invoices: search by number and customer, filters and sort order."""

import re

from almanac.accounts.model import AUTOMATION
from almanac.desks.reminders import service
from almanac.kit.money import Money


def numbers(page):
    return re.findall(r"/invoices/([a-z]+-\d)\"", page.text)


async def test_a_number_finds_its_invoice_without_reading_the_others(admin, services, owing):
    for name in ("acme", "birch", "cedar"):
        await owing(name, name=name.title())
    with services.tables.measure() as spent:
        page = await admin.get("/reminders/invoices", params={"q": " birch-1 "})
    assert numbers(page) == ["birch-1"]
    assert "Invoice.with_state" not in spent.by_name
    assert "Invoice.of_customer" not in spent.by_name


async def test_a_customer_finds_their_invoices_in_any_state(admin, services, owing):
    await owing("acme", name="Acme Ltd")
    await owing("birch", name="Birch")
    payment = service.NewPayment(reference="b-1", amount=Money("100.00", "EUR"), customer_id="acme")
    await service.record_payment(services, AUTOMATION, payment)
    for given in ("acme", "Acm"):
        assert numbers(await admin.get("/reminders/invoices", params={"q": given})) == ["acme-1"]
    assert numbers(await admin.get("/reminders/invoices", params={"q": "acme", "state": "open"})) == []
    assert numbers(await admin.get("/reminders/invoices", params={"q": "acme", "state": "paid"})) == ["acme-1"]
    assert numbers(await admin.get("/reminders/invoices")) == ["birch-1"]
    nothing = await admin.get("/reminders/invoices", params={"q": "zzz"})
    assert "No invoices match" in nothing.text


async def test_overdue_ones_are_told_apart_in_a_search_too(admin, owing):
    await owing("acme")
    page = await admin.get("/reminders/invoices", params={"q": "acme-1", "state": "open", "overdue": "yes"})
    assert numbers(page) == ["acme-1"]
    assert "state=paid&amp;" not in page.text
