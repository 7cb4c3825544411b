"""Forms of the desk: every invalid field is named at once, typed values stay, and customers are chosen by name."""

import re

import pytest

from almanac.accounts.model import CONSOLE
from almanac.desks.reminders import service
from almanac.desks.reminders.service.holds import IncomingReply, receive_reply
from almanac.desks.reminders.writer.templates import TemplateText

INVOICE = {"number": "I-9", "amount": "90.00", "currency": "EUR", "due": "2026-02-01"}


def errors_of(page):
    return set(re.findall(r'id="error-([\w-]+)"', page.text))


@pytest.fixture
async def two_customers(services):
    for customer_id, name in (("c-1", "Birch Books"), ("c-2", "Birch Bakery")):
        await service.add_customer(services, CONSOLE, customer_id, service.CustomerEdit(name=name))


async def test_an_invoice_names_every_invalid_field_at_once(admin, two_customers):
    page = await admin.post(
        "/reminders/invoices/new",
        {"customer_id": "Nobody", "number": "", "amount": "-4", "currency": "EUR", "due": "soon", "paid": "x"},
    )
    assert page.status_code == 422
    assert errors_of(page) == {"customer_id", "number", "due", "paid", "amount"}
    assert 'value="Nobody"' in page.text
    assert 'value="-4"' in page.text


@pytest.mark.parametrize("typed", ["c-1", "birch books", "Birch Bo", "Birch Books (c-1)"])
async def test_a_customer_is_chosen_by_name_label_or_id(admin, two_customers, typed):
    page = await admin.post("/reminders/invoices/new", {**INVOICE, "customer_id": typed})
    assert page.url.path == "/reminders/customers/c-1"


async def test_where_several_customers_match_the_form_asks_which(admin, two_customers):
    page = await admin.post("/reminders/invoices/new", {**INVOICE, "customer_id": "Birch"})
    assert page.status_code == 422
    assert "Several customers match" in page.text
    assert '<option value="c-2">Birch Bakery (c-2)</option>' in page.text
    suggested = await admin.get("/reminders/customer-names?q=birch")
    assert [line["value"] for line in suggested.json()] == ["Birch Bakery (c-2)", "Birch Books (c-1)"]


async def test_a_new_customer_names_every_invalid_field_at_once(admin):
    page = await admin.post("/reminders/customers/new", {"id": "a b", "name": "", "email": "nowhere"})
    assert errors_of(page) == {"id", "name", "email"}


async def test_a_payment_names_every_invalid_field_and_keeps_the_rest(admin, two_customers):
    form = {"reference": "", "amount": "lots", "currency": "EUR", "received": "soon", "note": "By hand"}
    page = await admin.post("/reminders/customers/c-1/payments", form)
    assert page.status_code == 422
    assert errors_of(page) == {"reference", "amount", "received"}
    assert 'value="By hand"' in page.text


async def test_a_reply_keeps_what_was_typed(admin, services, two_customers):
    await receive_reply(services, IncomingReply(id="reply-9", text="We pay on Friday.", customer_id="c-1"))
    page = await admin.get("/reminders/replies")
    action = re.search(r'action="(/reminders/replies/c-1/[^"]+)"', page.text)[1]
    refused = await admin.post(action, {"meaning": "", "until": "soon", "note": "They called"})
    assert refused.status_code == 422
    assert "Choose what the reply means" in refused.text
    assert "Enter a date" in refused.text
    assert 'value="They called"' in refused.text


async def test_a_template_that_somebody_else_saved_shows_both_versions(admin, services):
    await service.save_template(
        services, CONSOLE, "reminder_first", TemplateText("Theirs", "Dear {{customer_name}}"), name="", expected=1
    )
    mine = {"name": "", "subject": "Mine", "body": "Hello {{customer_name}}", "version": "1"}
    page = await admin.post("/reminders/templates/reminder_first", mine)
    assert page.status_code == 412
    assert "Someone else saved a different version" in page.text
    assert re.search(r"Subject</th>\s*<td[^>]*>Mine</td>\s*<td[^>]*>Theirs</td>", page.text)
    assert 'name="subject"' in page.text
    assert 'value="Mine"' in page.text
    version = re.search(r'name="version" value="(\d+)"', page.text)[1]
    assert (await admin.post("/reminders/templates/reminder_first", {**mine, "version": version})).status_code == 200


async def test_a_template_is_previewed_for_a_customer_by_name(admin, drafted):
    await drafted("acme", name="Acme Ltd")
    page = await admin.get("/reminders/templates/reminder_first?customer=acme+l")
    assert "Acme Ltd" in page.text
    assert 'id="letter"' in page.text


async def test_an_import_that_is_refused_keeps_its_file(admin):
    file = ("open.csv", b"Who;What\nC-1;I-1\n", "text/csv")
    page = await admin.http.post("/reminders/import", data={"csrf_token": await admin.csrf()}, files={"file": file})
    upload = page.url.path
    assert "Choose the column for each field" in page.text
    refused = await admin.post(f"{upload}?column_customer_id=Who", {})
    assert refused.url.path == upload
    assert refused.url.params["column_customer_id"] == "Who"
    assert "Choose the column for each field" in refused.text
