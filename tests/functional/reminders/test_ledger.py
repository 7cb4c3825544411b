"""Edits of the ledger: customers, invoices and payments, each version-checked and applied to unsent reminders."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.audit import service as audit
from almanac.audit.model import AuditFilter
from almanac.desks.reminders import service, store
from almanac.desks.reminders.pipeline.context import load_requester
from almanac.desks.reminders.service import CustomerEdit, InvoiceEdit, NewHold, NewInvoice, NewPayment
from almanac.errors import Conflict, FieldErrors, NotAllowed, NotFound, StaleEdit
from almanac.kit.money import Money


def euros(amount):
    return Money(Decimal(amount), "EUR")


@pytest.fixture
async def acme(services):
    edit = CustomerEdit(name="Acme  Ltd", email="Acme <acme@example.org>", more_recipients=("boss@example.org", " "))
    return await service.add_customer(services, CONSOLE, "acme", edit)


async def billed(services, number="A-1", amount="100.00"):
    new = NewInvoice(customer_id="acme", number=number, amount=euros(amount), due=date(2026, 2, 1))
    return await service.add_invoice(services, CONSOLE, new)


async def test_a_customer_is_added_and_edited_on_the_version_that_was_seen(services, acme):
    assert (acme.name, acme.recipients) == ("Acme Ltd", ("acme@example.org", "boss@example.org"))
    changed = await service.edit_customer(
        services, CONSOLE, "acme", CustomerEdit(email="", notes="Ring first."), expected=acme.version
    )
    assert (changed.email, changed.notes, changed.name) == (None, "Ring first.", "Acme Ltd")
    with pytest.raises(StaleEdit):
        await service.edit_customer(services, CONSOLE, "acme", CustomerEdit(name="B"), expected=acme.version)
    with pytest.raises(Conflict):
        await service.add_customer(services, CONSOLE, "acme", CustomerEdit(name="Again"))


async def test_each_wrong_field_has_its_sentence(services):
    edit = CustomerEdit(name=" ", email="nobody", more_recipients=("x",), time_zone="Mars/Base", notes="n" * 10_001)
    with pytest.raises(FieldErrors) as failure:
        await service.add_customer(services, CONSOLE, "acme", edit)
    assert set(failure.value.fields) == {"name", "email", "more_recipients", "time_zone", "notes"}


async def test_an_opt_out_stops_the_approval_of_what_was_drafted(services, acme):
    await billed(services)
    draft = await service.draft_reminder(services, CONSOLE, "acme")
    await service.edit_customer(services, CONSOLE, "acme", CustomerEdit(opted_out=True), expected=acme.version)
    plan = await service.get_plan(services, CONSOLE)
    assert [line.decision.rule for line in plan.lines] == ["never"]
    with pytest.raises(Conflict, match="opted out"):
        await service.approve_draft(services, CONSOLE, draft.id, seen=draft.content_hash)


async def test_an_invoice_is_corrected_disputed_and_credited(services, acme):
    invoice = await billed(services)
    with pytest.raises(Conflict):
        await billed(services)
    disputed = await service.edit_invoice(
        services, CONSOLE, "acme", "A-1", InvoiceEdit(disputed=True, dispute_note="Damaged"), expected=invoice.version
    )
    assert (await service.get_plan(services, CONSOLE)).going_out == []
    with pytest.raises(StaleEdit):
        await service.edit_invoice(
            services, CONSOLE, "acme", "A-1", InvoiceEdit(amount=Decimal(1)), expected=invoice.version
        )
    credited = await service.edit_invoice(
        services, CONSOLE, "acme", "A-1", InvoiceEdit(credited=Decimal(100)), expected=disputed.version
    )
    assert credited.state == "credited"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"amount": euros("0")}, "amount"),
        ({"amount": euros("-1")}, "amount"),
        ({"number": ""}, "number"),
        ({"issued": date(2026, 3, 1)}, "due"),
        ({"paid": Decimal(200)}, "paid"),
    ],
)
async def test_an_invoice_that_makes_no_sense_is_refused(services, acme, change, field):
    new = NewInvoice(customer_id="acme", number="A-1", amount=euros("100"), due=date(2026, 2, 1))
    with pytest.raises(FieldErrors) as failure:
        await service.add_invoice(services, CONSOLE, replace(new, **change))
    assert field in failure.value.fields


async def test_a_payment_under_the_same_reference_counts_once(services, acme):
    await billed(services)
    new = NewPayment(customer_id="acme", reference="bank-1", amount=euros("40.00"))
    assert (await service.record_payment(services, CONSOLE, new)).changed
    assert not (await service.record_payment(services, CONSOLE, new)).changed
    assert (await store.get_invoice(services.tables, "acme", "A-1")).outstanding == euros("60.00")
    with pytest.raises(Conflict):
        await service.record_payment(services, CONSOLE, replace(new, amount=euros("50.00")))


async def test_a_full_payment_cancels_the_draft(services, acme):
    await billed(services)
    draft = await service.draft_reminder(services, CONSOLE, "acme")
    paid = await service.record_payment(
        services, CONSOLE, NewPayment(customer_id="acme", reference="b", amount=euros("100"))
    )
    assert paid.draft is not None
    assert (await store.get_draft(services.tables, draft.id)).state == "cancelled"


async def test_readers_may_not_write_and_strangers_are_not_found(services, acme):
    member = replace(CONSOLE, role=Role.MEMBER)
    with pytest.raises(NotAllowed):
        await service.add_customer(services, member, "b", CustomerEdit(name="B"))
    with pytest.raises(NotFound):
        await service.add_invoice(
            services, CONSOLE, NewInvoice(customer_id="ghost", number="G", amount=euros("1"), due=date(2026, 1, 1))
        )


async def test_a_hold_that_is_lifted_twice_is_told_of_once(services, acme):
    hold = await service.place_hold(services, CONSOLE, NewHold(customer_id="acme", kind="pause"))
    first, again = [await service.lift_hold(services, CONSOLE, "acme", hold.id) for _ in range(2)]
    assert again == first
    page = await audit.list_entries(services.database, AuditFilter(action="hold.lifted"), key=b"any")
    assert [entry.object_id for entry in page.items] == [hold.id]


async def test_work_of_somebody_whose_account_was_closed_meanwhile_is_not_done(services):
    user = await accounts.create_user(services.accounts, CONSOLE, email="ed@example.org", name="Ed", role=Role.EDITOR)
    assert (await load_requester(services, user.id)).role is Role.EDITOR
    await accounts.deactivate_user(services.accounts, CONSOLE, user.id, expected=user.version)
    with pytest.raises(NotAllowed):
        await load_requester(services, user.id)
