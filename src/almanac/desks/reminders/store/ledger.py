"""Writing the ledger: customers, invoices, payments and holds, with what each does to ladder and open draft.

Invoices and payments write the ladder of their currency; a customer's own data and holds raise the customer's version.
Either way a sending that was decided before is decided anew.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from almanac.desks.reminders import stored, table
from almanac.desks.reminders.model.deciding import Case
from almanac.desks.reminders.model.draft import Draft
from almanac.desks.reminders.model.ladder import OPEN_STATES, Ladder
from almanac.desks.reminders.model.ledger import Customer, Hold, Invoice, Payment
from almanac.desks.reminders.model.moves import after_debt_changed, after_ledger
from almanac.desks.reminders.model.notice import Notice, PaymentNotice
from almanac.desks.reminders.model.rules import LadderRules
from almanac.desks.reminders.store.drafts import draft_write
from almanac.desks.reminders.store.guarding import Moved, commit, decided_anew, ladder_write
from almanac.desks.reminders.store.notices import notice_writes
from almanac.desks.reminders.store.reading import (
    find_draft,
    get_customer,
    holds_of,
    ladders_of,
    payments_of,
    read_case,
)
from almanac.errors import Conflict, InputError, NotFound, StaleEdit
from almanac.kit.money import Money
from tablature import Write, create, patch, update
from tablature.async_database import AsyncDatabase
from tablature.errors import AlreadyExists, ConditionFailed, UniqueViolation

# Each new invoice takes two actions, and a transaction has at most a hundred.
INVOICES_AT_ONCE = 40
# Each takes one, beside the payment, the ladder, the open draft and what there is to tell.
MOST_PAID_AT_ONCE = 90
_CHANGED = "Somebody else changed this first; load it again and repeat your change."


@dataclass(frozen=True, slots=True)
class LedgerChange:
    """What a change of the ledger came to: the case afterwards, the open draft, and whether anything was written.

    `paid` is how much of a payment went to which invoice.
    """

    case: Case
    draft: Draft | None
    changed: bool
    paid: Mapping[str, Decimal] = field(default_factory=dict)


async def create_customer(tables: AsyncDatabase, customer: Customer, *, now: datetime) -> Customer:
    """A new customer; an id that is taken is a Conflict."""
    _check_customer(customer)
    new = replace(customer, created_at=customer.created_at or now.replace(microsecond=0))
    try:
        await tables.create(stored.stored_customer(new))
    except AlreadyExists as error:
        raise Conflict(f"There is a customer {customer.id} already.") from error
    return await get_customer(tables, customer.id)


async def save_customer(tables: AsyncDatabase, customer: Customer, notice: Notice | None = None) -> Customer:
    """The customer as edited on the version that it carries."""
    _check_customer(customer)
    try:
        await tables.transact(update(stored.stored_customer(customer)), *notice_writes(notice))
    except ConditionFailed as error:
        current = await get_customer(tables, customer.id)
        raise StaleEdit(_CHANGED, current=str(current.version)) from error
    return await get_customer(tables, customer.id)


def _check_customer(customer: Customer) -> None:
    if not table.CUSTOMER_FORM.fullmatch(customer.id):
        raise InputError("A customer's id has 1 to 100 letters, digits and the signs _ . @ + -, and no spaces.")


async def save_invoices(
    tables: AsyncDatabase, invoices: Sequence[Invoice], *, rules: LadderRules, now: datetime
) -> LedgerChange:
    """New and changed invoices of one customer in one currency, all or none; those that are the same are left alone.

    At most INVOICES_AT_ONCE. An invoice of version 0 must be new; any other must still be of its version.
    """
    customer, currency = _one_account(invoices)
    if len(invoices) > INVOICES_AT_ONCE:
        raise InputError(f"Save at most {INVOICES_AT_ONCE} invoices at once.")

    def change(case: Case) -> tuple[list[Write[Any]], Case]:
        known = {invoice.number: invoice for invoice in case.invoices}
        fresh = [
            _settled(known.get(invoice.number), invoice, now)
            for invoice in invoices
            if _is_change(known.get(invoice.number), invoice)
        ]
        after = {**known, **{invoice.number: invoice for invoice in fresh}}
        return [_invoice_write(invoice) for invoice in fresh], replace(case, invoices=tuple(after.values()))

    return await _change_ledger(tables, customer, currency, change, rules=rules, now=now)


def _is_change(known: Invoice | None, invoice: Invoice) -> bool:
    """Whether there is anything to write; an edit of something else than what is stored is refused."""
    if known is None:
        return True
    if replace(known, version=0, settled_at=None) == replace(invoice, version=0, settled_at=None):
        return False
    if known.currency != invoice.currency:
        raise Conflict(f"The invoice {invoice.number} is in {known.currency}; a currency can't be changed.")
    if known.version != invoice.version:
        raise StaleEdit(f"The invoice {invoice.number} was changed by somebody else first.", current=str(known.version))
    return True


def _one_account(invoices: Iterable[Invoice]) -> tuple[str, str]:
    accounts = {(invoice.customer_id, invoice.currency) for invoice in invoices}
    if len(accounts) != 1:
        raise InputError("Save the invoices of one customer in one currency at a time.")
    return accounts.pop()


def _settled(known: Invoice | None, invoice: Invoice, at: datetime) -> Invoice:
    """With the moment at which nothing was owed any more, as long as that is so.

    Nobody knows it of an invoice that was paid when it came into the ledger.
    """
    if known is None or invoice.state == "open":
        return replace(invoice, settled_at=None)
    return replace(invoice, settled_at=at.replace(microsecond=0) if known.state == "open" else known.settled_at)


def _invoice_write(invoice: Invoice) -> Write[table.Invoice]:
    item = stored.stored_invoice(invoice)
    return update(item) if invoice.version else create(item)


async def record_payment(
    tables: AsyncDatabase, payment: Payment, *, rules: LadderRules, now: datetime, tell: PaymentNotice | None = None
) -> LedgerChange:
    """A payment, spread over its invoices, with what follows for the ladder. The same reference again changes nothing.

    Without `towards` it goes to the invoices that are due longest; more than is owed there is a Conflict.
    """
    paid, before = payment, dict[str, datetime]()

    def change(case: Case) -> tuple[list[Write[Any]], Case]:
        nonlocal paid
        paid = spread(payment, case.invoices)
        writes, after = _payment_writes(paid, case, before, now)
        return [*writes, *(notice_writes(tell(paid, after.invoices)) if tell else ())], after

    known = await _recorded(tables, payment)
    if known is None:
        before = await _last_received(tables, payment.customer_id)
        try:
            made = await _change_ledger(
                tables, payment.customer_id, payment.amount.currency, change, rules=rules, now=now
            )
        except AlreadyExists:
            known = await _recorded(tables, payment)
        else:
            return replace(made, paid=paid.towards)
    case = await read_case(tables, payment.customer_id, payment.amount.currency)
    return LedgerChange(case, None, changed=False, paid=known.towards if known else {})


def _payment_writes(
    paid: Payment, case: Case, before: Mapping[str, datetime], now: datetime
) -> tuple[list[Write[Any]], Case]:
    """An invoice is settled when the last of its money came in, whenever somebody recorded it."""
    known, fresh = {invoice.number: invoice for invoice in case.invoices}, []
    for number, amount in paid.towards.items():
        invoice = replace(known[number], paid=known[number].paid + Money(amount, paid.amount.currency))
        last = max(paid.received_at, before.get(number, paid.received_at))
        fresh.append(_settled(known[number], invoice, min(last, now)))
    after = {**known, **{invoice.number: invoice for invoice in fresh}}
    writes: list[Write[Any]] = [create(stored.stored_payment(paid)), *(_invoice_write(invoice) for invoice in fresh)]
    return writes, replace(case, invoices=tuple(after.values()))


async def _last_received(tables: AsyncDatabase, customer_id: str) -> dict[str, datetime]:
    """When the last money came in for each invoice that a customer has paid something on."""
    last: dict[str, datetime] = {}
    for payment in await payments_of(tables, customer_id):
        for number in payment.towards:
            last[number] = max(payment.received_at, last.get(number, payment.received_at))
    return last


async def _recorded(tables: AsyncDatabase, payment: Payment) -> Payment | None:
    """The payment under this reference; another amount under the same reference is a Conflict."""
    key = table.Payment.key(customer_id=payment.customer_id, payment_id=payment.id)
    await get_customer(tables, payment.customer_id)
    found = await tables.get(key, consistent=True)
    if found is None:
        return None
    known = stored.payment_from(found)
    if known.amount != payment.amount:
        raise Conflict(f"The payment {payment.id} is recorded with {known.amount}; use another reference.")
    return known


def spread(payment: Payment, invoices: Iterable[Invoice]) -> Payment:
    """The payment with how much goes to which invoice."""
    open_ones = {i.number: i for i in invoices if i.currency == payment.amount.currency and i.outstanding}
    wanted = payment.towards or _oldest_first(payment, open_ones.values())
    if len(wanted) > MOST_PAID_AT_ONCE:
        raise Conflict(f"A payment goes to at most {MOST_PAID_AT_ONCE} invoices at once; record it in parts.")
    for number, amount in wanted.items():
        if number not in open_ones:
            raise NotFound(f"There is no open invoice {number[:60]} of this customer in {payment.amount.currency}.")
        if not 0 < amount <= open_ones[number].outstanding.amount:
            raise Conflict(f"On {number} {open_ones[number].outstanding} is owed; pay at most that.")
    if sum(wanted.values()) > payment.amount.amount:
        raise InputError("The parts add up to more than the payment.")
    return replace(payment, towards=dict(wanted))


def _oldest_first(payment: Payment, invoices: Iterable[Invoice]) -> dict[str, Any]:
    left, parts = payment.amount.amount, {}
    for invoice in sorted(invoices, key=lambda one: (one.due, one.number)):
        part = min(left, invoice.outstanding.amount)
        if part > 0:
            parts[invoice.number] = part
            left -= part
    if left > 0:
        raise Conflict(f"{payment.amount} is more than is owed; record what belongs to open invoices.")
    return parts


async def add_hold(
    tables: AsyncDatabase, hold: Hold, *, rules: LadderRules, now: datetime, notice: Notice | None = None
) -> Hold:
    """A hold, which stops what is not sent yet; the same id again is the same hold."""
    hold = replace(hold, created_at=hold.created_at or now.replace(microsecond=0))

    async def attempt() -> None:
        customer = await get_customer(tables, hold.customer_id)
        ref = table.Customer.key(customer_id=customer.id)
        raised = patch(ref, when=table.Customer.version == customer.version, name=customer.name)
        await commit(tables, create(stored.stored_hold(hold)), raised, *notice_writes(notice))

    try:
        await decided_anew(attempt)
    except AlreadyExists:
        return hold
    await follow_holds(tables, hold.customer_id, rules=rules, now=now)
    return hold


async def lift_hold(
    tables: AsyncDatabase,
    customer_id: str,
    hold_id: str,
    *,
    by: str,
    rules: LadderRules,
    now: datetime,
    tell: Callable[[Hold], Notice] | None = None,
) -> tuple[Hold, Notice | None]:
    """The hold is over; who lifted it and when stays. The notice is None where it was over before."""

    async def attempt() -> tuple[Hold, Notice | None]:
        customer = await get_customer(tables, customer_id)
        known = next((hold for hold in await holds_of(tables, customer_id) if hold.id == hold_id), None)
        if known is None:
            raise NotFound("There is no such hold.")
        if known.lifted_at is not None:
            return known, None
        lifted = replace(known, lifted_at=now.replace(microsecond=0), lifted_by=by)
        ref = table.Customer.key(customer_id=customer_id)
        raised = patch(ref, when=table.Customer.version == customer.version, name=customer.name)
        notice = tell(lifted) if tell else None
        await commit(tables, update(stored.stored_hold(lifted)), raised, *notice_writes(notice))
        return lifted, notice

    outcome = await decided_anew(attempt)
    await follow_holds(tables, customer_id, rules=rules, now=now)
    return outcome


async def follow_holds(tables: AsyncDatabase, customer_id: str, *, rules: LadderRules, now: datetime) -> None:
    """Bring open drafts to what the holds and the customer's data now say; the guard doesn't depend on it."""
    for ladder in await ladders_of(tables, customer_id):
        await _change_ledger(tables, customer_id, ladder.currency, lambda case: ([], case), rules=rules, now=now)


LedgerWrite = Callable[[Case], tuple[list[Write[Any]], Case]]


async def _change_ledger(
    tables: AsyncDatabase, customer_id: str, currency: str, change: LedgerWrite, *, rules: LadderRules, now: datetime
) -> LedgerChange:
    """One transaction: the ledger's items, the ladder, and the open draft as the new debt leaves it."""

    async def attempt() -> LedgerChange:
        case = await read_case(tables, customer_id, currency)
        known = await _open_draft(tables, case.ladder)
        writes, after = change(case)
        draft = after_debt_changed(known, after, rules, now)
        ladder = after_ledger(after, rules, now)
        if draft is not known and known is not None and draft is not None:
            draft = replace(draft, version=known.version + 1)
            writes.append(draft_write(known, draft, now))
            ladder = ladder.in_state(draft.state, now)
        if not writes and ladder == case.ladder:
            return LedgerChange(case, draft, changed=False)
        await _commit_ledger(tables, [ladder_write(ladder), *writes])
        return LedgerChange(replace(after, ladder=ladder), draft, changed=True)

    return await decided_anew(attempt)


async def _open_draft(tables: AsyncDatabase, ladder: Ladder) -> Draft | None:
    """The draft that holds a level; one that lapsed or that another program changed is none of ours to move."""
    if ladder.open is None:
        return None
    found = await find_draft(tables, ladder.open.draft_id)
    return found if found and found.state == ladder.open.state and found.state in OPEN_STATES else None


async def _commit_ledger(tables: AsyncDatabase, writes: list[Write[Any]]) -> None:
    try:
        await commit(tables, *writes)
    except UniqueViolation as error:
        raise Conflict("An invoice number is taken by another invoice.", numbers=_numbers(writes)) from error
    except AlreadyExists as error:
        if any(write.ref.cls is table.Payment for write in writes):
            raise
        raise Moved from error
    except ConditionFailed as error:
        raise Moved from error


def _numbers(writes: Iterable[Write[Any]]) -> list[str]:
    return [str(write.ref.values["number"]) for write in writes if write.ref.cls is table.Invoice]
