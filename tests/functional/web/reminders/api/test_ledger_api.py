"""Customers, invoices, payments, holds, templates, plan, rules and reports through the API."""

from datetime import timedelta

import pytest

BASE = "/api/v1/reminders"
CSV = """customer_id,customer_name,email,invoice_number,amount,currency,due
acme,Acme Ltd,acme@example.org,A-1,"1,200.50",EUR,2025-12-01
acme,Acme Ltd,acme@example.org,A-2,-3,EUR,2025-12-01
"""


@pytest.fixture
async def acme(api, clock):
    due = (clock.now() - timedelta(days=20)).date().isoformat()
    await api.post(f"{BASE}/customers", json={"customer_id": "acme", "name": "Acme", "email": "acme@example.org"})
    wish = {"customer_id": "acme", "number": "2026/001", "amount": "100.00", "currency": "EUR", "due": due}
    answer = await api.post(f"{BASE}/invoices", json=wish)
    assert answer.status_code == 201, answer.text
    return answer.headers["Location"]


async def test_customers_and_invoices_are_read_under_the_key_they_were_written_under(api, acme):
    path = f"{BASE}/customers/acme"
    read = await api.get(path)
    assert (read.json()["name"], read.headers["ETag"]) == ("Acme", '"1"')
    edited = await api.patch(path, json={"name": "Acme Ltd"}, headers={"If-Match": '"1"'})
    assert edited.json()["name"] == "Acme Ltd"
    assert (await api.patch(path, json={"name": "Other"}, headers={"If-Match": '"1"'})).status_code == 412
    assert (await api.post(f"{BASE}/customers", json={"customer_id": "acme", "name": "Twin"})).status_code == 409
    assert [item["customer_id"] for item in (await api.get(f"{BASE}/customers")).json()["items"]] == ["acme"]
    invoice = await api.get(acme)
    assert (invoice.json()["number"], invoice.json()["outstanding"]) == ("2026/001", "100.00")
    credited = await api.patch(acme, json={"credited": "40"}, headers={"If-Match": invoice.headers["ETag"]})
    assert credited.json()["outstanding"] == "60.00"
    [listed] = (await api.get(f"{BASE}/invoices")).json()["items"]
    assert listed == credited.json()
    assert (await api.get(f"{path}/invoices")).json()["items"] == [listed]


async def test_money_is_exact(api, acme):
    wish = {"customer_id": "acme", "number": "A-9", "currency": "EUR", "due": "2026-01-01"}
    assert (await api.post(f"{BASE}/invoices", json={**wish, "amount": "0.005"})).status_code == 422
    yen = await api.post(f"{BASE}/invoices", json={**wish, "currency": "JPY", "amount": "10.5"})
    assert "JPY amounts have 0 decimals" in yen.text
    cents = await api.post(f"{BASE}/invoices", json={**wish, "amount": 0.10})
    assert cents.json()["amount"] == "0.10"


async def test_a_payment_counts_once_by_its_reference_and_ends_the_draft(api, acme):
    draft = (await api.post(f"{BASE}/drafts", json={"customer_id": "acme"})).json()
    wish = {"customer_id": "acme", "reference": "bank-77", "amount": "100.00", "currency": "EUR"}
    first, second = [await api.post(f"{BASE}/payments", json=wish) for _ in range(2)]
    assert (first.status_code, first.json()["towards"]) == (201, {"2026/001": "100.00"})
    assert (second.status_code, second.json()["recorded"]) == (200, False)
    assert (await api.post(f"{BASE}/payments", json={**wish, "amount": "5.00"})).status_code == 409
    assert (await api.get(f"{BASE}/drafts/{draft['id']}")).json()["status"] == "cancelled"
    [paid] = (await api.get(f"{BASE}/invoices", params={"state": "paid"})).json()["items"]
    assert paid["paid"] == "100.00"
    assert len((await api.get(f"{BASE}/customers/acme/payments")).json()["items"]) == 1


async def test_holds_stop_the_ladder_until_they_are_lifted(api, acme, clock):
    until = (clock.now() + timedelta(days=5)).date().isoformat()
    assert (await api.post(f"{BASE}/holds", json={"customer_id": "acme", "kind": "promise"})).status_code == 422
    promise = await api.post(f"{BASE}/holds", json={"customer_id": "acme", "kind": "promise", "until": until})
    assert promise.status_code == 201, promise.text
    [line] = (await api.get(f"{BASE}/customers/acme/why")).json()["lines"]
    assert (line["rule"], line["next_date"] is not None) == ("hold", True)
    assert line["trace"][-1]["passed"] is False
    lifted = await api.delete(f"{BASE}/customers/acme/holds/{promise.json()['id']}")
    assert lifted.json()["lifted_at"]
    dispute = {"customer_id": "acme", "kind": "dispute", "invoice": "2026/001", "note": "Damaged."}
    assert (await api.post(f"{BASE}/holds", json=dispute)).status_code == 201
    [line] = (await api.get(f"{BASE}/customers/acme/why")).json()["lines"]
    assert (line["goes_out"], line["rule"]) == (False, "debt")
    assert [hold["kind"] for hold in (await api.get(f"{BASE}/holds")).json()["items"]] == ["dispute"]
    assert len((await api.get(f"{BASE}/customers/acme/holds")).json()["items"]) == 2


async def test_a_file_is_tried_then_imported_and_every_row_is_accounted_for(api):
    headers = {"Content-Type": "text/csv"}
    tried = await api.post(f"{BASE}/invoices/import", content=CSV, headers=headers)
    assert (tried.status_code, tried.json()["trial"]) == (200, True), tried.text
    assert tried.json()["counts"] == {"created": 1, "updated": 0, "unchanged": 0, "refused": 1}
    assert (await api.get(f"{BASE}/customers")).json()["items"] == []
    started = await api.post(f"{BASE}/invoices/import?dry_run=false", content=CSV, headers=headers)
    assert started.status_code == 202, started.text
    assert (await api.get(started.headers["Location"])).status_code == 404
    unsaid = await api.post(f"{BASE}/invoices/import?column=due", content=CSV, headers=headers)
    assert unsaid.status_code == 400


async def test_templates_have_versions_and_a_preview(api, acme):
    shipped = {item["template_id"] for item in (await api.get(f"{BASE}/templates")).json()["items"]}
    assert {"reminder_first", "reminder_second", "reminder_final"} <= shipped
    wish = {
        "template_id": "reminder_first",
        "subject_template": "About {{invoice_id}}",
        "version": 1,
        "body_template": "Dear {{customer_name}}, {{overdue_amount}} is due.",
    }
    saved = await api.post(f"{BASE}/templates", json=wish)
    assert (saved.status_code, saved.json()["version"]) == (201, 2), saved.text
    assert (await api.post(f"{BASE}/templates", json=wish)).status_code == 412
    wrong = {**wish, "body_template": "Dear {{nobody}}", "version": 2}
    assert "a placeholder; choose from" in (await api.post(f"{BASE}/templates", json=wrong)).text
    path = f"{BASE}/templates/reminder_first"
    assert [item["version"] for item in (await api.get(f"{path}/versions")).json()["items"]] == [2, 1]
    made = (await api.post(f"{path}/preview", json={"customer_id": "acme"})).json()
    assert made["email_subject"] == "About 2026/001"


async def test_the_plan_and_the_rules_and_the_reports(api, acme):
    plan = (await api.get(f"{BASE}/plan")).json()
    assert (plan["going_out"], plan["items"][0]["customer_id"]) == (1, "acme")
    rules = await api.get(f"{BASE}/rules")
    assert [level["none_within_days"] for level in rules.json()["levels"]] == [7, 5, 3]
    calmer = {**rules.json(), "grace_days": 60}
    saved = await api.patch(f"{BASE}/rules", json=calmer, headers={"If-Match": rules.headers["ETag"]})
    assert saved.json()["grace_days"] == 60
    assert (await api.get(f"{BASE}/plan")).json()["held_back"] == {"grace": 1}
    [ageing] = (await api.get(f"{BASE}/reports/ageing")).json()
    assert (ageing["overdue"], ageing["bands"][1]["invoices"]) == ("100.00", 1)
    span = {"from": "2025-01-01T00:00:00Z", "to": "2027-01-01T00:00:00Z"}
    assert (await api.get(f"{BASE}/reports/recovered", params=span)).json() == []
    assert (await api.get(f"{BASE}/reports/time-to-pay", params=span)).json() == []


async def test_erasing_keeps_the_guard(api, acme):
    erased = (await api.post(f"{BASE}/customers/acme/erase")).json()
    assert (erased["name"], erased["email"]) == ("Erased", None)
    refused = await api.post(f"{BASE}/drafts", json={"customer_id": "acme"})
    assert "erased" in refused.json()["detail"]
