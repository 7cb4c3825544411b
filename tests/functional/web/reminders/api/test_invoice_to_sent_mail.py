"""The API from an invoice to a mail that was sent once, and the records about it."""

from datetime import timedelta
from email import message_from_bytes, policy

import pytest

from almanac.accounts.permissions import Role
from almanac.desks.reminders.jobs import SEND_REMINDER
from almanac.jobs import RunningJob

BASE = "/api/v1/reminders"


@pytest.fixture
def work(services):
    """Does what a worker would: sends what was approved."""

    async def send(draft_id):
        job = RunningJob(id=1, task=SEND_REMINDER.name, attempt=1, services=services, ledger=None)
        await SEND_REMINDER.run(job, draft_id=draft_id)

    return send


@pytest.fixture
async def owing(api, clock):
    due = (clock.now() - timedelta(days=20)).date().isoformat()
    customer = {"customer_id": "cust_001", "name": "John Doe", "email": "john@example.com"}
    added = await api.post(f"{BASE}/customers", json=customer)
    assert added.status_code == 201, added.text
    for number, amount in (("INV-001", "1000.00"), ("INV-002", 500.00)):
        wish = {"customer_id": "cust_001", "number": number, "amount": amount, "currency": "EUR", "due": due}
        answer = await api.post(f"{BASE}/invoices", json=wish)
        assert answer.status_code == 201, answer.text
    return added.json()


async def drafted(api, **more):
    answer = await api.post(f"{BASE}/drafts", json={"customer_id": "cust_001", "reminder_type": "first", **more})
    assert answer.status_code == 201, answer.text
    return answer.json()


async def test_an_overdue_debt_is_drafted_approved_and_sent_once(api, owing, services, work):
    why = (await api.get(f"{BASE}/customers/cust_001/why")).json()
    assert [(line["goes_out"], line["reminder_type"]) for line in why["lines"]] == [(True, "first")]
    draft = await drafted(api)
    assert (draft["overdue_amount"], draft["status"]) == ("1500.00", "draft")
    assert [fact["number"] for fact in draft["overdue_invoices"]] == ["INV-001", "INV-002"]
    assert "1,500.00" in draft["email_content"]
    pending = (await api.get(f"{BASE}/drafts")).json()["items"]
    assert [item["id"] for item in pending] == [draft["id"]]
    approved = await api.post(f"{BASE}/drafts/{draft['id']}/approve", json={"content_hash": draft["content_hash"]})
    again = await api.post(f"{BASE}/drafts/{draft['id']}/approve")
    assert (approved.json()["status"], again.status_code) == ("approved", 200)
    for _ in range(2):
        await work(draft["id"])
    [envelope] = services.mail_transport.sent
    assert envelope.recipients == ("john@example.com",)
    [sent] = (await api.get(f"{BASE}/customers/cust_001/history")).json()["items"]
    assert (sent["reminder_type"], sent["status"], sent["delivery_status"]) == ("first", "sent", "sent")
    assert sent["ses_message_id"]
    mail = await api.get(f"{BASE}/sent/{sent['id']}/mail")
    assert mail.content == envelope.raw
    read = message_from_bytes(mail.content, policy=policy.default)
    assert {part.get_content_type() for part in read.walk()} >= {"text/plain", "text/html"}
    assert read["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    kinds = [entry["kind"] for entry in (await api.get(f"{BASE}/customers/cust_001/timeline")).json()["items"]]
    assert kinds.count("sent") == 1
    assert {"customer", "invoice"} <= set(kinds)
    refused = await api.post(f"{BASE}/drafts", json={"customer_id": "cust_001"})
    assert refused.status_code == 409
    assert "7 days after the first reminder" in refused.json()["detail"]
    [line] = (await api.get(f"{BASE}/customers/cust_001/why")).json()["lines"]
    assert line["next_date"][:10] == (services.clock.now() + timedelta(days=7)).date().isoformat()
    since = (services.clock.now() - timedelta(days=1)).isoformat()
    sent_items = (await api.get(f"{BASE}/sent", params={"from": since})).json()["items"]
    assert [item["id"] for item in sent_items] == [sent["id"]]
    assert (await api.get(f"{BASE}/sent")).json()["items"] == sent_items
    assert (await api.get(f"{BASE}/sent", params={"from": since, "to": since})).json()["items"] == []


async def test_approving_is_a_right_and_the_approver_is_whoever_is_signed_in(api, owing, signed_in):
    draft = await drafted(api)
    editor, approver = await signed_in(Role.EDITOR), await signed_in(Role.APPROVER)
    path = f"{BASE}/drafts/{draft['id']}/approve"
    refused = await editor.http.post(path, json={}, headers={"X-CSRF-Token": await editor.csrf()})
    assert refused.status_code == 403
    csrf = {"X-CSRF-Token": await approver.csrf()}
    somebody_else = await approver.http.post(path, json={"approved_by": "user_123"}, headers=csrf)
    assert somebody_else.status_code == 422
    approved = await approver.http.post(path, json={"send": False}, headers=csrf)
    assert approved.json()["decided"]["by"] == approver.user.id
    unwritten = await approver.http.patch(f"{BASE}/drafts/{draft['id']}", json={}, headers=csrf)
    assert unwritten.status_code == 403


async def test_what_changed_after_it_was_seen_is_not_approved(api, owing):
    draft = await drafted(api)
    path, headers = f"{BASE}/drafts/{draft['id']}", {"If-Match": f'"{draft["version"]}"'}
    assert (await api.patch(path, json={"email_subject": "Hello"})).status_code == 428
    invented = await api.patch(path, json={"email_content": "You owe 9,999.00 EUR."}, headers=headers)
    assert (invented.status_code, invented.json()["code"]) == (422, "invented_fact")
    edited = await api.patch(path, json={"email_subject": "A word about your invoices"}, headers=headers)
    assert edited.json()["written_by"] == "person"
    assert (await api.patch(path, json={"email_subject": "Late"}, headers=headers)).status_code in (409, 412)
    stale = await api.post(f"{path}/approve", json={"content_hash": draft["content_hash"]})
    assert stale.status_code == 409
    rejected = await api.post(f"{path}/reject", json={"note": "Not now."})
    assert (rejected.json()["status"], rejected.json()["reason"]) == ("rejected", "Not now.")
    assert (await api.post(f"{path}/reopen")).json()["status"] == "draft"
    until = "2199-01-01T00:00:00Z"
    assert (await api.post(f"{path}/snooze", json={"until": until})).status_code == 400


async def test_many_are_approved_each_as_it_was_seen(api, owing):
    draft = await drafted(api)
    wish = {
        "drafts": [
            {"id": draft["id"], "content_hash": draft["content_hash"]},
            {"id": "20250101_000000_nobody", "content_hash": "x"},
        ],
        "send": False,
    }
    first, second = (await api.post(f"{BASE}/drafts/approve", json=wish)).json()
    assert (first["approved"], first["status"]) == (True, "approved")
    assert (second["approved"], second["status"]) == (False, None)
    assert "doesn't exist" in second["reason"]


async def test_a_repeated_request_drafts_once(api, owing):
    wish, key = {"customer_id": "cust_001"}, {"Idempotency-Key": "one-draft"}
    first = await api.post(f"{BASE}/drafts", json=wish, headers=key)
    second = await api.post(f"{BASE}/drafts", json=wish, headers=key)
    assert (first.status_code, second.json()) == (201, first.json())
