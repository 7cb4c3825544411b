"""Matches rows with the ledger: what each creates, updates or leaves, decided for the whole file before any write."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from almanac.desks.reminders.formats.report import RowOutcome, RowResult
from almanac.desks.reminders.formats.rows import ImportedCustomer, ImportedInvoice, ImportRow, RefusedRow, RowError
from almanac.desks.reminders.model.ledger import Customer, Invoice
from almanac.kit.messages import gettext
from almanac.kit.money import Money


@dataclass(frozen=True, slots=True)
class LedgerIndex:
    """The ledger for matching: customers by id, invoices by number."""

    customers: Mapping[str, Customer]
    invoices: Mapping[str, Invoice]


@dataclass(slots=True)
class ImportPlan:
    """What is to be written, and the outcome of each row if that succeeds. Version 0 is new."""

    rows: dict[int, RowOutcome] = field(default_factory=dict)
    customers: dict[str, Customer] = field(default_factory=dict)
    invoices: dict[int, Invoice] = field(default_factory=dict)

    @property
    def new_customers(self) -> int:
        return sum(not customer.version for customer in self.customers.values())


def match_rows(entries: Iterable[ImportRow | RefusedRow], ledger: LedgerIndex) -> ImportPlan:
    """The outcome of every row. A repeated id or number in the file is refused."""
    matching = _RowMatcher(ledger)
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
    """Matches rows one after another and collects the plan."""

    def __init__(self, ledger: LedgerIndex) -> None:
        self.known = ledger
        self.matched = ImportPlan()
        self.lines: dict[str, int] = {}

    def refuse(self, line: int, reason: str, customer: str, number: str) -> None:
        row = RowOutcome(line=line, outcome="refused", customer_id=customer, number=number, reason=reason)
        self.matched.rows[line] = row

    def note(self, line: int, outcome: RowResult, customer: str, number: str) -> None:
        self.matched.rows[line] = RowOutcome(line=line, outcome=outcome, customer_id=customer, number=number)

    def take(self, entry: ImportRow) -> RowResult:
        """The outcome of a row, which is added to the plan. RowError if it is refused."""
        self._require_first_mention(entry)
        if entry.invoice is None:
            return self._customer(entry.customer)
        return self._invoice(entry.line, entry.customer, entry.invoice)

    def _require_first_mention(self, entry: ImportRow) -> None:
        name = entry.invoice.number if entry.invoice else entry.customer.id
        line = self.lines.setdefault(name, entry.line)
        if line != entry.line:
            subject = f"Invoice {name}" if entry.invoice else f"Customer {name}"
            raise RowError(
                gettext("%(subject)s is on line %(line)s already; only that one is taken.", subject=subject, line=line)
            )

    def _customer(self, imported: ImportedCustomer) -> RowResult:
        existing = self.known.customers.get(imported.id)
        if existing is None:
            self.matched.customers[imported.id] = _new_customer(imported)
            return "created"
        if existing.erased_at is not None:
            raise RowError(gettext("The data of customer %(id)s was erased; use another id.", id=imported.id))
        changed = _update_customer(existing, imported)
        if changed == existing:
            return "unchanged"
        self.matched.customers[imported.id] = changed
        return "updated"

    def _invoice(self, line: int, imported: ImportedCustomer, billed: ImportedInvoice) -> RowResult:
        customer = self._customer_of(imported)
        existing = self.known.invoices.get(billed.number)
        if existing is not None and existing.customer_id != imported.id:
            raise RowError(
                gettext(
                    "Invoice %(number)s belongs to customer %(customer_id)s.",
                    number=billed.number,
                    customer_id=existing.customer_id,
                )
            )
        invoice = _update_invoice(existing, billed) if existing else _new_invoice(imported.id, billed)
        if invoice == existing:
            return "unchanged"
        self.matched.invoices[line] = invoice
        if not customer.version:
            self.matched.customers.setdefault(imported.id, customer)
        return "updated" if existing else "created"

    def _customer_of(self, imported: ImportedCustomer) -> Customer:
        """The customer of an invoice. RowError if it is new and the row has no name."""
        existing = self.known.customers.get(imported.id) or self.matched.customers.get(imported.id)
        if existing is None and not imported.name:
            raise RowError(
                gettext(
                    "Customer %(id)s doesn't exist; import customers first, or add a column with names.", id=imported.id
                )
            )
        if existing is not None and existing.erased_at is not None:
            raise RowError(gettext("The data of customer %(id)s was erased; use another id.", id=imported.id))
        return existing or _new_customer(imported)


def _new_customer(imported: ImportedCustomer) -> Customer:
    if not imported.name:
        raise RowError(gettext("The customer's name is missing."))
    return _update_customer(Customer(id=imported.id, name=imported.name), imported)


def _update_customer(customer: Customer, imported: ImportedCustomer) -> Customer:
    """The customer with the row's values; an empty cell changes nothing."""
    return replace(
        customer,
        name=imported.name or customer.name,
        email=imported.emails[0] if imported.emails else customer.email,
        more_recipients=imported.emails[1:] if imported.emails else customer.more_recipients,
        language=imported.language or customer.language,
        time_zone=imported.time_zone or customer.time_zone,
        notes=imported.notes or customer.notes,
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


def _update_invoice(existing: Invoice, billed: ImportedInvoice) -> Invoice:
    if existing.currency != billed.amount.currency:
        raise RowError(
            gettext(
                "Invoice %(number)s is in %(currency)s; its currency can't change.",
                number=existing.number,
                currency=existing.currency,
            )
        )
    if billed.paid is not None and billed.paid < existing.paid:
        raise RowError(
            gettext(
                "%(paid)s of invoice %(number)s is paid by the ledger, the row says %(paid2)s.",
                paid=existing.paid,
                number=existing.number,
                paid2=billed.paid,
            )
        )
    return replace(
        existing,
        amount=billed.amount,
        issued=billed.issued or existing.issued,
        due=billed.due,
        paid=existing.paid if billed.paid is None else billed.paid,
    )
