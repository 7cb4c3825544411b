"""Dates out of range and overlong texts are rejected next to their field; no page breaks on them."""

from datetime import date, timedelta

import pytest

from almanac.accounts.model import CONSOLE
from almanac.desks.reminders import service
from almanac.errors import NotFound

LONG = "x" * 2001


@pytest.mark.parametrize("until", ["9999-12-31", "0001-01-01"])
async def test_a_range_beyond_the_calendar_shows_the_last_days(admin, until):
    assert (await admin.get("/reminders/sent", params={"since": until, "until": until})).status_code == 200


async def test_an_invoice_is_due_on_a_day_that_can_be_counted_from(admin, services, owing):
    await owing()
    form = {"customer_id": "acme", "number": "FAR", "amount": "10", "currency": "EUR", "paid": "0", "version": "0"}
    for due in ("9999-12-31", "0001-01-01"):
        refused = await admin.post("/reminders/invoices/new", {**form, "due": due})
        assert (refused.status_code, "Choose a day between" in refused.text) == (422, True)
    with pytest.raises(NotFound):
        await service.get_invoice(services, CONSOLE, "acme", "FAR")
    assert (await admin.get("/reminders/plan")).status_code == 200


async def test_words_that_are_too_many_are_refused_where_they_were_written(admin, services, drafted):
    draft = await drafted()
    customer, invoice = "/reminders/customers/acme", "/reminders/customers/acme/invoices/acme-1"
    paid = {"reference": "bank-1", "amount": "1", "currency": "EUR", "note": LONG}
    assert "at most 2,000" in (await admin.post(f"{customer}/payments", paid)).text
    disputed = {"amount": "100", "currency": "EUR", "due": "2026-01-01", "disputed": "yes", "dispute_note": LONG}
    stored = await service.get_invoice(services, CONSOLE, "acme", "acme-1")
    refused = await admin.post(invoice, {**disputed, "version": str(stored.version)})
    assert (refused.status_code, "at most 2,000" in refused.text) == (422, True)
    given_up = await admin.post(f"/reminders/drafts/{draft.id}/cancel", {"why": LONG})
    assert (given_up.status_code, "within 2,000" in given_up.text) == (400, True)


async def test_a_language_and_a_list_of_holidays_are_checked_by_form_and_number(admin, services, owing):
    customer = await owing()
    form = {"name": "Acme Ltd", "language": "no language", "version": str(customer.version)}
    refused = await admin.post("/reminders/customers/acme/edit", form)
    assert (refused.status_code, "use a code such as en" in refused.text) == (422, True)
    days = "\n".join(str(date(2026, 1, 1) + timedelta(days=number)) for number in range(1001))
    rules = {"name": "first", "none_within": "7", "after_previous": "0", "holidays": days, "version": "0"}
    refused = await admin.post("/reminders/ladder", rules)
    assert (refused.status_code, "at most 1,000 days" in refused.text) == (422, True)
