"""The ledger: customers, invoices, payments and holds, and the debt that follows from them on a day.

Money is exact and has a currency.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Literal

from almanac.approvals import content_hash
from almanac.kit.money import Money

InvoiceState = Literal["open", "paid", "credited"]
HoldKind = Literal["promise", "dispute", "pause", "reply", "never"]

ERASED_NAME = "Erased"
# More than anybody owes on an invoice, and fewer digits than a table number holds.
AMOUNT_LIMIT = Decimal(10) ** 15
# A letter lists all overdue invoices, and its draft stores each.
MAX_INVOICES_PER_LETTER = 500
# Dates beyond these are typing errors, and date arithmetic on them could overflow.
FIRST_DAY, LAST_DAY = date(1970, 1, 1), date(2999, 12, 31)
_ZERO = Decimal(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Customer:
    """A customer. `version` rises with every write that affects all their reminders, holds included."""

    id: str
    name: str
    email: str | None = None
    more_recipients: tuple[str, ...] = ()
    language: str = "en"
    time_zone: str | None = None
    opted_out: bool = False
    never_remind: bool = False
    notes: str = ""
    version: int = 0
    created_at: datetime | None = None
    erased_at: datetime | None = None

    @property
    def recipients(self) -> tuple[str, ...]:
        """All addresses a reminder goes to, each once."""
        return tuple(dict.fromkeys(email for email in (self.email, *self.more_recipients) if email))


@dataclass(frozen=True, slots=True, kw_only=True)
class Invoice:
    """One invoice; its number is unique in the installation."""

    customer_id: str
    number: str
    amount: Money
    issued: date | None
    due: date
    paid: Money
    credited: Money
    disputed: bool = False
    dispute_note: str = ""
    settled_at: datetime | None = None
    version: int = 0

    @property
    def currency(self) -> str:
        return self.amount.currency

    @property
    def outstanding(self) -> Money:
        """What is still owed, never negative."""
        return Money(max(self._left, _ZERO), self.currency)

    @property
    def is_open(self) -> bool:
        """Whether anything is still owed. Plans ask this of every invoice, so it avoids building Money."""
        return self._left > 0

    @property
    def _left(self) -> Decimal:
        return self.amount.amount - self.paid.amount - self.credited.amount

    @property
    def state(self) -> InvoiceState:
        if self.is_open:
            return "open"
        return "paid" if self.paid or not self.credited else "credited"

    def is_overdue(self, today: date) -> bool:
        """Whether something is owed and the due date has passed."""
        return self.due < today and self.is_open


@dataclass(frozen=True, slots=True, kw_only=True)
class Payment:
    """A received payment. `id` is the payer's reference: the same reference is the same payment."""

    customer_id: str
    id: str
    amount: Money
    received_at: datetime
    towards: dict[str, Decimal]
    note: str = ""
    recorded_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """Stops reminders of one invoice or of everything, until a day or until it is lifted."""

    customer_id: str
    id: str
    kind: HoldKind
    invoice: str | None = None
    until: date | None = None
    note: str = ""
    by: str = ""
    created_at: datetime | None = None
    lifted_at: datetime | None = None
    lifted_by: str = ""

    def is_in_force(self, today: date) -> bool:
        return self.lifted_at is None and (self.until is None or today <= self.until)


@dataclass(frozen=True, slots=True)
class OwedInvoice:
    """One line of a debt."""

    number: str
    outstanding: Money
    issued: date | None
    due: date
    days_overdue: int


@dataclass(frozen=True, slots=True)
class Debt:
    """What a customer owes in one currency on a day and may be reminded of, oldest due date first."""

    customer_id: str
    currency: str
    today: date
    lines: tuple[OwedInvoice, ...]

    @property
    def total(self) -> Money:
        return sum((line.outstanding for line in self.lines), Money.zero(self.currency))

    @property
    def numbers(self) -> tuple[str, ...]:
        return tuple(line.number for line in self.lines)

    @property
    def fingerprint(self) -> str:
        """Changes only with the set of invoices, an amount or a due date."""
        return content_hash([[line.number, line.outstanding.amount, self.currency, line.due] for line in self.lines])

    def __bool__(self) -> bool:
        return bool(self.lines)


def calculate_debt(
    customer_id: str, currency: str, invoices: Iterable[Invoice], holds: Sequence[Hold], today: date
) -> Debt:
    """The overdue invoices in one currency without dispute or hold."""
    held = {hold.invoice for hold in holds if hold.invoice and hold.is_in_force(today)}
    lines = [
        OwedInvoice(invoice.number, invoice.outstanding, invoice.issued, invoice.due, (today - invoice.due).days)
        for invoice in invoices
        if invoice.currency == currency
        and invoice.is_overdue(today)
        and not invoice.disputed
        and invoice.number not in held
    ]
    return Debt(customer_id, currency, today, tuple(sorted(lines, key=lambda line: (line.due, line.number))))


def is_plausible_date(day: date) -> bool:
    """False for dates that can only be typing errors."""
    return FIRST_DAY <= day <= LAST_DAY


def has_overdue_invoices(currency: str, invoices: Iterable[Invoice], today: date) -> bool:
    """Whether anything in this currency is overdue, held and disputed invoices included; a cycle lasts that long."""
    return any(invoice.currency == currency and invoice.is_overdue(today) for invoice in invoices)


def make_sort_name(name: str) -> str:
    """The name as lists sort it."""
    return unicodedata.normalize("NFKD", name).casefold().strip()[:200] or "-"
