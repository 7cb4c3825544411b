"""A customer's page: explanation, invoices, payments, holds and timeline, and the actions on them."""

from dataclasses import dataclass
from typing import cast, get_args

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.desks.reminders import service
from almanac.desks.reminders.explainer import trace_line
from almanac.desks.reminders.model.labels import level_words
from almanac.desks.reminders.model.ledger import Customer, Hold, Invoice, Payment
from almanac.desks.reminders.model.plan import PlanLine
from almanac.desks.reminders.model.timeline import CustomerHistory, CustomerTimelineEntry
from almanac.desks.reminders.pages.customers import LANGUAGES
from almanac.desks.reminders.pages.form_values import parse_optional_day
from almanac.desks.reminders.pages.layout import PREFIX, Name, Reader, Writer, address, desk_page, load_user_names
from almanac.desks.reminders.pipeline.context import load_rules
from almanac.desks.reminders.service.holds import PlacedKind
from almanac.desks.reminders.urls import queue_url
from almanac.errors import Conflict, FieldErrors, InputError
from almanac.http.app_state import get_state
from almanac.http.cookies import Flash
from almanac.http.pages import FormText, redirect, redirect_with_message
from almanac.http.paging import Cursor, first_url, next_url
from almanac.kit.messages import gettext
from almanac.services import Services
from almanac.why import WhyReader, WhyTrace

router = APIRouter(prefix=PREFIX + "/customers/{customer_id}")
HOLDS = (
    ("promise", gettext("Promised to pay")),
    ("dispute", gettext("Disputes it")),
    ("pause", gettext("Pause for a while")),
    ("never", gettext("Never remind")),
)
HOLD_WORDS = {
    "promise": gettext("Promise to pay"),
    "dispute": gettext("Dispute"),
    "pause": gettext("Pause"),
    "reply": gettext("Reply to read"),
    "never": gettext("Never remind"),
}
_TONES = {"invoice": "plain", "payment": "done", "hold": "waiting", "lifted": "plain", "sent": "running"}


@dataclass(frozen=True, slots=True)
class CustomerAccount:
    """The ledger data of the customer's page."""

    customer: Customer
    invoices: tuple[Invoice, ...]
    payments: list[Payment]
    holds: list[Hold]
    why: list[tuple[PlanLine, WhyTrace]]


@dataclass(frozen=True, slots=True)
class TimelineRow:
    """A timeline entry with the URL of what it is about."""

    entry: CustomerTimelineEntry
    href: str
    by: str
    tone: str


@router.get("")
async def show_customer(request: Request, customer_id: Name, principal: Reader, cursor: Cursor = None) -> Response:
    """Show everything about a customer."""
    return await render_account(request, principal, customer_id, cursor=cursor)


@router.post("/draft")
async def draft_next_reminder(
    request: Request, customer_id: Name, principal: Writer, currency: FormText = ""
) -> Response:
    """Draft the next reminder, or show why there is none."""
    services = get_state(request).services
    try:
        draft = await service.draft_reminder(services, principal, customer_id, currency=currency or None)
    except (Conflict, InputError) as error:
        return redirect(request, address("customers", customer_id), Flash(error.sentence, "failed"))
    return redirect_with_message(
        request,
        queue_url(draft.id),
        gettext(
            "The %(level)s reminder to %(customer_name)s is drafted.",
            level=level_words(draft.level),
            customer_name=draft.customer_name,
        ),
    )


@router.post("/holds")
async def place_hold(
    request: Request,
    customer_id: Name,
    principal: Writer,
    kind: FormText = "",
    invoice: FormText = "",
    until: FormText = "",
    note: FormText = "",
) -> Response:
    """Hold reminders about one invoice or all, until a date or until the hold is lifted."""
    values = {"kind": kind, "invoice": invoice, "until": until, "note": note}
    try:
        new = service.NewHold(
            customer_id=customer_id,
            kind=_parse_kind(kind),
            invoice=invoice or None,
            until=parse_optional_day(until, "until"),
            note=note,
        )
        await service.place_hold(get_state(request).services, principal, new)
    except FieldErrors as error:
        return await render_account(
            request, principal, customer_id, status=422, errors=error.fields, open_form="hold", values=values
        )
    return redirect_with_message(request, address("customers", customer_id), gettext("Hold placed."))


@router.post("/holds/{hold_id}/lift")
async def lift_hold(request: Request, customer_id: Name, hold_id: Name, principal: Writer) -> Response:
    """End a hold."""
    await service.lift_hold(get_state(request).services, principal, customer_id, hold_id)
    return redirect_with_message(request, address("customers", customer_id), gettext("Hold lifted."))


@router.post("/erase")
async def erase_customer(request: Request, customer_id: Name, principal: Writer) -> Response:
    """Erase the customer's personal data; the page asked for confirmation."""
    try:
        await service.erase_customer(get_state(request).services, principal, customer_id)
    except Conflict as error:
        return redirect(request, address("customers", customer_id), Flash(error.sentence, "failed"))
    return redirect_with_message(request, address("customers", customer_id), gettext("Personal data erased."))


def _parse_kind(kind: str) -> PlacedKind:
    if kind not in get_args(PlacedKind):
        raise FieldErrors({"kind": gettext("Choose why reminders are held.")})
    return cast("PlacedKind", kind)


async def render_account(
    request: Request,
    principal: Principal,
    customer_id: str,
    /,
    *,
    status: int = 200,
    cursor: str | None = None,
    errors: dict[str, str] | None = None,
    open_form: str = "",
    values: dict[str, str] | None = None,
) -> Response:
    """Render the customer's page; `open_form` is the rejected form, with its values and errors."""
    services = get_state(request).services
    history = await service.read_history(services, principal, customer_id)
    explanation = await service.explain_history(services, principal, history)
    reader = WhyReader(services, principal)
    account = _account(history, [(line, trace_line(reader, history.customer, line)) for line in explanation.lines])
    moments = service.list_timeline(services, history, limit=25, cursor=cursor)
    today = services.clock.now().astimezone((await load_rules(services)).zone(account.customer.time_zone)).date()
    return await desk_page(
        request,
        "customers",
        "customer",
        status_code=status,
        account=account,
        customer=account.customer,
        today=today,
        happened=await _timeline_rows(services, moments.items),
        hold_kinds=HOLDS,
        hold_words=HOLD_WORDS,
        speaks=dict(LANGUAGES).get(account.customer.language, account.customer.language),
        open_numbers=[(invoice.number, invoice.number) for invoice in account.invoices if invoice.outstanding],
        errors=errors or {},
        open_form=open_form,
        values=values or {},
        here=address("customers", customer_id),
        next_url=next_url(request.url, moments.next_cursor),
        first_url=first_url(request.url, cursor),
    )


def _account(history: CustomerHistory, why: list[tuple[PlanLine, WhyTrace]]) -> CustomerAccount:
    return CustomerAccount(
        history.customer,
        tuple(sorted(history.invoices, key=lambda invoice: (invoice.state != "open", invoice.due, invoice.number))),
        sorted(history.payments, key=lambda payment: payment.received_at, reverse=True),
        service.sort_holds(history.holds),
        why,
    )


async def _timeline_rows(services: Services, entries: list[CustomerTimelineEntry]) -> list[TimelineRow]:
    names = await load_user_names(services, (entry.by for entry in entries))
    return [TimelineRow(entry, _href(entry), names.get(entry.by, ""), _tone(entry)) for entry in entries]


def _href(entry: CustomerTimelineEntry) -> str:
    if entry.kind == "sent":
        return address("sent", entry.of)
    return address("drafts", entry.of) if entry.kind in ("draft", "decided") else ""


def _tone(entry: CustomerTimelineEntry) -> str:
    if entry.state in ("bounced", "complained", "failed", "unknown", "disputed"):
        return "failed"
    if entry.kind == "sent" and entry.state == "delivered":
        return "done"
    return _TONES.get(entry.kind, "plain")
