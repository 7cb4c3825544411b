"""Invoices and payments: list, add, edit, record."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from decimal import Decimal

from almanac.accounts.model import Principal
from almanac.desks.reminders import store
from almanac.desks.reminders.events import publish_events, record_change
from almanac.desks.reminders.formats.rows import MAX_NUMBER
from almanac.desks.reminders.indexing import index_invoices
from almanac.desks.reminders.model.ledger import FIRST_DAY, LAST_DAY, Invoice, InvoiceState, Payment, is_plausible_date
from almanac.desks.reminders.model.outbox import OutboxEntry, describe_payment, make_outbox_entry
from almanac.desks.reminders.permissions import READ, WRITE
from almanac.desks.reminders.pipeline.context import load_rules
from almanac.desks.reminders.pipeline.dispatch import withdraw_blocked_mails
from almanac.desks.reminders.store.ledger import LedgerChange
from almanac.desks.reminders.store.table import CUSTOMER_ID_PATTERN
from almanac.errors import Conflict, FieldErrors, NotFound, StaleEdit
from almanac.kit.ids import Seed
from almanac.kit.messages import day_text, gettext
from almanac.kit.money import Money, currency_decimals
from almanac.kit.paging import Page
from almanac.kit.text import one_line
from almanac.services import Services

MAX_REFERENCE, MAX_NOTE = 200, 2000
_MAX_CUSTOMERS_SEARCHED = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class NewInvoice:
    """An invoice to be added."""

    customer_id: str
    number: str
    amount: Money
    due: date
    issued: date | None = None
    paid: Decimal = Decimal(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class InvoiceEdit:
    """What to change about an invoice; None leaves a field as it is. `credited` is the sum of all credits."""

    amount: Decimal | None = None
    due: date | None = None
    issued: date | None = None
    credited: Decimal | None = None
    disputed: bool | None = None
    dispute_note: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPayment:
    """A received payment under the payer's reference; without `towards` the oldest invoices are paid first.

    Without `customer_id` the customer is found by the invoices in `towards`.
    """

    reference: str
    amount: Money
    customer_id: str = ""
    received_at: datetime | None = None
    towards: dict[str, Decimal] = field(default_factory=dict)
    note: str = ""


async def list_invoices(
    services: Services,
    by: Principal,
    state: InvoiceState = "open",
    *,
    due_by: date | None = None,
    latest_first: bool = False,
    limit: int = 50,
    cursor: str | None = None,
) -> Page[Invoice]:
    """Everybody's invoices in one state by due date, optionally only those due by a day."""
    by.require(READ)
    return await store.list_invoices(
        services.tables, state, due_by=due_by, latest_first=latest_first, limit=limit, cursor=cursor
    )


async def find_invoices(services: Services, by: Principal, text: str, *, limit: int = 50) -> list[Invoice]:
    """The invoice with this number, else invoices of customers with this id or name beginning, by due date."""
    by.require(READ)
    search_text = one_line(text)
    if (exact := await store.find_invoice(services.tables, search_text)) is not None:
        return [exact]
    customers = await store.list_customers(services.tables, name_prefix=search_text, limit=_MAX_CUSTOMERS_SEARCHED)
    ids = {customer.id for customer in customers.items} if search_text else set()
    if CUSTOMER_ID_PATTERN.fullmatch(search_text):
        ids |= set(await store.find_customers(services.tables, [search_text]))
    groups = await asyncio.gather(
        *(store.list_customer_invoices(services.tables, customer_id) for customer_id in sorted(ids))
    )
    return sorted((invoice for some in groups for invoice in some), key=lambda invoice: (invoice.due, invoice.number))[
        :limit
    ]


async def get_invoice(services: Services, by: Principal, customer_id: str, number: str) -> Invoice:
    by.require(READ)
    await store.get_customer(services.tables, customer_id)
    return await store.get_invoice(services.tables, customer_id, number)


async def list_customer_invoices(services: Services, by: Principal, customer_id: str) -> list[Invoice]:
    """A customer's invoices by due date, including paid ones."""
    by.require(READ)
    await store.get_customer(services.tables, customer_id)
    invoices = await store.list_customer_invoices(services.tables, customer_id)
    return sorted(invoices, key=lambda invoice: (invoice.due, invoice.number))


async def list_payments(services: Services, by: Principal, customer_id: str) -> list[Payment]:
    """A customer's payments, the latest first."""
    by.require(READ)
    await store.get_customer(services.tables, customer_id)
    payments = await store.list_payments(services.tables, customer_id)
    return sorted(payments, key=lambda payment: (payment.received_at, payment.id), reverse=True)


async def add_invoice(services: Services, by: Principal, new: NewInvoice, *, seed: Seed | None = None) -> Invoice:
    """Add an invoice; Conflict if its number is taken, unless an earlier try of the request took it."""
    by.require(WRITE)
    invoice = validate_invoice(new)
    await store.get_customer(services.tables, new.customer_id)
    await _require_unused_number(services, invoice, seed)
    await _save_invoice(services, invoice)
    await record_change(services, by, "invoice.added", "invoice", invoice.number, customer=invoice.customer_id)
    return await store.get_invoice(services.tables, invoice.customer_id, invoice.number)


def validate_invoice(new: NewInvoice) -> Invoice:
    """The invoice to store. FieldErrors with a sentence for each invalid field."""
    number = one_line(new.number)
    errors: dict[str, str] = {}
    if not 1 <= len(number) <= MAX_NUMBER:
        errors["number"] = gettext("An invoice number has 1 to %(limit)s characters.", limit=MAX_NUMBER)
    if new.amount.amount <= 0:
        errors["amount"] = gettext("The amount must be more than zero.")
    if not 0 <= new.paid <= max(new.amount.amount, Decimal(0)):
        errors["paid"] = gettext("Paid can't be more than the amount.")
    if errors := errors | _find_date_errors(new.issued, new.due):
        raise FieldErrors(errors)
    return Invoice(
        customer_id=new.customer_id,
        number=number,
        amount=new.amount,
        issued=new.issued,
        due=new.due,
        paid=Money(new.paid, new.amount.currency),
        credited=Money.zero(new.amount.currency),
    )


async def _require_unused_number(services: Services, invoice: Invoice, seed: Seed | None) -> None:
    """An earlier try may have stored this very invoice; saving it again changes nothing then."""
    try:
        existing = await store.get_invoice(services.tables, invoice.customer_id, invoice.number)
    except NotFound:
        return
    if seed and seed.is_repeated and existing == replace(invoice, version=existing.version):
        return
    raise Conflict(gettext("Invoice %(number)s exists already.", number=invoice.number))


async def edit_invoice(
    services: Services, by: Principal, customer_id: str, number: str, edit: InvoiceEdit, *, expected: int
) -> Invoice:
    """Correct, credit or dispute an invoice if it is still at version `expected`, else StaleEdit."""
    by.require(WRITE)
    current = await store.get_invoice(services.tables, customer_id, number)
    if current.version != expected:
        raise StaleEdit(
            gettext("Somebody else changed this invoice first; load it again."), current=str(current.version)
        )
    changed = apply_invoice_edit(current, edit)
    if changed == current:
        return current
    await _save_invoice(services, changed)
    await record_change(services, by, "invoice.changed", "invoice", number, customer=customer_id)
    return await store.get_invoice(services.tables, customer_id, number)


def apply_invoice_edit(invoice: Invoice, edit: InvoiceEdit) -> Invoice:
    """The invoice with the edit. FieldErrors with one sentence for each invalid field."""
    changed = replace(
        invoice,
        amount=invoice.amount if edit.amount is None else Money(edit.amount, invoice.currency),
        due=edit.due or invoice.due,
        issued=edit.issued or invoice.issued,
        credited=invoice.credited if edit.credited is None else Money(edit.credited, invoice.currency),
        disputed=invoice.disputed if edit.disputed is None else edit.disputed,
        dispute_note=invoice.dispute_note if edit.dispute_note is None else edit.dispute_note.strip(),
    )
    errors = {
        field: f"{invoice.currency} amounts have {currency_decimals(invoice.currency)} decimals."
        for field, value, saved in (
            ("amount", edit.amount, changed.amount.amount),
            ("credited", edit.credited, changed.credited.amount),
        )
        if value is not None and value != saved
    }
    if changed.amount.amount <= 0:
        errors["amount"] = gettext("The amount must be more than zero.")
    if not 0 <= changed.credited.amount <= changed.amount.amount:
        errors["credited"] = gettext("Credited can't be more than the amount.")
    if len(changed.dispute_note) > MAX_NOTE:
        errors["dispute_note"] = gettext("A note has at most %(limit)s characters.", limit=f"{MAX_NOTE:,}")
    if errors := errors | _find_date_errors(changed.issued, changed.due):
        raise FieldErrors(errors)
    return changed


def _find_date_errors(issued: date | None, due: date) -> dict[str, str]:
    errors: dict[str, str] = {
        field: gettext(
            "Choose a day between %(first)s and %(last)s.",
            first=day_text(FIRST_DAY, "short_date"),
            last=day_text(LAST_DAY, "short_date"),
        )
        for field, day in (("issued", issued), ("due", due))
        if day is not None and not is_plausible_date(day)
    }
    if issued is not None and due < issued:
        errors["due"] = gettext("An invoice can't be due before it was issued.")
    return errors


async def _save_invoice(services: Services, invoice: Invoice) -> None:
    rules = await load_rules(services)
    await store.save_invoices(services.tables, [invoice], rules=rules, now=services.clock.now())
    await index_invoices(services, [invoice])
    await withdraw_blocked_mails(services, invoice.customer_id)


async def record_payment(services: Services, by: Principal, new: NewPayment) -> LedgerChange:
    """Record a payment and update invoices, ladder and open draft. The same reference again changes nothing."""
    by.require(WRITE)
    reference, now, payer = one_line(new.reference), services.clock.now(), await _find_payer(services, new)
    if not 1 <= len(reference) <= MAX_REFERENCE:
        raise FieldErrors({"reference": gettext("A reference has 1 to %(limit)s characters.", limit=MAX_REFERENCE)})
    if new.amount.amount <= 0:
        raise FieldErrors({"amount": gettext("A payment must be more than zero.")})
    if len(new.note) > MAX_NOTE:
        raise FieldErrors({"note": gettext("A note has at most %(limit)s characters.", limit=f"{MAX_NOTE:,}")})
    if new.received_at is not None and not is_plausible_date(new.received_at.date()):
        raise FieldErrors(
            {
                "received": gettext(
                    "Choose a day between %(first)s and %(last)s.",
                    first=day_text(FIRST_DAY, "short_date"),
                    last=day_text(LAST_DAY, "short_date"),
                )
            }
        )
    payment = Payment(
        customer_id=payer,
        id=reference,
        amount=new.amount,
        received_at=new.received_at or now,
        towards=new.towards,
        note=new.note.strip(),
        recorded_by=by.user_id,
    )
    return await _book_payment(services, by, payment, now)


async def _find_payer(services: Services, new: NewPayment) -> str:
    """The customer who paid: as given, or found by the invoices it pays."""
    if new.customer_id:
        return new.customer_id
    if not new.towards:
        raise FieldErrors({"customer_id": gettext("Name the customer who paid, or the invoice that is paid.")})
    invoices = {number: await store.find_invoice(services.tables, number) for number in new.towards}
    if unknown := next((number for number, invoice in invoices.items() if invoice is None), None):
        raise NotFound(
            gettext(
                "Invoice %(unknown)s doesn't exist; check its number, or name the customer who paid.",
                unknown=unknown[:60],
            )
        )
    payers = {invoice.customer_id for invoice in invoices.values() if invoice is not None}
    if len(payers) > 1:
        raise Conflict(
            gettext("These invoices belong to several customers; record a payment for each."), customers=sorted(payers)
        )
    return payers.pop()


async def _book_payment(services: Services, by: Principal, payment: Payment, now: datetime) -> LedgerChange:
    entries: list[OutboxEntry] = []

    def make_entry(paid: Payment, invoices: Sequence[Invoice]) -> OutboxEntry:
        entries[:] = [make_outbox_entry(now, *describe_payment(by.actor, paid, invoices))]
        return entries[0]

    rules = await load_rules(services)
    change = await store.record_payment(services.tables, payment, rules=rules, now=now, record_event=make_entry)
    if change.changed:
        await withdraw_blocked_mails(services, payment.customer_id)
        await publish_events(services, entries[0])
    return change
