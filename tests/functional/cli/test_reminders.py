"""Reminders from a terminal: a ledger by hand and by file, drafted, approved, sent, explained, held and erased."""

from datetime import UTC, datetime, timedelta

import pytest

SOON = f"{datetime.now(UTC) + timedelta(days=30):%Y-%m-%d}"
CSV = """customer_id,customer_name,email,invoice_number,amount,currency,due
globex,Globex,globex@example.org,G-1,250.00,EUR,2025-01-31
globex,Globex,globex@example.org,G-2,nothing,EUR,2025-01-31
"""
LETTER = "About {{invoice_id}}\n\nDear {{customer_name}},\nplease pay.\n"


@pytest.fixture(scope="module")
def reminders(installed_machine):
    def run(*arguments, code=0):
        answer = installed_machine.run("reminders", *arguments)
        assert answer.code == code, answer.err + answer.out
        return answer

    return run


@pytest.fixture(scope="module")
def acme(reminders):
    reminders("add-customer", "acme", "Acme Ltd", "--email", "acme@example.org")
    reminders("add-invoice", "acme", "A-1", "1500.00", "EUR", "2025-09-01")
    return "acme"


def test_a_debt_is_drafted_approved_and_sent_once(reminders, acme):
    assert "The first reminder is next" in reminders("why", acme).out
    draft = reminders("draft", acme, "--json").json
    assert draft["overdue_amount"] == "1500.00"
    assert "1,500.00" in reminders("show", draft["id"]).out
    assert [row["id"] for row in reminders("drafts", "--json").json] == [draft["id"]]
    assert reminders("approve", draft["id"], "--seen", "0" * 64, code=1).err
    assert "is approved." in reminders("approve", draft["id"], "--seen", draft["content_hash"]).out
    assert reminders("send", draft["id"], "--json").json["status"] == "kept", "mail isn't set up here"
    assert reminders("send", draft["id"], "--json").json["status"] == "gone"
    [sent] = reminders("history", acme, "--json").json
    assert "Message-ID" in reminders("mail", sent["id"]).out
    assert "bytes" in reminders("mail", sent["id"], "--to", "sent.eml").out
    assert [row["id"] for row in reminders("sent", "--json").json] == [sent["id"]]
    assert "is kept here" in reminders("timeline", acme).out
    assert "No problems found in 1 ladders" in reminders("check").out


def test_a_file_is_tried_and_imported(installed_machine, reminders):
    (installed_machine.folder / "ledger.csv").write_text(CSV, "utf-8")
    assert "Preview; nothing was saved." in reminders("import", "ledger.csv", "--dry-run").out
    report = reminders("import", "ledger.csv", "--json").json
    assert report["counts"] == {"created": 1, "updated": 0, "unchanged": 0, "refused": 1}
    assert "G-1" in reminders("invoices").out
    plan = reminders("plan", "--json").json
    assert "globex" in [line["customer_id"] for line in plan["items"]]
    [drafted] = reminders("draft-due", "--json").json
    assert drafted["customer_id"] == "globex"
    assert "is snoozed." in reminders("snooze", drafted["draft_id"], SOON).out
    assert "is draft." in reminders("reopen", drafted["draft_id"]).out
    assert "is rejected." in reminders("reject", drafted["draft_id"], "They called.").out
    assert reminders("draft-due", "--json").json == []
    assert "250.00 to G-1" in reminders("pay", "globex", "bank-1", "250.00", "EUR").out
    assert "nothing changed" in reminders("pay", "globex", "bank-1", "250.00", "EUR").out


def test_many_are_snoozed_and_rejected_each_as_it_was_seen(reminders):
    for name in ("hooli", "umbrella"):
        reminders("add-customer", name, name.title(), "--email", f"{name}@example.org")
        reminders("add-invoice", name, f"{name}-1", "10.00", "EUR", "2025-01-01")
    first, second = (reminders("draft", name, "--json").json for name in ("hooli", "umbrella"))
    assert "Say why you reject this" in reminders("reject-many", " ", first["id"], code=2).err
    assert "in the future" in reminders("snooze-many", "2020-01-01", first["id"], code=2).err
    asleep = reminders("snooze-many", SOON, first["id"], second["id"], "--json").json
    assert [(row["decided"], row["status"]) for row in asleep] == [(True, "snoozed")] * 2
    reminders("reopen", first["id"])
    seen = f"{first['id']}={first['content_hash']}"
    partly = reminders("reject-many", "They called.", seen, second["id"], "--json", code=1).json
    assert [(row["id"], row["status"]) for row in partly] == [(first["id"], "rejected"), (second["id"], "snoozed")]
    assert partly[1]["reason"] == "It is snoozed already."
    reminders("cancel", second["id"], "Not of the tests that follow.")


def test_holds_templates_and_rules(installed_machine, reminders):
    reminders("add-customer", "initech", "Initech", "--email", "initech@example.org")
    reminders("add-invoice", "initech", "I-1", "10.00", "USD", "2025-01-01")
    held = reminders("hold", "initech", "pause", "--note", "On leave.", "--json").json
    assert "Paused until it is lifted" in reminders("why", "initech").out
    assert "is lifted" in reminders("lift", "initech", held["id"]).out
    assert "promise" in reminders("hold", "initech", "nonsense", code=2).err
    (installed_machine.folder / "letter.txt").write_text(
        "About {{invoice_id}}\n\nDear {{customer_name}},\nplease pay.\n", "utf-8"
    )
    assert "reminder_first has version 2." in reminders("save-template", "reminder_first", "letter.txt").out
    assert "About I-1" in reminders("preview", "reminder_first", "initech").out
    assert "None within days" in reminders("rules").out
    assert reminders("ageing", "--json").json
    assert reminders("pay", "I-1", "bank-7", "4.00", "USD", "--json").json["towards"] == {"I-1": "4.00"}
    assert "6.00 to I-1" in reminders("pay", "initech", "bank-8", "6.00", "USD").out
    assert "Invoice I-9 doesn't exist" in reminders("pay", "I-9", "bank-9", "1.00", "USD", code=1).err
    assert "No replies to read." in reminders("replies").out
    assert len(reminders("webhook-key").out.strip()) == 64
    assert "Erased" in reminders("erase", "initech", "--yes").out
    assert "Customer nobody doesn't exist" in reminders("why", "nobody", code=1).err
