"""Rows against the ledger: what each would create, update or leave, decided for the whole file before any write."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from almanac.desks.reminders.formats.report import RowOutcome, RowResult
from almanac.desks.reminders.formats.rows import ImportedCustomer, ImportedInvoice, ImportRow, RefusedRow, RowError
from almanac.desks.reminders.model.ledger import Customer, Invoice
from almanac.kit.money import Money


@dataclass(frozen=True, slots=True)
class LedgerIndex:
    """The ledger as far as the file touches it: customers by id, invoices by number."""

    customers: Mapping[str, Customer]
    invoices: Mapping[str, Invoice]


@dataclass(slots=True)
class ImportPlan:
    """What is to be written, and what becomes of each row if that succeeds. Version 0 is new."""

    rows: dict[int, RowOutcome] = field(default_factory=dict)
    customers: dict[str, Customer] = field(default_factory=dict)
    invoices: dict[int, Invoice] = field(default_factory=dict)

    @property
    def new_customers(self) -> int:
        return sum(not customer.version for customer in self.customers.values())


def match_rows(entries: Iterable[ImportRow | RefusedRow], known: LedgerIndex) -> ImportPlan:
    """Every row with what becomes of it. An id or number that comes a second time in the file is refused there."""
    matching = _RowMatcher(known)
    for entry in entries:
        if isinstance(entry, RefusedRow):
            matching.refuse(entry.line, entry.reason, entry.customer_id, entry.number)
            continue
        number = entry.invoice.number if entry.invoice else ""
        try:
            outcome = matching.take(entry)
        except RowError as error:
            matching.refuse(entry.line, str(error), entry.customer.id, number)
        else:
            matching.note(entry.line, outcome, entry.customer.id, number)
    return matching.matched


class _RowMatcher:
    def __init__(self, known: LedgerIndex) -> None:
        self.known = known
        self.matched = ImportPlan()
        self.lines: dict[str, int] = {}

    def refuse(self, line: int, reason: str, customer: str, number: str) -> None:
        row = RowOutcome(line=line, outcome="refused", customer_id=customer, number=number, reason=reason)
        self.matched.rows[line] = row

    def note(self, line: int, outcome: RowResult, customer: str, number: str) -> None:
        self.matched.rows[line] = RowOutcome(line=line, outcome=outcome, customer_id=customer, number=number)

    def take(self, entry: ImportRow) -> RowResult:
        """What the row does; it takes its place in what is to be written."""
        self._once(entry)
        if entry.invoice is None:
            return self._customer(entry.customer)
        return self._invoice(entry.line, entry.customer, entry.invoice)

    def _once(self, entry: ImportRow) -> None:
        name = entry.invoice.number if entry.invoice else entry.customer.id
        line = self.lines.setdefault(name, entry.line)
        if line != entry.line:
            what = f"Invoice {name}" if entry.invoice else f"Customer {name}"
            raise RowError(f"{what} is on line {line} already; only that one is taken.")

    def _customer(self, said: ImportedCustomer) -> RowResult:
        known = self.known.customers.get(said.id)
        if known is None:
            self.matched.customers[said.id] = _new_customer(said)
            return "created"
        if known.erased_at is not None:
            raise RowError(f"The data of customer {said.id} was erased; use another id.")
        changed = _update_customer(known, said)
        if changed == known:
            return "unchanged"
        self.matched.customers[said.id] = changed
        return "updated"

    def _invoice(self, line: int, said: ImportedCustomer, billed: ImportedInvoice) -> RowResult:
        customer = self._customer_of(said)
        known = self.known.invoices.get(billed.number)
        if known is not None and known.customer_id != said.id:
            raise RowError(f"Invoice {billed.number} belongs to customer {known.customer_id}.")
        invoice = _update_invoice(known, billed) if known else _new_invoice(said.id, billed)
        if invoice == known:
            return "unchanged"
        self.matched.invoices[line] = invoice
        if not customer.version:
            self.matched.customers.setdefault(said.id, customer)
        return "updated" if known else "created"

    def _customer_of(self, said: ImportedCustomer) -> Customer:
        """The customer of an invoice; one that nobody knows needs at least a name."""
        known = self.known.customers.get(said.id) or self.matched.customers.get(said.id)
        if known is None and not said.name:
            raise RowError(f"There is no customer {said.id}; import the customers first, or add a column with names.")
        if known is not None and known.erased_at is not None:
            raise RowError(f"The data of customer {said.id} was erased; use another id.")
        return known or _new_customer(said)


def _new_customer(said: ImportedCustomer) -> Customer:
    if not said.name:
        raise RowError("The customer's name is missing.")
    return _update_customer(Customer(id=said.id, name=said.name), said)


def _update_customer(customer: Customer, said: ImportedCustomer) -> Customer:
    """The customer with what the row says; an empty cell says nothing."""
    return replace(
        customer,
        name=said.name or customer.name,
        email=said.emails[0] if said.emails else customer.email,
        more_recipients=said.emails[1:] if said.emails else customer.more_recipients,
        language=said.language or customer.language,
        time_zone=said.time_zone or customer.time_zone,
        notes=said.notes or customer.notes,
    )


def _new_invoice(customer: str, billed: ImportedInvoice) -> Invoice:
    nothing = Money.zero(billed.amount.currency)
    return Invoice(
        customer_id=customer,
        number=billed.number,
        amount=billed.amount,
        issued=billed.issued,
        due=billed.due,
        paid=billed.paid or nothing,
        credited=nothing,
    )


def _update_invoice(known: Invoice, billed: ImportedInvoice) -> Invoice:
    if known.currency != billed.amount.currency:
        raise RowError(f"Invoice {known.number} is in {known.currency}; its currency can't change.")
    if billed.paid is not None and billed.paid < known.paid:
        raise RowError(f"{known.paid} of invoice {known.number} is paid by the ledger, the row says {billed.paid}.")
    return replace(
        known,
        amount=billed.amount,
        issued=billed.issued or known.issued,
        due=billed.due,
        paid=known.paid if billed.paid is None else billed.paid,
    )
