"""Writes to the ledger: customers, invoices, payments and holds, each with its effect on ladder and open draft.

Invoices and payments write the ladder of their currency; customer data and holds raise the customer's version. Either
way a sending that was decided before is decided again.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from almanac.desks.reminders.model.draft import ReminderDraft
from almanac.desks.reminders.model.eligibility import Case
from almanac.desks.reminders.model.ladder import OPEN_STATES, Ladder, LadderRules
from almanac.desks.reminders.model.ledger import Customer, Hold, Invoice, Payment, make_sort_name
from almanac.desks.reminders.model.outbox import OutboxEntry, PaymentEventFactory
from almanac.desks.reminders.model.transitions import advance_cycle, update_for_debt
from almanac.desks.reminders.store import table
from almanac.desks.reminders.store.drafts import draft_write, find_draft
from almanac.desks.reminders.store.ladders import list_ladders, read_case
from almanac.desks.reminders.store.ledger_queries import get_customer, list_customer_holds, list_payments, to_payment
from almanac.desks.reminders.store.transactions import commit, ladder_write, outbox_writes
from almanac.errors import Conflict, InputError, NotFound, StaleEdit
from almanac.kit.messages import gettext
from almanac.kit.money import Money
from almanac.kit.retry import WriteConflict, retry_on_conflict
from tablature import Write, create, patch, update
from tablature.async_database import AsyncDatabase
from tablature.errors import AlreadyExists, ConditionFailed, UniqueViolation

# Each new invoice takes two writes, and a transaction has at most a hundred.
MAX_INVOICES_PER_WRITE = 40
# Each takes one write, besides the payment, the ladder, the open draft and the event.
MAX_INVOICES_PER_PAYMENT = 90
_STALE_EDIT = gettext("Somebody else changed this first; load it again and repeat your change.")
INVALID_CUSTOMER_ID = gettext("A customer id has 1 to 100 letters, digits or _ . @ + -, without spaces.")


@dataclass(frozen=True, slots=True)
class LedgerChange:
    """The result of a ledger change: the case afterwards, the open draft, and whether anything was written.

    `paid` is how much of a payment went to which invoice.
    """

    case: Case
    draft: ReminderDraft | None
    changed: bool
    paid: Mapping[str, Decimal] = field(default_factory=dict)


async def create_customer(tables: AsyncDatabase, customer: Customer, *, now: datetime) -> Customer:
    """Store a new customer; Conflict if the id is taken."""
    _check_customer(customer)
    new = replace(customer, created_at=customer.created_at or now.replace(microsecond=0))
    try:
        await tables.create(customer_item(new))
    except AlreadyExists as error:
        raise Conflict(gettext("Customer %(id)s exists already.", id=customer.id)) from error
    return await get_customer(tables, customer.id)


async def save_customer(tables: AsyncDatabase, customer: Customer, entry: OutboxEntry | None = None) -> Customer:
    """Save a customer edited on the version it carries; StaleEdit if somebody else changed it first."""
    _check_customer(customer)
    try:
        await tables.transact(update(customer_item(customer)), *outbox_writes(entry))
    except ConditionFailed as error:
        current = await get_customer(tables, customer.id)
        raise StaleEdit(_STALE_EDIT, current=str(current.version)) from error
    return await get_customer(tables, customer.id)


def _check_customer(customer: Customer) -> None:
    if not table.CUSTOMER_ID_PATTERN.fullmatch(customer.id):
        raise InputError(INVALID_CUSTOMER_ID)


async def save_invoices(
    tables: AsyncDatabase, invoices: Sequence[Invoice], *, rules: LadderRules, now: datetime
) -> LedgerChange:
    """Save new and changed invoices of one customer in one currency, all or none; unchanged ones are skipped.

    At most MAX_INVOICES_PER_WRITE. Version 0 must be new; any other version must still be current.
    """
    customer, currency = _require_one_account(invoices)
    if len(invoices) > MAX_INVOICES_PER_WRITE:
        raise InputError(
            gettext(
                "Save at most %(limit)s invoices at once.",
                limit=MAX_INVOICES_PER_WRITE,
            )
        )

    def change(case: Case) -> tuple[list[Write[Any]], Case]:
        existing = {invoice.number: invoice for invoice in case.invoices}
        fresh = [
            _with_settled_at(existing.get(invoice.number), invoice, now)
            for invoice in invoices
            if _has_changed(existing.get(invoice.number), invoice)
        ]
        after = {**existing, **{invoice.number: invoice for invoice in fresh}}
        return [_invoice_write(invoice) for invoice in fresh], replace(case, invoices=tuple(after.values()))

    return await _change_ledger(tables, customer, currency, change, rules=rules, now=now)


def _has_changed(existing: Invoice | None, invoice: Invoice) -> bool:
    """Whether there is anything to write. StaleEdit if the stored invoice has another version."""
    if existing is None:
        return True
    if replace(existing, version=0, settled_at=None) == replace(invoice, version=0, settled_at=None):
        return False
    if existing.currency != invoice.currency:
        raise Conflict(
            gettext(
                "The invoice %(number)s is in %(currency)s; a currency can't be changed.",
                number=invoice.number,
                currency=existing.currency,
            )
        )
    if existing.version != invoice.version:
        raise StaleEdit(
            gettext("The invoice %(number)s was changed by somebody else first.", number=invoice.number),
            current=str(existing.version),
        )
    return True


def _require_one_account(invoices: Iterable[Invoice]) -> tuple[str, str]:
    accounts = {(invoice.customer_id, invoice.currency) for invoice in invoices}
    if len(accounts) != 1:
        raise InputError(gettext("Save the invoices of one customer in one currency at a time."))
    return accounts.pop()


def _with_settled_at(existing: Invoice | None, invoice: Invoice, at: datetime) -> Invoice:
    """The invoice with the moment it was settled; None while it is open or if it was already paid when added."""
    if existing is None or invoice.state == "open":
        return replace(invoice, settled_at=None)
    return replace(invoice, settled_at=at.replace(microsecond=0) if existing.state == "open" else existing.settled_at)


def _invoice_write(invoice: Invoice) -> Write[table.Invoice]:
    item = invoice_item(invoice)
    return update(item) if invoice.version else create(item)


async def record_payment(
    tables: AsyncDatabase,
    payment: Payment,
    *,
    rules: LadderRules,
    now: datetime,
    record_event: PaymentEventFactory | None = None,
) -> LedgerChange:
    """Record a payment, allocate it to invoices and update the ladder. The same reference again changes nothing.

    Without `towards` it pays the longest overdue invoices first. Conflict if it is more than is owed.
    """
    paid, before = payment, dict[str, datetime]()

    def change(case: Case) -> tuple[list[Write[Any]], Case]:
        nonlocal paid
        paid = allocate_payment(payment, case.invoices)
        writes, after = _payment_writes(paid, case, before, now)
        return [*writes, *(outbox_writes(record_event(paid, after.invoices)) if record_event else ())], after

    recorded = await _find_recorded_payment(tables, payment)
    if recorded is None:
        before = await _last_received(tables, payment.customer_id)
        try:
            result = await _change_ledger(
                tables, payment.customer_id, payment.amount.currency, change, rules=rules, now=now
            )
        except AlreadyExists:
            recorded = await _find_recorded_payment(tables, payment)
        else:
            return replace(result, paid=paid.towards)
    case = await read_case(tables, payment.customer_id, payment.amount.currency)
    return LedgerChange(case, None, changed=False, paid=recorded.towards if recorded else {})


def _payment_writes(
    paid: Payment, case: Case, before: Mapping[str, datetime], now: datetime
) -> tuple[list[Write[Any]], Case]:
    """An invoice is settled when its last payment was received, not when it was recorded."""
    existing, fresh = {invoice.number: invoice for invoice in case.invoices}, []
    for number, amount in paid.towards.items():
        invoice = replace(existing[number], paid=existing[number].paid + Money(amount, paid.amount.currency))
        last = max(paid.received_at, before.get(number, paid.received_at))
        fresh.append(_with_settled_at(existing[number], invoice, min(last, now)))
    after = {**existing, **{invoice.number: invoice for invoice in fresh}}
    writes: list[Write[Any]] = [create(payment_item(paid)), *(_invoice_write(invoice) for invoice in fresh)]
    return writes, replace(case, invoices=tuple(after.values()))


async def _last_received(tables: AsyncDatabase, customer_id: str) -> dict[str, datetime]:
    """When the last payment on each invoice of a customer was received."""
    last: dict[str, datetime] = {}
    for payment in await list_payments(tables, customer_id):
        for number in payment.towards:
            last[number] = max(payment.received_at, last.get(number, payment.received_at))
    return last


async def _find_recorded_payment(tables: AsyncDatabase, payment: Payment) -> Payment | None:
    """The payment with this reference. Conflict if it was recorded with another amount."""
    key = table.PaymentItem.key(customer_id=payment.customer_id, payment_id=payment.id)
    await get_customer(tables, payment.customer_id)
    item = await tables.get(key, consistent=True)
    if item is None:
        return None
    recorded = to_payment(item)
    if recorded.amount != payment.amount:
        raise Conflict(
            gettext(
                "Payment %(id)s is recorded already with %(amount)s; use another reference.",
                id=payment.id,
                amount=recorded.amount,
            )
        )
    return recorded


def allocate_payment(payment: Payment, invoices: Iterable[Invoice]) -> Payment:
    """The payment with its amounts by invoice."""
    open_invoices = {i.number: i for i in invoices if i.currency == payment.amount.currency and i.outstanding}
    towards = payment.towards or _allocate_oldest_first(payment, open_invoices.values())
    if len(towards) > MAX_INVOICES_PER_PAYMENT:
        raise Conflict(
            gettext(
                "A payment goes to at most %(limit)s invoices at once; record it in parts.",
                limit=MAX_INVOICES_PER_PAYMENT,
            )
        )
    for number, amount in towards.items():
        if number not in open_invoices:
            raise NotFound(
                gettext(
                    "This customer has no open invoice %(number)s in %(currency)s.",
                    number=number[:60],
                    currency=payment.amount.currency,
                )
            )
        if not 0 < amount <= open_invoices[number].outstanding.amount:
            raise Conflict(
                gettext(
                    "%(outstanding)s is owed on %(number)s; pay at most that.",
                    outstanding=open_invoices[number].outstanding,
                    number=number,
                )
            )
    if sum(towards.values()) > payment.amount.amount:
        raise InputError(gettext("The parts add up to more than the payment."))
    return replace(payment, towards=dict(towards))


def _allocate_oldest_first(payment: Payment, invoices: Iterable[Invoice]) -> dict[str, Any]:
    left, parts = payment.amount.amount, {}
    for invoice in sorted(invoices, key=lambda item: (item.due, item.number)):
        part = min(left, invoice.outstanding.amount)
        if part > 0:
            parts[invoice.number] = part
            left -= part
    if left > 0:
        raise Conflict(
            gettext("%(amount)s is more than is owed; record only what pays open invoices.", amount=payment.amount)
        )
    return parts


async def add_hold(
    tables: AsyncDatabase, hold: Hold, *, rules: LadderRules, now: datetime, entry: OutboxEntry | None = None
) -> Hold:
    """Store a hold, which stops unsent reminders; the same id again is the same hold."""
    hold = replace(hold, created_at=hold.created_at or now.replace(microsecond=0))

    async def attempt() -> None:
        customer = await get_customer(tables, hold.customer_id)
        ref = table.CustomerItem.key(customer_id=customer.id)
        raised = patch(ref, when=table.CustomerItem.version == customer.version, name=customer.name)
        await commit(tables, create(hold_item(hold)), raised, *outbox_writes(entry))

    try:
        await retry_on_conflict(attempt)
    except AlreadyExists:
        return hold
    await refresh_open_drafts(tables, hold.customer_id, rules=rules, now=now)
    return hold


async def lift_hold(
    tables: AsyncDatabase,
    customer_id: str,
    hold_id: str,
    *,
    by: str,
    rules: LadderRules,
    now: datetime,
    record_event: Callable[[Hold], OutboxEntry] | None = None,
) -> tuple[Hold, OutboxEntry | None]:
    """End a hold; who lifted it and when is kept. The outbox entry is None if it was lifted before."""

    async def attempt() -> tuple[Hold, OutboxEntry | None]:
        customer = await get_customer(tables, customer_id)
        current = next((hold for hold in await list_customer_holds(tables, customer_id) if hold.id == hold_id), None)
        if current is None:
            raise NotFound(gettext("This hold doesn't exist."))
        if current.lifted_at is not None:
            return current, None
        lifted = replace(current, lifted_at=now.replace(microsecond=0), lifted_by=by)
        ref = table.CustomerItem.key(customer_id=customer_id)
        raised = patch(ref, when=table.CustomerItem.version == customer.version, name=customer.name)
        entry = record_event(lifted) if record_event else None
        await commit(tables, update(hold_item(lifted)), raised, *outbox_writes(entry))
        return lifted, entry

    outcome = await retry_on_conflict(attempt)
    await refresh_open_drafts(tables, customer_id, rules=rules, now=now)
    return outcome


async def refresh_open_drafts(tables: AsyncDatabase, customer_id: str, *, rules: LadderRules, now: datetime) -> None:
    """Update open drafts after a hold or the customer's data changed. Sending checks both again anyway."""
    for ladder in await list_ladders(tables, customer_id):
        await _change_ledger(tables, customer_id, ladder.currency, lambda case: ([], case), rules=rules, now=now)


LedgerWrite = Callable[[Case], tuple[list[Write[Any]], Case]]


async def _change_ledger(
    tables: AsyncDatabase, customer_id: str, currency: str, change: LedgerWrite, *, rules: LadderRules, now: datetime
) -> LedgerChange:
    """One transaction: the ledger's items, the ladder, and the open draft as the new debt leaves it."""

    async def attempt() -> LedgerChange:
        case = await read_case(tables, customer_id, currency)
        before = await _find_open_draft(tables, case.ladder)
        writes, after = change(case)
        draft = update_for_debt(before, after, rules, now)
        ladder = advance_cycle(after, rules, now)
        if draft is not before and before is not None and draft is not None:
            draft = replace(draft, version=before.version + 1)
            writes.append(draft_write(before, draft, now))
            ladder = ladder.in_state(draft.state, now)
        if not writes and ladder == case.ladder:
            return LedgerChange(case, draft, changed=False)
        await _commit_ledger(tables, [ladder_write(ladder), *writes])
        return LedgerChange(replace(after, ladder=ladder), draft, changed=True)

    return await retry_on_conflict(attempt)


async def _find_open_draft(tables: AsyncDatabase, ladder: Ladder) -> ReminderDraft | None:
    """The draft that occupies the level; None if it expired or another program changed it."""
    if ladder.open is None:
        return None
    draft = await find_draft(tables, ladder.open.draft_id)
    return draft if draft and draft.state == ladder.open.state and draft.state in OPEN_STATES else None


async def _commit_ledger(tables: AsyncDatabase, writes: list[Write[Any]]) -> None:
    try:
        await commit(tables, *writes)
    except UniqueViolation as error:
        raise Conflict(
            gettext("An invoice number is used by another invoice."), numbers=_invoice_numbers(writes)
        ) from error
    except AlreadyExists as error:
        if any(write.ref.cls is table.PaymentItem for write in writes):
            raise
        raise WriteConflict from error
    except ConditionFailed as error:
        raise WriteConflict from error


def _invoice_numbers(writes: Iterable[Write[Any]]) -> list[str]:
    return [str(write.ref.values["number"]) for write in writes if write.ref.cls is table.Invoice]


def customer_item(customer: Customer) -> table.CustomerItem:
    assert customer.created_at is not None
    return table.CustomerItem(
        customer_id=customer.id,
        name=customer.name,
        sort_name=make_sort_name(customer.name),
        email=customer.email,
        more_recipients=list(customer.more_recipients),
        language=customer.language,
        time_zone=customer.time_zone,
        opted_out=customer.opted_out,
        never_remind=customer.never_remind,
        notes=customer.notes or None,
        created_at=customer.created_at,
        erased_at=customer.erased_at,
        version=customer.version,
    )


def invoice_item(invoice: Invoice) -> table.Invoice:
    return table.Invoice(
        customer_id=invoice.customer_id,
        number=invoice.number,
        amount=invoice.amount.amount,
        currency=invoice.currency,
        issued=invoice.issued,
        due=invoice.due,
        paid=invoice.paid.amount,
        credited=invoice.credited.amount,
        disputed=invoice.disputed,
        dispute_note=invoice.dispute_note or None,
        state=invoice.state,
        settled_at=invoice.settled_at,
        version=invoice.version,
    )


def payment_item(payment: Payment) -> table.PaymentItem:
    return table.PaymentItem(
        customer_id=payment.customer_id,
        payment_id=payment.id,
        amount=payment.amount.amount,
        currency=payment.amount.currency,
        received_at=payment.received_at,
        towards=payment.towards,
        note=payment.note or None,
        recorded_by=payment.recorded_by or None,
    )


def hold_item(hold: Hold) -> table.HoldItem:
    assert hold.created_at is not None
    return table.HoldItem(
        customer_id=hold.customer_id,
        hold_id=hold.id,
        kind=hold.kind,
        invoice=hold.invoice,
        until=hold.until,
        note=hold.note or None,
        by=hold.by or None,
        created_at=hold.created_at,
        lifted_at=hold.lifted_at,
        lifted_by=hold.lifted_by or None,
        state="lifted" if hold.lifted_at else "standing",
    )
