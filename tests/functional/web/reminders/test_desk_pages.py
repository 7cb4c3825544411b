"""Plan, sent mails, unknown outcomes, replies, templates, ladder and reports as pages, and an import from file to
report.
"""

import asyncio

import pytest

from almanac.accounts.model import AUTOMATION, CONSOLE
from almanac.bootstrap import make_worker
from almanac.desks.reminders import service, store
from almanac.desks.reminders.service.holds import IncomingReply, receive_reply
from almanac.mail.port import OutcomeUnknown

DIRTY = "Customer;Name;E-Mail;Invoice;Amount;Currency;Due\n"
ROWS = "C-1;Birch;b@example.org;I-1;1500.00;EUR;2026-01-15\nC-2;Cedar;;I-2;none;EUR;2026-01-15\n"


async def sent(services, draft):
    await service.approve_draft(services, CONSOLE, draft.id, seen=draft.content_hash)
    return await service.send_draft(services, CONSOLE, draft.id)


async def test_plan_and_reports_name_every_customer_and_sum_exactly(admin, owing, drafted):
    await owing("acme")
    await owing("cedar", name="Cedar", amount="1234567.89", currency="USD")
    await drafted("birch", name="Birch")
    page = (await admin.get("/reminders/plan?days=0")).text
    assert "Draft 2" in page
    assert "100.00 EUR is overdue on acme-1" in page
    held = (await admin.get("/reminders/plan?days=0&rule=claim")).text
    assert "A first reminder is open" in held
    reports = (await admin.get("/reminders/reports")).text
    assert "1,234,567.89" in reports
    assert "No reminder was sent in these days" in reports


async def test_a_sent_mail_is_shown_as_it_left(admin, services, drafted):
    draft = await drafted()
    assert (await sent(services, draft)).state == "sent"
    listed = (await admin.get("/reminders/sent")).text
    assert draft.wording.subject in listed
    [mail] = (await service.list_sent_to_customer(services, CONSOLE, "acme")).items
    page = (await admin.get(f"/reminders/sent/{mail.id}")).text
    assert "Exactly as it was sent" in page
    raw = (await admin.get(f"/reminders/sent/{mail.id}/mail.eml")).content
    assert raw == await store.get_sent_mail(services.tables, mail.id)
    assert "The first reminder went out" in (await admin.get("/reminders/customers/acme")).text


async def test_a_reminder_in_doubt_is_settled_by_a_person(admin, services, drafted):
    draft = await drafted()
    services.mail_transport.failures.append(OutcomeUnknown("The line went dead."))
    assert (await sent(services, draft)).state == "unknown"
    assert "In doubt" in (await admin.get("/reminders?state=unknown")).text
    refused = await admin.post(f"/reminders/drafts/{draft.id}/settle", {"why": "I asked them."})
    assert refused.status_code == 400
    form = {"outcome": "sent", "why": "They have it."}
    page = await admin.post(f"/reminders/drafts/{draft.id}/settle", form)
    assert "the reminder is sent" in page.text


async def test_a_reply_waits_for_a_person_to_say_what_it_means(admin, services, owing):
    await owing()
    await receive_reply(services, IncomingReply(id="1", text="We pay on Friday.", customer_id="acme"))
    assert "We pay on Friday." in (await admin.get("/reminders/replies")).text
    [reply] = await service.list_replies(services, CONSOLE)
    address = f"/reminders/replies/acme/{reply.id}"
    assert (await admin.post(address, {"meaning": ""})).status_code == 422
    page = await admin.post(address, {"meaning": "promise", "until": "2026-03-06"})
    assert "Reminders wait for the promised payment" in page.text
    assert "No replies to read" in page.text


async def test_a_template_is_previewed_saved_and_compared(admin, owing):
    await owing()
    path = "/reminders/templates/reminder_first"
    text = "Dear {{customer_name}},\n\nplease pay {{overdue_amount}}.\n{{invoice_list}}"
    form = {"name": "First", "subject": "Please pay", "body": text, "version": "1"}
    preview = await admin.post(path, {**form, "then": "preview", "customer": "acme"})
    assert "please pay 100.00 EUR." in preview.text
    wrong = await admin.post(path, {**form, "body": "{{nothing}}"})
    assert wrong.status_code == 422
    assert "a placeholder; choose from" in wrong.text
    assert "Version 2 is saved" in (await admin.post(path, form)).text
    assert (await admin.post(path, form)).status_code == 412
    changes = (await admin.get(f"{path}/versions/2")).text
    assert "What changed from version 1 to version 2" in changes
    assert "<ins>please pay {{overdue_amount}}.</ins>" in changes
    new = {"id": "reminder_first_de", "name": "Erste", "subject": "Mahnung", "body": "Bitte {{overdue_amount}}."}
    assert "Erste is saved" in (await admin.post("/reminders/templates/new", new)).text
    assert (await admin.post("/reminders/templates/new", new)).status_code == 422


async def test_the_ladder_is_changed_by_a_form(admin, services):
    form = {
        "name": ["first", "last", ""],
        "none_within": ["10", "4", "7"],
        "after_previous": ["0", "14", "7"],
        "grace_days": "3",
        "business_days_only": "yes",
        "holidays": "2026-12-25\n2026-12-26",
        "version": "0",
    }
    wrong = await admin.post("/reminders/ladder", {**form, "holidays": "Christmas"})
    assert wrong.status_code == 422
    assert "Ladder saved" in (await admin.post("/reminders/ladder", form)).text
    rules = await service.get_rules(services, CONSOLE)
    assert [level.name for level in rules.levels] == ["first", "last"]
    assert (rules.grace_days, rules.business_days_only, len(rules.holidays)) == (3, True, 2)


async def test_a_late_edit_of_the_ladder_keeps_its_words_and_shows_both(admin, services):
    form = {"name": ["first", ""], "none_within": ["10", "7"], "after_previous": ["0", "7"], "version": "0"}
    await admin.post("/reminders/ladder", {**form, "grace_days": "3"})
    late = {**form, "grace_days": "5", "holidays": "2026-12-25"}
    wrong = await admin.post("/reminders/ladder", {**late, "holidays": "Christmas"})
    assert 'name="version" value="0"' in wrong.text
    both = await admin.post("/reminders/ladder", late)
    assert both.status_code == 412
    assert "Someone else saved a different version" in both.text
    assert "2026-12-25</textarea>" in both.text
    assert (await service.get_rules(services, CONSOLE)).grace_days == 3
    assert "Ladder saved" in (await admin.post("/reminders/ladder", {**late, "version": "1"})).text


@pytest.fixture
async def crew(services):
    worker = make_worker(services)
    task = asyncio.create_task(worker.run())
    yield
    worker.stop()
    await task


async def test_an_import_shows_every_row_before_and_after(admin, services, crew):
    token = await admin.csrf()
    upload = {"file": ("open.csv", (DIRTY + ROWS).encode(), "text/csv")}
    page = await admin.http.post("/reminders/import", data={"csrf_token": token}, files=upload)
    assert "Import 1 row" in page.text
    assert "t an amount; use 1500.00" in page.text
    trial = page.url.path
    assert "C-2;" in (await admin.get(f"{trial}/refused.csv")).text.replace(",", ";")
    unmapped = await admin.get(f"{trial}?column_customer_id=")
    assert "Choose the column for each field" in unmapped.text
    report = await admin.post(trial)
    job = int(report.url.params["job"])
    async with asyncio.timeout(20):
        assert [item.status async for item in services.jobs.watch(job)][-1] == "succeeded"
    done = (await admin.get(report.url.path)).text
    assert "Refused rows" in done
    assert str((await store.get_invoice(services.tables, "C-1", "I-1")).amount) == "1,500.00 EUR"
    assert (await admin.get(trial)).status_code == 404
    empty = await admin.http.post("/reminders/import", data={"csrf_token": token})
    assert "Choose a CSV file" in empty.text


async def test_a_batch_is_drafted_with_a_reason_for_everybody_else(admin, services, owing, crew):
    await owing("acme")
    await service.add_customer(services, AUTOMATION, "birch", service.CustomerEdit(name="Birch"))
    page = await admin.post("/reminders/draft", {"customer": ["acme", "birch"]})
    job = int(page.url.params["job"])
    async with asyncio.timeout(20):
        assert [item.status async for item in services.jobs.watch(job)][-1] == "succeeded"
    done = (await admin.get(page.url.path)).text
    assert "1 drafted" in done


async def test_more_replies_ask_no_more_of_the_tables(services, owing):
    calls = []
    for number in range(6):
        await owing(f"customer-{number}")
        reply = IncomingReply(id=str(number), text="We pay on Friday.", customer_id=f"customer-{number}")
        await receive_reply(services, reply)
        with services.tables.measure() as spent:
            assert len(await service.list_replies(services, CONSOLE)) == number + 1
        calls.append(spent.total.calls)
    assert set(calls) == {calls[0]}
