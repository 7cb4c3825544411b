"""The table of invoices, the form to add or edit one, and recording payments."""

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Annotated, cast

from fastapi import APIRouter, Form, Query, Request
from pydantic import BaseModel, Field
from starlette.datastructures import URL
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.desks.reminders import service, store
from almanac.desks.reminders.model.labels import INVOICE_STATES
from almanac.desks.reminders.model.ledger import AMOUNT_LIMIT, Invoice, InvoiceState
from almanac.desks.reminders.pages.customer_detail import render_account
from almanac.desks.reminders.pages.customer_picker import choose_customer, describe_customer
from almanac.desks.reminders.pages.form_values import (
    FieldErrorCollector,
    parse_amount_field,
    parse_day_field,
    parse_money_field,
    parse_optional_day,
)
from almanac.desks.reminders.pages.layout import PREFIX, Facet, Name, Reader, Writer, address, desk_page
from almanac.desks.reminders.pipeline.context import load_rules
from almanac.desks.reminders.service.invoices import validate_invoice
from almanac.errors import Conflict, FieldErrors, InputError, NotFound, StaleEdit
from almanac.http.app_state import get_state
from almanac.http.conflicts import EditConflict, make_conflict
from almanac.http.pages import FormText, parse_form_version, redirect_with_message
from almanac.http.paging import Cursor, first_url, next_url, with_query
from almanac.kit.messages import gettext
from almanac.kit.money import Money
from almanac.kit.paging import Page
from almanac.services import Services

router = APIRouter(prefix=PREFIX)
ROWS, MAX_FOUND = 50, 200
STATES: tuple[tuple[InvoiceState, str], ...] = (
    ("open", INVOICE_STATES["open"]),
    ("paid", INVOICE_STATES["paid"]),
    ("credited", INVOICE_STATES["credited"]),
)
_COMPARED = {
    "amount": gettext("Amount"),
    "credited": gettext("Credited"),
    "issued": gettext("Issued"),
    "due": gettext("Due"),
    "disputed": gettext("Disputed"),
    "dispute_note": gettext("What they say"),
}


class InvoiceForm(BaseModel):
    """The form fields that a browser sends."""

    customer_id: str = ""
    number: str = ""
    amount: str = ""
    currency: str = "EUR"
    issued: str = ""
    due: str = ""
    paid: str = "0"
    credited: str = "0"
    disputed: str = ""
    dispute_note: str = ""
    version: str = ""

    @classmethod
    def from_model(cls, invoice: Invoice) -> "InvoiceForm":
        """The form filled in with an invoice."""
        return cls(
            customer_id=invoice.customer_id,
            number=invoice.number,
            amount=f"{invoice.amount.amount:f}",
            currency=invoice.currency,
            issued=str(invoice.issued or ""),
            due=str(invoice.due),
            paid=f"{invoice.paid.amount:f}",
            credited=f"{invoice.credited.amount:f}",
            disputed="yes" if invoice.disputed else "",
            dispute_note=invoice.dispute_note,
            version=str(invoice.version),
        )

    def new(self, customer_id: str) -> service.NewInvoice:
        """The new invoice. FieldErrors with a sentence for each invalid field."""
        read = FieldErrorCollector()
        amount = read(lambda: parse_money_field(self.amount, self.currency))
        due = read(lambda: parse_day_field(self.due, "due"))
        issued = read(lambda: parse_optional_day(self.issued, "issued"))
        paid = read(lambda: parse_amount_field(self.paid or "0", "paid"))
        # A field that can't be read has a valid value here, so that the others are checked at the same time.
        new = service.NewInvoice(
            customer_id=customer_id,
            number=self.number,
            amount=amount or Money(AMOUNT_LIMIT - 1, "EUR"),
            due=due or issued or date(2000, 1, 1),
            issued=issued,
            paid=paid or Decimal(0),
        )
        read(lambda: validate_invoice(new))
        read.raise_errors()
        return new

    def edit(self) -> service.InvoiceEdit:
        """The edit. FieldErrors with a sentence for each invalid field."""
        read = FieldErrorCollector()
        edit = service.InvoiceEdit(
            amount=read(lambda: parse_amount_field(self.amount, "amount")),
            due=read(lambda: parse_day_field(self.due, "due")),
            issued=read(lambda: parse_optional_day(self.issued, "issued")),
            credited=read(lambda: parse_amount_field(self.credited or "0", "credited")),
            disputed=bool(self.disputed),
            dispute_note=self.dispute_note,
        )
        read.raise_errors()
        return edit


Sent = Annotated[InvoiceForm, Form()]


class InvoiceQuery(BaseModel):
    """The filters of the table: search text, state, only overdue ones, and the sort order."""

    q: str = Field("", max_length=200)
    state: str = ""
    overdue: str = ""
    sort: str = "due"

    @property
    def shown(self) -> InvoiceState | None:
        """The selected state; a search without one covers all states."""
        return next((state for state, _ in STATES if state == self.state), None if self.q.strip() else "open")

    @property
    def latest_first(self) -> bool:
        return self.sort == "-due"


@router.get("/invoices")
async def show_invoices(
    request: Request, principal: Reader, query: Annotated[InvoiceQuery, Query()], cursor: Cursor = None
) -> Response:
    """List everybody's invoices in one state by due date, or search by number or customer."""
    services = get_state(request).services
    today = services.clock.now().astimezone((await load_rules(services)).zone()).date()
    listed = await _list_invoices(services, principal, query, today, cursor)
    names = await store.find_customers(services.tables, (invoice.customer_id for invoice in listed.items))
    reversed_sort = None if query.latest_first else "-due"
    return await desk_page(
        request,
        "invoices",
        "invoices",
        invoices=listed.items,
        customers=names,
        today=today,
        q=query.q,
        facets=_facets(request, query),
        sort="-due" if query.latest_first else "due",
        sort_links={"due": with_query(request.url, sort=reversed_sort, cursor=None)},
        next_url=next_url(request.url, listed.next_cursor),
        first_url=first_url(request.url, cursor),
    )


async def _list_invoices(
    services: Services, principal: Principal, query: InvoiceQuery, today: date, cursor: str | None
) -> Page[Invoice]:
    if not query.q.strip():
        due_by = today - timedelta(days=1) if query.overdue and query.shown == "open" else None
        return await service.list_invoices(
            services,
            principal,
            query.shown or "open",
            due_by=due_by,
            latest_first=query.latest_first,
            limit=ROWS,
            cursor=cursor,
        )
    invoices = await service.find_invoices(services, principal, query.q, limit=MAX_FOUND)
    fits = [
        invoice
        for invoice in invoices
        if query.shown in (None, invoice.state)
        and not (query.overdue and (invoice.due >= today or not invoice.outstanding))
    ]
    return Page(fits[::-1] if query.latest_first else fits)


@router.get("/invoices/new")
async def show_new(request: Request, principal: Writer, customer_id: str = "") -> Response:
    """Show the form for a new invoice."""
    services = get_state(request).services
    customer = await describe_customer(services, principal, customer_id[:100]) if customer_id else ""
    return await _form(request, InvoiceForm(customer_id=customer))


@router.post("/invoices/new")
async def add_invoice(request: Request, principal: Writer, sent: Sent) -> Response:
    """Add an invoice to a customer, who is named by a label, name or id."""
    services = get_state(request).services
    choice = await choose_customer(services, principal, sent.customer_id)
    try:
        new = sent.new(choice.key)
        choice.require("customer_id")
        added = await service.add_invoice(services, principal, new)
    except FieldErrors as error:
        return await _form(
            request, sent, choice.errors("customer_id") | error.fields, matches=choice.matches, status=422
        )
    except Conflict as error:
        return await _form(request, sent, {"number": error.sentence}, status=409)
    return redirect_with_message(
        request, address("customers", added.customer_id), gettext("Invoice %(number)s is added.", number=added.number)
    )


@router.get("/customers/{customer_id}/invoices/{number:path}")
async def show_edit(request: Request, customer_id: Name, number: Name, _principal: Writer) -> Response:
    """Show the form filled in with the invoice."""
    invoice = await store.get_invoice(get_state(request).services.tables, customer_id, number)
    return await _form(request, InvoiceForm.from_model(invoice), editing=invoice)


@router.post("/customers/{customer_id}/invoices/{number:path}")
async def edit_invoice(request: Request, customer_id: Name, number: Name, principal: Writer, sent: Sent) -> Response:
    """Correct, credit or dispute an invoice; unsent drafts follow."""
    services, expected = get_state(request).services, parse_form_version(sent.version)
    invoice = await store.get_invoice(services.tables, customer_id, number)
    try:
        await service.edit_invoice(services, principal, customer_id, number, sent.edit(), expected=expected)
    except FieldErrors as error:
        return await _form(request, sent, error.fields, editing=invoice, status=422)
    except StaleEdit:
        conflict = await make_conflict(request, _differences(sent, invoice), invoice.version, request.url.path)
        return await _form(request, sent, editing=invoice, conflict=conflict, status=412)
    return redirect_with_message(
        request, address("customers", customer_id), gettext("Invoice %(number)s is saved.", number=number)
    )


@router.post("/customers/{customer_id}/payments")
async def record_payment(
    request: Request,
    customer_id: Name,
    principal: Writer,
    reference: FormText = "",
    amount: FormText = "",
    currency: FormText = "",
    received: FormText = "",
    towards: FormText = "",
    note: FormText = "",
) -> Response:
    """Record a payment; repeating the same reference changes nothing."""
    values = {
        "reference": reference,
        "amount": amount,
        "currency": currency,
        "received": received,
        "towards": towards,
        "note": note,
    }
    try:
        money, day = _read_payment(amount, currency, received, reference)
        new = service.NewPayment(
            customer_id=customer_id,
            reference=reference,
            amount=money,
            note=note,
            received_at=datetime.combine(day, time(12), UTC) if day else None,
            towards={towards: money.amount} if towards else {},
        )
        change = await service.record_payment(get_state(request).services, principal, new)
    except FieldErrors as error:
        return await render_account(
            request, principal, customer_id, status=422, errors=error.fields, open_form="payment", values=values
        )
    except (Conflict, InputError, NotFound) as error:
        return await render_account(
            request,
            principal,
            customer_id,
            status=error.status,
            errors={"reference": error.sentence},
            open_form="payment",
            values=values,
        )
    words = (
        gettext("%(amount)s is recorded.", amount=money)
        if change.changed
        else gettext("The payment %(reference)s was recorded before.", reference=reference)
    )
    return redirect_with_message(request, address("customers", customer_id), words)


def _read_payment(amount: str, currency: str, received: str, reference: str) -> tuple[Money, date | None]:
    """Amount and day of a payment. FieldErrors with a sentence for each invalid field."""
    read = FieldErrorCollector()
    if not reference.strip():
        read.errors["reference"] = gettext("Enter the reference of the payment.")
    day = read(lambda: parse_optional_day(received, "received"))
    money = read(lambda: parse_money_field(amount, currency))
    read.raise_errors()
    return cast("Money", money), day


async def _form(
    request: Request,
    form: InvoiceForm,
    errors: dict[str, str] | None = None,
    *,
    status: int = 200,
    editing: Invoice | None = None,
    conflict: EditConflict | None = None,
    matches: tuple[tuple[str, str], ...] = (),
) -> Response:
    customers = await store.find_customers(get_state(request).services.tables, [editing.customer_id] if editing else [])
    return await desk_page(
        request,
        "invoices",
        "invoice_form",
        status_code=status,
        form=form,
        errors=errors or {},
        editing=editing,
        customers=customers,
        conflict=conflict,
        matches=matches,
    )


def _differences(sent: InvoiceForm, saved: Invoice) -> list[tuple[str, str, str]]:
    """The fields in which the form differs from what somebody else saved meanwhile."""
    sent_values, saved_values = sent.model_dump(), InvoiceForm.from_model(saved).model_dump()
    return [
        (words, sent_values[name], saved_values[name])
        for name, words in _COMPARED.items()
        if sent_values[name] != saved_values[name]
    ]


def _facets(request: Request, query: InvoiceQuery) -> list[Facet]:
    plain = with_query(request.url, overdue=None, cursor=None)
    facets: list[Facet] = [
        (words, None, with_query(URL(plain), state=state), state == query.shown and not query.overdue)
        for state, words in STATES
    ]
    late = (
        gettext("Overdue"),
        None,
        with_query(request.url, state="open", overdue="yes", cursor=None),
        bool(query.overdue),
    )
    all_states = (gettext("All"), None, with_query(URL(plain), state=None), query.shown is None and not query.overdue)
    return [*([all_states] if query.q.strip() else ()), facets[0], late, *facets[1:]]
