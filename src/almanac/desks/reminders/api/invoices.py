"""API: invoices and payments."""

from typing import Annotated
from urllib.parse import quote

from fastapi import Query, Request, Response
from pydantic import Field

from almanac.accounts.model import Principal
from almanac.desks.reminders import service
from almanac.desks.reminders.api.dependencies import (
    PREFIX,
    Amount,
    Currency,
    CustomerId,
    Day,
    InvoiceNumber,
    Moment,
    Name,
    Note,
    Reader,
    Writer,
    new_router,
    parse_money,
)
from almanac.desks.reminders.api.schemas import InvoiceBody, PaymentBody
from almanac.desks.reminders.model.ledger import InvoiceState
from almanac.errors import FieldErrors
from almanac.http.api_models import ApiModel, Listed, Text
from almanac.http.app_state import get_state
from almanac.http.etags import IfMatch, parse_if_match, with_etag
from almanac.http.idempotency.route import REPEATABLE, get_seed
from almanac.http.paging import Cursor, Limit
from almanac.http.problems import documented_problems
from almanac.kit.messages import gettext
from almanac.services import Services

router = new_router()


class NewInvoiceRequest(ApiModel):
    """An invoice to add."""

    customer_id: Name
    number: Name
    amount: Amount
    currency: Currency
    due: Day
    issued: Day | None = None
    paid: Amount | None = Field(None, description="The amount already paid.")

    def value(self) -> service.NewInvoice:
        money = parse_money(self.amount, self.currency)
        paid = parse_money(self.paid, self.currency, "paid").amount if self.paid else money.amount - money.amount
        return service.NewInvoice(
            customer_id=self.customer_id, number=self.number, amount=money, due=self.due, issued=self.issued, paid=paid
        )


class InvoiceEditRequest(ApiModel):
    """Fields to change; omitted ones keep their value. `credited` is the sum of all credits."""

    amount: Amount | None = None
    due: Day | None = None
    issued: Day | None = None
    credited: Amount | None = None
    disputed: bool | None = None
    dispute_note: Text | None = None


class PaymentRequest(ApiModel):
    """A received payment. The same reference again is the same payment."""

    customer_id: Name | None = Field(None, description="Who paid; optional if an invoice identifies the customer.")
    invoice: Name | None = Field(None, description="The invoice that the whole amount goes to.")
    reference: Annotated[str, Field(min_length=1, max_length=200, description="The payer's reference.")]
    amount: Amount
    currency: Currency
    received_at: Moment | None = Field(None, description="When it was received; by default now.")
    towards: Annotated[dict[str, Amount], Field(max_length=500)] | None = Field(
        None, description="The amount for each invoice; without it the oldest are paid first."
    )
    note: Note = ""

    def value(self) -> service.NewPayment:
        amounts = {self.invoice: self.amount} if self.invoice else self.towards or {}
        if self.invoice and self.towards:
            raise FieldErrors(
                {"invoice": gettext("Name one invoice, or say in towards how much goes to which; not both.")}
            )
        parts = {number: parse_money(part, self.currency, "towards") for number, part in amounts.items()}
        return service.NewPayment(
            customer_id=self.customer_id or "",
            reference=self.reference,
            amount=parse_money(self.amount, self.currency),
            received_at=self.received_at,
            towards={number: part.amount for number, part in parts.items()},
            note=self.note,
        )


class PaymentResult(ApiModel):
    """The result of a payment. `recorded` is false if the same reference was recorded before."""

    reference: str
    recorded: bool
    towards: dict[str, str]
    invoices: list[InvoiceBody]


@router.get("/invoices")
async def list_invoices(
    request: Request,
    principal: Reader,
    state: Annotated[InvoiceState, Query(description="open, paid or credited")] = "open",
    number: Annotated[str, Query(max_length=100, description="The invoice with this number, in any state.")] = "",
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Listed[InvoiceBody]:
    """List everybody's invoices in one state by due date, or find one by its number."""
    if number:
        invoices = await service.find_invoices(get_state(request).services, principal, number)
        return Listed(
            items=[InvoiceBody.from_model(invoice) for invoice in invoices if invoice.number == number.strip()],
            next_cursor=None,
        )
    page = await service.list_invoices(get_state(request).services, principal, state, limit=limit, cursor=cursor)
    return Listed(items=[InvoiceBody.from_model(invoice) for invoice in page.items], next_cursor=page.next_cursor)


@router.post("/invoices", status_code=201, responses=documented_problems(409), openapi_extra=REPEATABLE)
async def add_invoice(request: Request, response: Response, body: NewInvoiceRequest, principal: Writer) -> InvoiceBody:
    """Add an invoice to a customer; invoice numbers are unique in the installation."""
    added = await service.add_invoice(get_state(request).services, principal, body.value(), seed=get_seed(request))
    number = quote(added.number, safe="")
    response.headers["Location"] = f"{PREFIX}/customers/{added.customer_id}/invoices/{number}"
    return InvoiceBody.from_model(with_etag(response, added))


@router.get("/customers/{customer_id}/invoices")
async def list_invoices_of(request: Request, customer_id: CustomerId, principal: Reader) -> Listed[InvoiceBody]:
    """A customer's invoices by due date, including paid ones."""
    invoices = await service.list_customer_invoices(get_state(request).services, principal, customer_id)
    return Listed(items=[InvoiceBody.from_model(invoice) for invoice in invoices], next_cursor=None)


@router.get("/customers/{customer_id}/invoices/{number:path}")
async def get_invoice(
    request: Request, response: Response, customer_id: CustomerId, number: InvoiceNumber, principal: Reader
) -> InvoiceBody:
    """Get an invoice."""
    invoice = await service.get_invoice(get_state(request).services, principal, customer_id, number)
    return InvoiceBody.from_model(with_etag(response, invoice))


@router.patch("/customers/{customer_id}/invoices/{number:path}", responses=documented_problems(409, 412, 428))
async def edit_invoice(
    request: Request,
    response: Response,
    customer_id: CustomerId,
    number: InvoiceNumber,
    body: InvoiceEditRequest,
    principal: Writer,
    if_match: IfMatch = None,
) -> InvoiceBody:
    """Correct, credit or dispute an invoice. Needs If-Match with the ETag that was read."""
    edit = service.InvoiceEdit(**body.model_dump())
    services, expected = get_state(request).services, parse_if_match(if_match)
    saved = await service.edit_invoice(services, principal, customer_id, number, edit, expected=expected)
    return InvoiceBody.from_model(with_etag(response, saved))


@router.get("/customers/{customer_id}/payments")
async def list_payments(request: Request, customer_id: CustomerId, principal: Reader) -> Listed[PaymentBody]:
    """List a customer's payments, newest first."""
    payments = await service.list_payments(get_state(request).services, principal, customer_id)
    return Listed(items=[PaymentBody.from_model(payment) for payment in payments], next_cursor=None)


@router.post(
    "/payments",
    status_code=201,
    responses={**documented_problems(409), 200: {"model": PaymentResult}},
    openapi_extra=REPEATABLE,
)
async def record_payment(
    request: Request, response: Response, body: PaymentRequest, principal: Writer
) -> PaymentResult:
    """Record a payment and update invoices and drafts; 200 if the reference was recorded before."""
    taken = await book_payment(get_state(request).services, principal, body)
    response.status_code = 201 if taken.recorded else 200
    return taken


async def book_payment(services: Services, by: Principal, body: PaymentRequest) -> PaymentResult:
    """Record a payment once, whoever reports it."""
    change = await service.record_payment(services, by, body.value())
    paid = [invoice for invoice in change.case.invoices if invoice.number in change.paid]
    return PaymentResult(
        reference=body.reference,
        recorded=change.changed,
        towards={number: str(part) for number, part in change.paid.items()},
        invoices=[InvoiceBody.from_model(invoice) for invoice in paid],
    )
