"""The table of customers, and the form to add or edit one."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from pydantic import BaseModel
from starlette.responses import Response

from almanac.desks.reminders import service, store
from almanac.desks.reminders.model.ledger import Customer, Invoice
from almanac.desks.reminders.pages.layout import PREFIX, Name, Reader, Writer, address, desk_page
from almanac.desks.reminders.pipeline.context import load_rules
from almanac.desks.reminders.store.ledger import INVALID_CUSTOMER_ID
from almanac.desks.reminders.store.table import CUSTOMER_ID_PATTERN
from almanac.errors import Conflict, FieldErrors, InputError, StaleEdit
from almanac.http.app_state import get_state
from almanac.http.conflicts import EditConflict, make_conflict
from almanac.http.pages import ZoneText, parse_form_version, redirect_with_message
from almanac.http.paging import Cursor, first_url, next_url, with_query
from almanac.kit.messages import gettext
from almanac.kit.money import Money
from almanac.kit.paging import Page
from almanac.services import Services
from tablature.kept_reads import KeptReads

router = APIRouter(prefix=PREFIX + "/customers")
ROWS = 25
LANGUAGES = (
    ("en", gettext("English")),
    ("ms", gettext("Malay")),
    ("zh", gettext("Chinese")),
    ("de", gettext("German")),
    ("fr", gettext("French")),
)

_COMPARED = {
    "name": gettext("Name"),
    "email": "E-mail",
    "more_recipients": gettext("More recipients"),
    "language": gettext("Language"),
    "time_zone": gettext("Time zone"),
    "notes": gettext("Notes"),
    "never_remind": gettext("Never remind"),
    "opted_out": gettext("Opted out"),
}


@dataclass(frozen=True, slots=True)
class CustomerRow:
    """A customer with open and overdue amounts by currency."""

    customer: Customer
    open: list[Money]
    overdue: list[Money]


_LISTS: KeptReads[Page[CustomerRow]] = KeptReads()


class CustomerForm(BaseModel):
    """The form fields that a browser sends."""

    id: str = ""
    name: str = ""
    email: str = ""
    more_recipients: str = ""
    language: str = "en"
    time_zone: ZoneText = ""
    notes: str = ""
    never_remind: str = ""
    opted_out: str = ""
    version: str = ""

    @classmethod
    def from_model(cls, customer: Customer) -> "CustomerForm":
        """The form filled in with a customer."""
        return cls(
            id=customer.id,
            name=customer.name,
            email=customer.email or "",
            more_recipients="\n".join(customer.more_recipients),
            language=customer.language,
            time_zone=customer.time_zone or "",
            notes=customer.notes,
            version=str(customer.version),
            never_remind="yes" if customer.never_remind else "",
            opted_out="yes" if customer.opted_out else "",
        )

    def edit(self) -> service.CustomerEdit:
        return service.CustomerEdit(
            name=self.name,
            email=self.email,
            more_recipients=tuple(self.more_recipients.split()),
            language=self.language,
            time_zone=self.time_zone,
            notes=self.notes,
            never_remind=bool(self.never_remind),
            opted_out=bool(self.opted_out),
        )


Sent = Annotated[CustomerForm, Form()]


@router.get("")
async def show_customers(
    request: Request,
    principal: Reader,
    q: Annotated[str, Query(max_length=200)] = "",
    sort: str = "name",
    cursor: Cursor = None,
) -> Response:
    """List customers by name with what they owe, filtered by the start of the name or by id."""
    services = get_state(request).services

    async def load() -> Page[CustomerRow]:
        by_id = await store.find_customers(services.tables, [q.strip()]) if _looks_like_id(q) and not cursor else {}
        listed = await service.list_customers(
            services, principal, name_prefix=q, descending=sort == "-name", limit=ROWS, cursor=cursor
        )
        customers = {**by_id, **{customer.id: customer for customer in listed.items}}
        return Page(await _rows(services, list(customers.values())), listed.next_cursor)

    # What is overdue changes with the day, in each customer's time zone.
    minute = services.clock.now().replace(second=0, microsecond=0)
    listed = await _LISTS.get(services.tables, (q, sort == "-name", cursor, minute), load)
    reversed_url = with_query(request.url, sort=None if sort == "-name" else "-name", cursor=None)
    return await desk_page(
        request,
        "customers",
        "customers",
        rows=listed.items,
        q=q,
        sort="-name" if sort == "-name" else "name",
        sort_links={"name": reversed_url},
        next_url=next_url(request.url, listed.next_cursor),
        first_url=first_url(request.url, cursor),
    )


@router.get("/new")
async def show_new(request: Request, _principal: Writer) -> Response:
    """Show the form for a new customer."""
    return await _form(request, CustomerForm())


@router.post("/new")
async def add_customer(request: Request, principal: Writer, sent: Sent) -> Response:
    """Add a customer with an id of your choice."""
    try:
        added = await service.add_customer(get_state(request).services, principal, sent.id.strip(), sent.edit())
    except FieldErrors as error:
        invalid_id = {} if _looks_like_id(sent.id) else {"id": INVALID_CUSTOMER_ID}
        return await _form(request, sent, invalid_id | error.fields, status=422)
    except (Conflict, InputError) as error:
        return await _form(request, sent, {"id": error.sentence}, status=error.status)
    return redirect_with_message(
        request, address("customers", added.id), gettext("%(name)s is added.", name=added.name)
    )


@router.get("/{customer_id}/edit")
async def show_edit(request: Request, customer_id: Name, principal: Writer) -> Response:
    """Show the form filled in with the customer."""
    customer = await service.get_customer(get_state(request).services, principal, customer_id)
    return await _form(request, CustomerForm.from_model(customer), editing=customer)


@router.post("/{customer_id}/edit")
async def edit_customer(request: Request, customer_id: Name, principal: Writer, sent: Sent) -> Response:
    """Save the form; unsent drafts follow."""
    services, expected = get_state(request).services, parse_form_version(sent.version)
    customer = await service.get_customer(services, principal, customer_id)
    try:
        saved = await service.edit_customer(services, principal, customer_id, sent.edit(), expected=expected)
    except FieldErrors as error:
        return await _form(request, sent, error.fields, editing=customer, status=422)
    except StaleEdit:
        conflict = await make_conflict(request, _differences(sent, customer), customer.version, request.url.path)
        return await _form(request, sent, editing=customer, conflict=conflict, status=412)
    return redirect_with_message(
        request, address("customers", saved.id), gettext("%(name)s is saved.", name=saved.name)
    )


async def _form(
    request: Request,
    form: CustomerForm,
    errors: dict[str, str] | None = None,
    *,
    status: int = 200,
    editing: Customer | None = None,
    conflict: EditConflict | None = None,
) -> Response:
    languages: list[tuple[str, str]] = list(LANGUAGES)
    if form.language not in dict(languages):
        languages.append((form.language, form.language))
    return await desk_page(
        request,
        "customers",
        "customer_form",
        status_code=status,
        form=form,
        errors=errors or {},
        editing=editing,
        conflict=conflict,
        languages=languages,
    )


def _differences(sent: CustomerForm, saved: Customer) -> list[tuple[str, str, str]]:
    """The fields in which the form differs from what somebody else saved meanwhile."""
    saved_values, sent_values = CustomerForm.from_model(saved).model_dump(), sent.model_dump()
    return [
        (words, sent_values[key], saved_values[key])
        for key, words in _COMPARED.items()
        if sent_values[key] != saved_values[key]
    ]


def _looks_like_id(text: str) -> bool:
    return CUSTOMER_ID_PATTERN.fullmatch(text.strip()) is not None


async def _rows(services: Services, customers: list[Customer]) -> list[CustomerRow]:
    rules, now = await load_rules(services), services.clock.now()
    owed = await asyncio.gather(*(store.list_customer_invoices(services.tables, customer.id) for customer in customers))
    rows = []
    for customer, invoices in zip(customers, owed, strict=True):
        today = now.astimezone(rules.zone(customer.time_zone)).date()
        overdue = sum_by_currency(invoice for invoice in invoices if invoice.is_overdue(today))
        rows.append(CustomerRow(customer, sum_by_currency(invoices), overdue))
    return rows


def sum_by_currency(invoices: Iterable[Invoice]) -> list[Money]:
    """Outstanding amounts by currency."""
    totals: dict[str, Decimal] = {}
    for invoice in invoices:
        if invoice.is_open:
            totals[invoice.currency] = totals.get(invoice.currency, Decimal(0)) + invoice.outstanding.amount
    return [Money(totals[currency], currency) for currency in sorted(totals)]
