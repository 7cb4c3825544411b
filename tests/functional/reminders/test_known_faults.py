"""Regression tests for known faults of such systems, one per fault."""

from datetime import date, timedelta
from decimal import Decimal

import pytest

from almanac.accounts.model import CONSOLE, Principal
from almanac.accounts.permissions import Role
from almanac.bootstrap import make_worker
from almanac.desks.reminders import service, store
from almanac.desks.reminders.jobs import CLEAN_UP
from almanac.desks.reminders.service import CustomerEdit, NewInvoice
from almanac.desks.reminders.store import table
from almanac.errors import AlmanacError, Conflict, NotAllowed
from almanac.kit.money import Money
from almanac.mail.port import MailRefused
from tablature.engine.housekeeping import Housekeeper


def items_of(services, customer_id):
    """What is stored under a customer's key, by anybody who follows the document."""
    request = {
        "TableName": services.settings.email_tracking_table,
        "KeyConditionExpression": "PK = :pk",
        "ExpressionAttributeValues": {":pk": {"S": f"CUSTOMER#{customer_id}"}},
    }
    return services.table_service.send("Query", request)["Items"]


async def test_a_customer_is_read_under_the_key_it_is_written_under(services):
    await service.add_customer(services, CONSOLE, "cust_001", CustomerEdit(name="John Doe", email="john@example.com"))
    [profile] = items_of(services, "cust_001")
    assert (profile["PK"]["S"], profile["SK"]["S"]) == ("CUSTOMER#cust_001", "PROFILE")
    assert (await service.get_customer(services, CONSOLE, "cust_001")).name == "John Doe"


async def test_duplicates_are_looked_up_where_sent_mails_are_written(services, account, clock):
    acme = await account()
    await acme.send()
    assert [item["SK"]["S"][:5] for item in items_of(services, "acme") if "SENT" in item["SK"]["S"]] == ["SENT#"]
    for days in (0, 3, 3.9):
        clock.advance(days=days)
        with pytest.raises(Conflict, match="7 days after the first reminder"):
            await service.draft_reminder(services, CONSOLE, "acme")


async def test_amounts_are_exact_decimals_and_never_floats(services, account):
    await account()
    with pytest.raises(TypeError, match="never a float"):
        Money(1500.10, "EUR")
    cents, paid = Money(Decimal("0.10"), "EUR"), Decimal("0.03")
    new = NewInvoice(customer_id="acme", number="INV-3", amount=cents, due=date(2026, 2, 1), paid=paid)
    assert (await service.add_invoice(services, CONSOLE, new)).outstanding == Money(Decimal("0.07"), "EUR")
    draft = await service.draft_reminder(services, CONSOLE, "acme")
    [stored] = [item for item in items_of(services, "acme") if item["SK"]["S"].startswith("DRAFT#")]
    assert stored["overdue_amount"] == {"N": "100.07"}
    assert "100.07 EUR" in draft.wording.text


async def test_an_error_message_is_never_saved_as_the_mail(services, account, monkeypatch):
    await account()

    async def fails(*_, **__):
        raise AlmanacError("The model is not available.")

    monkeypatch.setattr(type(services.writer), "write", fails)
    with pytest.raises(AlmanacError):
        await service.draft_reminder(services, CONSOLE, "acme", how="model")
    assert (await service.list_drafts(services, CONSOLE)).items == []


async def test_a_double_click_sends_once(services, account, outbox):
    acme = await account()
    draft = await acme.draft()
    for _ in range(2):
        await service.approve_draft(services, CONSOLE, draft.id, seen=draft.content_hash, send_after=timedelta())
    for _ in range(2):
        await service.send_draft(services, CONSOLE, draft.id)
    assert len(outbox.sent) == 1


async def test_nobody_approves_without_the_right_or_in_somebody_elses_name(services, account):
    acme = await account()
    draft = await acme.draft()
    editor = Principal(user_id="eve", name="Eve", email="eve@example.org", role=Role.EDITOR, via="session")
    with pytest.raises(NotAllowed):
        await service.approve_draft(services, editor, draft.id, seen=draft.content_hash)
    approver = Principal(user_id="ada", name="Ada", email="ada@example.org", role=Role.APPROVER, via="session")
    approved = await service.approve_draft(services, approver, draft.id, seen=draft.content_hash)
    assert approved.approved.by.id == "ada"


async def test_opt_outs_and_bounces_are_respected(services, account, outbox):
    acme, beta = await account("acme"), await account("beta")
    draft = await acme.approved()
    customer = await service.get_customer(services, CONSOLE, "acme")
    await service.edit_customer(services, CONSOLE, "acme", CustomerEdit(opted_out=True), expected=customer.version)
    assert (await service.send_draft(services, CONSOLE, draft.id)).state == "cancelled"
    draft = await beta.approved()
    await services.suppressions.add("beta@example.org", source="bounce", reason="No such mailbox.")
    assert (await service.send_draft(services, CONSOLE, draft.id)).state == "failed"
    with pytest.raises(Conflict, match="All addresses of the customer are suppressed"):
        await service.draft_reminder(services, CONSOLE, "beta")
    assert outbox.sent == []


async def test_drafts_go_after_thirty_days_and_sent_mails_after_a_year(services, account, clock):
    await (await account("acme")).send()
    await (await account("beta")).draft()
    sweeper = Housekeeper(services.engine.storage, clock=lambda: clock.now().timestamp())
    clock.advance(days=31)
    sweeper.sweep()
    assert (await service.list_drafts(services, CONSOLE)).items == []
    assert len((await service.list_sent_to_customer(services, CONSOLE, "acme")).items) == 1
    clock.advance(days=335)
    sweeper.sweep()
    assert (await service.list_sent_to_customer(services, CONSOLE, "acme")).items == []
    copies = [item for item in items_of(services, "acme") if item["SK"]["S"].startswith("COPY#")]
    assert copies == []
    assert (await store.read_case(services.tables, "acme", "EUR")).ladder.sent["first"].cycle == 1


async def test_the_mails_own_record_forgets_when_the_reminders_does(services, account, outbox, clock):
    outbox.failures.append(MailRefused("550 no such user"))
    refused, sent = await account("refused"), await account("sent")
    failed, _ = await refused.send(text="Dear Mr Refused")
    await sent.send(text="Dear Mr Sent")
    [mail] = await sent.history()
    mails = (await store.get_draft(services.tables, failed.id)).mail_id, mail.mail_id
    for days, subjects in ((29, ["A reminder", "A reminder"]), (2, ["Erased", "A reminder"]), (335, ["Erased"] * 2)):
        clock.advance(days=days)
        await services.jobs.defer(CLEAN_UP.job_type)
        await make_worker(services).drain()
        assert [(await services.mailbox.get(mail_id)).line.subject for mail_id in mails] == subjects
    async with services.database.unit() as unit:
        kept = await unit.all("SELECT recipients, content, raw, envelope_to FROM mail_messages")
    assert "example.org" not in str(kept)
    assert (await services.mailbox.get(mail.mail_id)).line.status == "sent"


async def test_what_failed_is_never_marked_as_sent(services, account, outbox):
    acme = await account()
    outbox.failures.append(MailRefused("550 no such user"))
    draft, standing = await acme.send()
    assert standing.state == "failed"
    assert await acme.history() == []
    assert (await store.get_draft(services.tables, draft.id)).state == "failed"
    sent = await services.tables.query(table.SentEmail.with_status(status="sent"))
    assert sent.items == []
