"""Customers, invoices, payments and holds with plain forms; errors are shown next to their fields."""

from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.desks.reminders import service, store

CUSTOMER = {"id": "acme", "name": "Acme Ltd", "email": "a@example.org", "language": "en"}
INVOICE = {"customer_id": "acme", "number": "I-1", "amount": "1,500.00", "currency": "eur", "due": "2026-02-01"}


async def test_a_customer_from_the_first_form_to_a_paid_invoice(admin, services):
    refused = await admin.post("/reminders/customers/new", {**CUSTOMER, "id": "a b", "email": "nowhere"})
    assert refused.status_code == 422
    page = await admin.post("/reminders/customers/new", CUSTOMER)
    assert page.url.path == "/reminders/customers/acme"
    assert "Nothing is owed" in page.text

    wrong = await admin.post("/reminders/invoices/new", {**INVOICE, "amount": "lots", "due": "soon"})
    assert wrong.status_code == 422
    assert "Enter an amount" in wrong.text
    assert "Enter a date" in wrong.text
    page = await admin.post("/reminders/invoices/new", INVOICE)
    assert "may go out now" in page.text
    assert "1,500.00 EUR" in page.text
    taken = await admin.post("/reminders/invoices/new", INVOICE)
    assert taken.status_code == 409
    assert "Invoice I-1 exists already" in taken.text

    payment = {"reference": "bank-7", "amount": "500.00", "currency": "EUR", "towards": "I-1"}
    page = await admin.post("/reminders/customers/acme/payments", payment)
    assert "500.00 EUR is recorded" in page.text
    again = await admin.post("/reminders/customers/acme/payments", payment)
    assert "was recorded before" in again.text
    too_much = await admin.post("/reminders/customers/acme/payments", {**payment, "reference": "x", "amount": "9999"})
    assert too_much.status_code == 409
    [invoice] = await store.list_customer_invoices(services.tables, "acme")
    assert str(invoice.outstanding) == "1,000.00 EUR"


async def test_edits_never_overwrite_somebody_elses(admin, services, owing):
    await owing()
    form = {**CUSTOMER, "name": "Mine", "version": "1"}
    edit = service.CustomerEdit(name="Theirs")
    await service.edit_customer(services, CONSOLE, "acme", edit, expected=1)
    page = await admin.post("/reminders/customers/acme/edit", form)
    assert page.status_code == 412
    assert "Someone else saved a different version" in page.text
    assert "Mine" in page.text
    assert "Theirs" in page.text
    form["version"] = str((await store.get_customer(services.tables, "acme")).version)
    assert "Mine is saved" in (await admin.post("/reminders/customers/acme/edit", form)).text

    invoice = await store.get_invoice(services.tables, "acme", "acme-1")
    stale = {"amount": "90.00", "due": "2026-02-10", "version": str(invoice.version + 1)}
    page = await admin.post("/reminders/customers/acme/invoices/acme-1", stale)
    assert page.status_code == 412
    assert "Someone else saved a different version" in page.text
    assert 'value="90.00"' in page.text, "what was typed stays in the form"
    assert f'name="version" value="{invoice.version}"' in page.text, "saving once more counts"
    good = {**stale, "version": str(invoice.version)}
    assert "90.00 EUR" in (await admin.post("/reminders/customers/acme/invoices/acme-1", good)).text


async def test_a_hold_stops_reminders_until_it_is_lifted(admin, services, owing):
    await owing()
    refused = await admin.post("/reminders/customers/acme/holds", {"kind": "promise"})
    assert refused.status_code == 422
    assert "Enter the day by which" in refused.text
    page = await admin.post("/reminders/customers/acme/holds", {"kind": "promise", "until": "2026-03-20"})
    assert "Waiting for a promised payment until 20 Mar 2026" in page.text
    assert "Next possible" in page.text
    [hold] = await store.list_customer_holds(services.tables, "acme")
    page = await admin.post(f"/reminders/customers/acme/holds/{hold.id}/lift")
    assert "may go out now" in page.text


async def test_a_customer_is_drafted_from_their_page(admin, services, owing):
    await owing()
    page = await admin.post("/reminders/customers/acme/draft", {"currency": "EUR"})
    assert page.url.path == "/reminders"
    assert "The first reminder to Acme Ltd is drafted" in page.text
    again = await admin.post("/reminders/customers/acme/draft", {"currency": "EUR"})
    assert "No reminder can be drafted" in again.text


async def test_customers_are_found_by_the_beginning_of_a_name_or_an_id(admin, owing):
    await owing("acme", name="Acme Ltd")
    await owing("birch", name="Birch")
    page = (await admin.get("/reminders/customers?q=acm")).text
    assert "Acme Ltd" in page
    assert "Birch" not in page
    assert "Acme Ltd" in (await admin.get("/reminders/customers?q=acme")).text
    turned = (await admin.get("/reminders/customers?sort=-name")).text
    assert turned.index("Birch") < turned.index("Acme Ltd")
    assert "No customers found" in (await admin.get("/reminders/customers?q=zzz")).text
    invoices = (await admin.get("/reminders/invoices?overdue=yes&sort=-due")).text
    assert "acme-1" in invoices
    assert "20 days overdue" in invoices


async def test_a_reader_sees_no_form_that_they_may_not_send(signed_in, owing, api):
    await owing()
    member = await signed_in(Role.MEMBER)
    await api.put(f"/api/v1/users/{member.user.id}/rights/reminders", json={"actions": ["read"]})
    page = (await member.get("/reminders/customers/acme")).text
    assert "Acme Ltd" in page
    for action in ("/payments", "/holds", "/draft", "/erase", "/edit"):
        assert f"/reminders/customers/acme{action}" not in page
    assert "disabled" in (await member.get("/reminders/ladder")).text


async def test_an_erased_customer_is_a_name_less_row(admin, owing):
    await owing()
    page = await admin.post("/reminders/customers/acme/erase")
    assert "Personal data erased" in page.text
    assert "Acme Ltd" not in page.text
    assert "acme@example.org" not in page.text


async def test_a_german_reader_sees_amounts_days_and_labels_as_german_writes_them(admin, drafted):
    await drafted(amount="1672.95")
    german = {"Accept-Language": "de"}
    queue = (await admin.get("/reminders", headers=german)).text
    assert '<span class="queue-amount">1.672,95 EUR</span>' in queue
    assert "Choose at least" not in queue
    for path in ("/customers", "/invoices", "/customers/acme", "/customers/acme/invoices/acme-1", "/reports"):
        page = (await admin.get(f"/reminders{path}", headers=german)).text
        assert "1.672,95" in page, path
        assert "1,672.95" not in page, path
        for label in ("Due", "Owed", "Overdue", "Amount"):
            assert f'data-label="{label}"' not in page, path
    invoices = (await admin.get("/reminders/invoices", headers=german)).text
    assert "10. Feb. 2026" in invoices
    assert 'data-label="Fällig"' in invoices
    reports = (await admin.get("/reminders/reports", headers=german)).text
    assert "Not due" not in reports
    assert "1 to 30 days" not in reports
    timeline = (await admin.get("/reminders/customers/acme", headers=german)).text
    assert "fällig am 10. Feb. 2026" in timeline
