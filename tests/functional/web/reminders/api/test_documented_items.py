"""Items that another program wrote as documented are found by the API, and never sent without a check."""

import json
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from urllib.parse import quote

import pytest

from tablature.wire import to_wire

BASE = "/api/v1/reminders"
ITEMS = Path(__file__).parents[4] / "contract" / "seeds" / "items" / "email_tracking.json"


@pytest.fixture
def documented(services):
    """The document's own examples in the table."""
    for item in json.loads(ITEMS.read_text("utf-8"), parse_float=Decimal):
        stored = {name: to_wire(value) for name, value in item.items()}
        services.table_service.send("PutItem", {"TableName": services.settings.email_tracking_table, "Item": stored})


async def test_the_documents_examples_are_found_by_its_access_patterns(api, documented):
    await api.post(f"{BASE}/customers", json={"customer_id": "cust_001", "name": "John Doe"})
    [draft] = (await api.get(f"{BASE}/drafts")).json()["items"]
    assert (draft["id"], draft["email_subject"]) == (
        "20250921_143022_cust_001",
        "Payment Reminder from Innovate AI",
    )
    [sent] = (await api.get(f"{BASE}/customers/cust_001/history")).json()["items"]
    assert (sent["approved_by"], sent["delivery_status"]) == ("user_123", "delivered")
    recent = {"reminder_type": "first", "since": "2025-09-20T00:00:00Z"}
    other, later = {**recent, "reminder_type": "second"}, {**recent, "since": "2025-09-22T00:00:00Z"}
    for wanted, count in ((recent, 1), (other, 0), (later, 0)):
        history = await api.get(f"{BASE}/customers/cust_001/history", params=wanted)
        assert len(history.json()["items"]) == count, wanted
    span = {"from": "2025-09-21T00:00:00Z", "to": "2025-09-22T00:00:00Z"}
    assert (await api.get(f"{BASE}/sent", params=span)).json()["items"] == [sent]
    template = (await api.get(f"{BASE}/templates/reminder_first")).json()
    assert (template["template_name"], template["version"]) == ("First Reminder Template", 1)
    refused = await api.post(f"{BASE}/drafts/{draft['id']}/approve")
    assert (refused.status_code, "Another program" in refused.json()["detail"]) == (409, True)


def sent_by_another_program(services, level, days_ago, customer="acme"):
    moment = services.clock.now() - timedelta(days=days_ago)
    item = {
        "PK": f"CUSTOMER#{customer}",
        "SK": f"SENT#{moment:%Y%m%d_%H%M%S}_{level}",
        "GSI1PK": "STATUS#sent",
        "GSI1SK": f"{moment:%Y-%m-%dT%H:%M:%SZ}",
        "customer_id": customer,
        "reminder_type": level,
        "email_subject": "S",
        "email_content": "T",
        "status": "sent",
        "sent_date": f"{moment:%Y-%m-%dT%H:%M:%SZ}",
    }
    stored = {name: to_wire(value) for name, value in item.items()}
    services.table_service.send("PutItem", {"TableName": services.settings.email_tracking_table, "Item": stored})


async def test_what_another_program_has_sent_is_not_sent_again(api, services, owing):
    await owing("acme")
    sent_by_another_program(services, "first", days_ago=2)
    refused = await api.post(f"{BASE}/drafts", json={"customer_id": "acme"})
    assert (refused.status_code, "7 days after the first reminder" in refused.json()["detail"]) == (409, True)
    why = (await api.get(f"{BASE}/customers/acme/why")).json()
    assert "7 days after the first reminder" in json.dumps(why)


async def test_the_ladder_goes_on_where_another_program_stopped(api, services, owing):
    await owing("acme")
    sent_by_another_program(services, "first", days_ago=8)
    drafted = await api.post(f"{BASE}/drafts", json={"customer_id": "acme"})
    assert (drafted.status_code, drafted.json()["reminder_type"]) == (201, "second")


async def test_a_reminder_of_a_debt_that_is_over_only_keeps_its_distance(api, services, owing):
    await owing("acme")
    sent_by_another_program(services, "first", days_ago=40)
    drafted = await api.post(f"{BASE}/drafts", json={"customer_id": "acme"})
    assert (drafted.status_code, drafted.json()["reminder_type"]) == (201, "first")


async def test_what_a_program_left_out_or_spelled_its_own_way_breaks_no_answer(api, admin, services):
    customer, moment = "Müller & Co", "20250921_143022"
    stated = {"customer_id": customer, "reminder_type": "first", "email_subject": "S", "email_content": "T"}
    for kind, status, ending in (("DRAFT", "approved", customer), ("SENT", "sent", "first")):
        item = {
            **stated,
            "PK": f"CUSTOMER#{customer}",
            "SK": f"{kind}#{moment}_{ending}",
            "status": status,
            "GSI1PK": f"STATUS#{status}",
            "GSI1SK": "2025-09-21T14:30:22Z",
            "created_date": "2025-09-21T14:30:22Z",
            "sent_date": "2025-09-21T14:30:22Z",
        }
        stored = {name: to_wire(value) for name, value in item.items()}
        services.table_service.send("PutItem", {"TableName": services.settings.email_tracking_table, "Item": stored})
    unaddressed = await api.post(f"{BASE}/drafts/{quote(f'{moment}_{customer}', safe='')}/send")
    assert (unaddressed.status_code, "has no mail address" in unaddressed.json()["detail"]) == (409, True)
    for path in ("/reminders?state=approved", "/reminders/sent?since=2025-09-21&until=2025-09-22"):
        page = await admin.get(path)
        assert (page.status_code, "Müller &amp; Co" in page.text) == (200, True), page.text[:300]


async def test_the_plan_knows_what_another_program_has_sent(api, services, owing):
    for customer in ("acme", "later", "longer"):
        await owing(customer)
    sent_by_another_program(services, "first", days_ago=2)
    sent_by_another_program(services, "first", days_ago=8, customer="later")
    sent_by_another_program(services, "first", days_ago=40, customer="longer")
    plan = (await api.get(f"{BASE}/plan")).json()
    going = {line["customer_id"]: line["reminder_type"] for line in plan["items"] if line["goes_out"]}
    assert going == {"later": "second", "longer": "first"}
    held = next(line for line in plan["items"] if line["customer_id"] == "acme")
    assert "7 days after the first reminder" in json.dumps(held)
